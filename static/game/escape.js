// Esc closes what is open, one thing at a press, and then leads home, where Continue leads back. The browser itself
// closes dialogs and menus.

const closers = [];
const LAYERS = CSS.supports("selector(:popover-open)") ? "dialog[open], :popover-open" : "dialog[open]";

// close() returns whether it closed anything. It is tried before details are closed.
export function onEscape(close) { closers.push(close); }

// Closes the details that the focus is in, and moves it to their summary; from elsewhere closes all. Returns whether any
// were open.
function fold() {
  const open = [...document.querySelectorAll("#game details[open]")];
  const within = open.filter((it) => it.contains(document.activeElement)).at(-1);
  within?.querySelector("summary").focus();
  for (const it of within ? [within] : open) it.open = false;
  return open.length > 0;
}

// Answers a question by the button that changes nothing.
function decline() {
  const no = document.querySelector("#game [data-escape]");
  no?.click();
  return no !== null;
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing || document.querySelector(LAYERS)) return;
  if (closers.some((close) => close()) || decline() || fold()) return;
  const isPlaying = document.querySelector("#game:is([data-phase=firing], [data-phase=waiting])");
  if (isPlaying && !event.repeat && !event.target.closest("input, select, textarea")) {
    document.querySelector(".brand").click();
  }
});
