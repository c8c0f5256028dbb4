// At the end Enter on the headline does what leads on, but not right after the shot that ended it or after a reload: that
// press was meant for something else. A held key repeats, which is no press.
const REST = 700;
const WAYS = ["a[data-daily]", "#act-again", "#act-next", ".primary"]; // the next match, else what is offered first

const headline = () => document.querySelector("#game .phase[data-ended]");
function onward() {
  const found = WAYS.map((way) => document.querySelector(`#game ${way}`));
  return headline() && found.find((it) => it?.checkVisibility());
}

const opened = performance.now();
let ended = -REST;
let shown = headline();
const isSoonAfter = (moment) => performance.now() - moment < REST;

document.addEventListener("htmx:afterSettle", () => {
  if (headline() && !shown) ended = performance.now();
  shown = headline();
});
document.addEventListener("keydown", (event) => {
  const { key, repeat, defaultPrevented, ctrlKey, altKey, metaKey, target } = event;
  if (key !== "Enter" || repeat || defaultPrevented || ctrlKey || altKey || metaKey) return;
  const isFree = target === headline() || target === document.body; // a click beside it takes the focus away
  if (isFree && !isSoonAfter(Math.max(opened, ended))) onward()?.click();
});
// Where what leads on has the focus itself, a key clicks it, with a detail of 0.
document.addEventListener("click", (event) => {
  if (event.detail || !isSoonAfter(ended) || event.target !== onward()) return;
  event.preventDefault();
  event.stopPropagation();
}, true);
