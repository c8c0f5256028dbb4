// After a match, Enter or a click on nothing else begins the next one, as its link or button does.

const TAKEN = "a, button, input, select, textarea, label, details, dialog, [popover], .panel";
const REST = 1000; // milliseconds: what ended the match may be pressed twice, and the end is to be seen
const NEAR = 6; // pixels within which a press is no drag
const LAYERS = CSS.supports("selector(:popover-open)") ? "dialog[open], :popover-open" : "dialog[open]";
const shown = performance.now();
let press = null; // where the last press began; null where it was meant for something else

const link = () => document.getElementById("act-again");
const isPlain = (event) => !event.defaultPrevented && !event.ctrlKey && !event.altKey && !event.metaKey &&
  !event.shiftKey && !event.target.closest(TAKEN);
const isSelecting = () => getSelection().type === "Range";
const isEarly = () => performance.now() - shown < REST;

// A press that undoes a selection or closes a menu has done its work.
document.addEventListener("pointerdown", ({ clientX, clientY }) => {
  press = isEarly() || isSelecting() || document.querySelector(LAYERS) ? null : { clientX, clientY };
}, true);

document.addEventListener("click", (event) => {
  const begun = press;
  press = null;
  if (!begun || !isPlain(event) || isSelecting()) return;
  if (Math.hypot(event.clientX - begun.clientX, event.clientY - begun.clientY) < NEAR) link()?.click();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing || isEarly()) return;
  if (!isPlain(event) || document.querySelector(LAYERS) || !link()) return;
  event.preventDefault();
  link().click();
});
