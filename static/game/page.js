// What the other scripts say, find and call by name.

// Where the site is: "/", or the path below which it is served, before the language. Other sites of the host share the
// browser's storages, so what is kept there and in cookies has a name of this site's own.
export const { home } = document.body.dataset;
export const path = home.replace(/[^/]+\/$/, "");
export const named = (name) => path.slice(1).replaceAll("/", ".") + name;

export function say(text, look = "refused") {
  const line = document.createElement("span");
  line.className = look;
  line.textContent = text;
  document.getElementById("status")?.replaceChildren(line);
  return line;
}

// What a cell is called, as a node or a text: B7, or labels in their language.
export const called = (cell) => cell.querySelector(".called")?.cloneNode(true) ?? cell.dataset.cell;
// The parts of a template, whose marks {cell} or %(cell)s give way to texts and nodes.
export const filled = (template, found) => template.split(/(\{\w+\}|%\(\w+\)s)/).flatMap((part) => found[part] ?? part);

// A selector that finds an element again after a swap: by its id, or as the button of its cell.
export function selectorOf(element) {
  const cell = element?.closest("[role=gridcell]");
  if (!cell) return element?.id ? `#${element.id}` : "";
  return `[data-board=${cell.closest("[data-board]").dataset.board}] [data-cell=${cell.dataset.cell}] > :is(button, input)`;
}
// The character of a pressed key in lower case, or the name of another key; nothing with Ctrl, Alt or Meta, and while
// text is composed. Where letters aren't Latin, the place on the keyboard decides: к, ρ, ר and ق are at KeyR, and Q may
// be a slash or a semicolon. A French keyboard has its digits with Shift alone.
export function typedKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.keyCode === 229) return "";
  const { code = "", shiftKey } = event, key = (event.key ?? "").normalize("NFKC");
  if (/^([^\p{ASCII}\p{Script=Latin}]+|[/;])$/u.test(key) && !event.getModifierState("AltGraph")) {
    if (code.startsWith("Key")) return code[3].toLowerCase();
    if (code === "Slash" && shiftKey) return "?";
  }
  if (code.startsWith("Digit") && !shiftKey && !/^[a-z?$]$/i.test(key)) return code[5];
  return key.length > 1 ? key : key.toLowerCase();
}

export const find = (selector) => (selector ? document.querySelector(selector) : null);
