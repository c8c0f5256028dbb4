// A press acts on what the player saw when it was made: not on another phase, question or page that an answer has brought
// since. Nor does the second of two quick presses act on what the answer to the first one has changed.
import { named, selectorOf } from "./page.js";

const PAIR = 400; // milliseconds between two quick presses at the most
const SLOP = 12; // pixels between them
const LONG = 1000; // what is clicked so long after a press, a screen reader clicks

// The phase, and the question that is asked.
function sceneNow() {
  const game = document.getElementById("game");
  return `${game?.dataset.phase} ${game?.querySelector("[data-escape]")?.id}`;
}
// What a press would do there: a button that is called otherwise does something else.
function meaningOf(target) {
  const control = target.closest?.("label")?.control ?? target.closest?.("a, button, input, select, summary, textarea, td");
  if (!control) return "";
  const words = control.getAttribute("aria-label") ?? control.textContent;
  return [selectorOf(control), control.value, control.getAttribute("aria-disabled"), words.trim()].join();
}
const WRITTEN = { "Enter": "textarea", " ": "textarea, input:not([type=radio], [type=checkbox], [type=range])" };

// --- how the last press was made, also that on the page before ---

const LAST = named("press");
let isPointer = !matchMedia("(hover: hover)").matches;
let keyed = -Infinity; // when Enter or Space were pressed last
try {
  const last = sessionStorage.getItem(LAST);
  isPointer ||= last === "";
  if (last) keyed = Number(last) - performance.timeOrigin;
  sessionStorage.removeItem(LAST);
} catch { /* there is no storage */ }
for (const input of ["pointerdown", "keydown"]) {
  addEventListener(input, () => { isPointer = input === "pointerdown"; }, true);
}
addEventListener("pagehide", () => {
  const last = isPointer ? "" : keyed + performance.timeOrigin;
  try { if (last === "" || Number.isFinite(last)) sessionStorage.setItem(LAST, last); } catch { /* there is no storage */ }
});
export const isByPointer = () => isPointer;

// --- presses ---

let answers = 0;
let shown = sceneNow();
let changed = -Infinity; // when another scene was shown
document.addEventListener("htmx:afterSettle", ({ timeStamp }) => {
  answers += 1;
  if (shown !== sceneNow()) changed = timeStamp;
  shown = sceneNow();
});

let under = { at: -Infinity }; // the press under way
let first = {}; // of a series of quick presses: what it was meant for
let touched = {}; // where and when a finger pressed last
function begin({ timeStamp, pointerType }, isSecond) {
  under = { at: timeStamp, scene: timeStamp < changed ? null : sceneNow(), isSecond, isMouse: pointerType === "mouse" };
}
function remember(target) {
  if (!under.isSecond) first = { scene: under.scene, meaning: meaningOf(target), answers };
}
function isLate(target) {
  if (!under.isSecond) return under.scene !== undefined && under.scene !== sceneNow();
  if (first.answers === answers && !under.isMouse) return false;
  return first.scene !== sceneNow() || (target !== null && first.meaning !== meaningOf(target));
}

addEventListener("pointerdown", (event) => {
  const { pointerType, timeStamp, clientX: x, clientY: y } = event;
  const isNear = timeStamp - touched.timeStamp < PAIR && Math.hypot(x - touched.x, y - touched.y) < SLOP;
  begin(event, pointerType === "touch" && isNear);
  touched = { timeStamp, x, y };
  keyed = -Infinity;
}, true);
addEventListener("mousedown", (event) => {
  const { detail, target, timeStamp } = event;
  if (timeStamp - under.at > LONG) begin(event, false);
  under.isSecond ||= detail > 1;
  remember(target);
  if (isLate(target)) event.preventDefault(); // nor does it take the focus from what the answer asks
}, true);

// A held key repeats, but must fire only once.
addEventListener("keydown", (event) => {
  const { key, repeat, timeStamp, target, isComposing } = event;
  if (!(key in WRITTEN) || isComposing || target.matches?.(WRITTEN[key])) {
    [keyed, touched] = [-Infinity, {}]; // another key ends a series
    return;
  }
  if (!repeat) {
    begin(event, timeStamp - keyed < PAIR);
    remember(target);
    under.isLate = isLate(target);
    keyed = timeStamp;
  }
  if (key === "Enter" && (repeat || under.isLate)) event.preventDefault();
}, true);

// So does what is written, also by voice.
addEventListener("input", ({ target }) => {
  if (target.matches(WRITTEN[" "])) [keyed, touched] = [-Infinity, {}];
}, true);

addEventListener("click", (event) => {
  const { detail, isTrusted, target, timeStamp } = event;
  if (!detail && (!isTrusted || timeStamp - under.at > LONG)) return; // by a script, or a screen reader
  if (detail > 1) under.isSecond = true;
  if (!(detail ? isLate(target) : under.isLate || isLate(null))) return; // a key may click another button than its target
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
