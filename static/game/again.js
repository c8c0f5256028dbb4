// After a match, Enter or a click beside all controls begins the next one, as its button does.

const TAKEN = "a, button, input, select, textarea, label, details, dialog, [popover], .panel";
const REST = 1000; // milliseconds: the press that ended the match may come twice, and the end should be seen
const NEAR = 6; // pixels; farther is a drag
const LAYERS = CSS.supports("selector(:popover-open)") ? "dialog[open], :popover-open" : "dialog[open]";
const shown = performance.now();
let press = null; // where the last press began, or null if it was meant for something else

const link = () => document.getElementById("act-again");
const isPlain = (event) => !event.defaultPrevented && !event.ctrlKey && !event.altKey && !event.metaKey &&
  !event.shiftKey && !event.target.closest(TAKEN);
const isSelecting = () => getSelection().type === "Range";
const isEarly = () => performance.now() - shown < REST;

// A press that undoes a selection or closes a menu does nothing else.
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
