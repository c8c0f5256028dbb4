// Esc closes what is open, one thing at a press. The browser itself sees to dialogs and menus.

const closers = [];
const LAYERS = CSS.supports("selector(:popover-open)") ? "dialog[open], :popover-open" : "dialog[open]";

// What close() has open goes before what is unfolded; it returns whether there was anything to close.
export function onEscape(close) { closers.push(close); }

// Folds the part that the focus is in, which then stays at its summary; from elsewhere all of them.
function fold() {
  const open = [...document.querySelectorAll("#game details[open]")];
  const within = open.filter((it) => it.contains(document.activeElement)).at(-1);
  within?.querySelector("summary").focus();
  for (const it of within ? [within] : open) it.open = false;
}

// A question is answered by what changes nothing.
function decline() {
  const no = document.querySelector("#game [data-escape]");
  no?.click();
  return no !== null;
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing || document.querySelector(LAYERS)) return;
  if (!closers.some((close) => close()) && !decline()) fold();
});
