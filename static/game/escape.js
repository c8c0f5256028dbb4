// Esc closes what is open, one thing at a press, and then asks whether to leave the match. The browser itself closes
// dialogs and menus.

const closers = [];
const LAYERS = CSS.supports("selector(:popover-open)") ? "dialog[open], :popover-open" : "dialog[open]";
const UNDER_WAY = ["firing", "waiting", "handover", "searching", "watching"].map((it) => `[data-phase=${it}]`);
const TYPED_IN = "input:not([type=radio], [type=checkbox], [type=range]), select, textarea";

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

// The button that closes the drawer it is in.
document.addEventListener("click", ({ target }) => {
  const drawer = target.closest?.(".fold")?.closest("details");
  if (!drawer) return;
  drawer.open = false;
  drawer.querySelector("summary").focus();
});

// Answers a question by the button that changes nothing.
function decline() {
  const no = document.querySelector("#game [data-escape]");
  no?.click();
  return no !== null;
}

const question = () => document.getElementById("leaving");
addEventListener("pagehide", () => question()?.close()); // Back may show the page as it was left

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing || document.querySelector(LAYERS)) return;
  if (decline() || closers.some((close) => close()) || fold()) return;
  if (!document.querySelector(`#game:is(${UNDER_WAY})`) || event.repeat || event.target.closest(TYPED_IN)) return;
  event.preventDefault(); // the browser would close the dialog by the same press
  question().showModal();
});
