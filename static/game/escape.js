// Esc closes what is open, one thing at a press. The browser itself closes dialogs and menus.

const closers = [];
const LAYERS = CSS.supports("selector(:popover-open)") ? "dialog[open], :popover-open" : "dialog[open]";

// close() returns whether it closed anything. It is tried before details are closed.
export function onEscape(close) { closers.push(close); }

// Closes the details that the focus is in, and moves it to their summary; from elsewhere closes all.
function fold() {
  const open = [...document.querySelectorAll("#game details[open]")];
  const within = open.filter((it) => it.contains(document.activeElement)).at(-1);
  within?.querySelector("summary").focus();
  for (const it of within ? [within] : open) it.open = false;
}

// Answers a question by the button that changes nothing.
function decline() {
  const no = document.querySelector("#game [data-escape]");
  no?.click();
  return no !== null;
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing || document.querySelector(LAYERS)) return;
  if (!closers.some((close) => close()) && !decline()) fold();
});
