// Choosing the rectangle of a question on the enemy's sheet: by two taps, by dragging, and by keys.
import { ours } from "./answers.js";
import { onDrag, place } from "./boards.js";
import { onEscape } from "./escape.js";
import { called, filled, say } from "./page.js";
import { aimed } from "./site.js";

document.documentElement.dataset.draws = "box"; // from now on the form needs no fields to type in

const isAsking = () => Boolean(document.getElementById("mode-ask")?.checked);
const form = () => document.querySelector(".asking");
const sheet = () => document.querySelector(".firing .hulls");
const cellIn = (target) => target.closest?.(".firing td[data-cell]");
const nameOf = ([x, y]) => String.fromCharCode(65 + x) + (y + 1);
const spotOf = ({ dataset, value }) => { const { x, y } = place(dataset.cell ?? value); return [x, y]; };
const calledAt = (spot) => called(document.querySelector(`.firing [data-cell="${nameOf(spot)}"]`));
const question = () => document.getElementById("act-ask").firstElementChild;
const sayQuestion = () => say("", "").append(...question().cloneNode(true).childNodes);

let corners = null; // two opposite corners, each a column and a row from 0
let isChosen = false; // whether the player chose them, not the page
let isHalf = false; // whether the next press chooses the second corner

function edges() {
  const [[a, b], [c, d]] = corners;
  return { left: Math.min(a, c), right: Math.max(a, c), top: Math.min(b, d), bottom: Math.max(b, d) };
}

function draw() {
  if (!form() || !sheet()) return;
  const { elements: { ask_from: from, ask_to: to, typed } } = form();
  const isOffered = !corners; // as the page came
  corners ??= [from, to].map(spotOf);
  const { left, right, top, bottom } = edges();
  [from.value, to.value] = [nameOf([left, top]), nameOf([right, bottom])];
  if (typed) typed.disabled = true; // from now on they hold B7
  const { dataset: { cellWords, box: boxWords } } = document.getElementById("act-ask");
  const [first, last] = [calledAt([left, top]), calledAt([right, bottom])];
  const asked = filled(from.value === to.value ? cellWords : boxWords, { "{first}": first, "{last}": last });
  const before = question().textContent;
  question().replaceChildren(...asked);
  if (question().textContent !== before && !isOffered) document.getElementById("ask-share").textContent = "";
  let box = document.getElementById("ask-box");
  if (!box) {
    box = Object.assign(document.createElement("i"), { id: "ask-box" });
    sheet().append(box);
  }
  const size = { "--x": left, "--y": top, "--wide": right - left + 1, "--high": bottom - top + 1 };
  for (const [name, value] of Object.entries(size)) box.style.setProperty(name, value);
}

function span(one, other) {
  [corners, isChosen] = [[one, other], true];
  draw();
}

// The coach says how many fleets would answer yes: the page of a question in its query tells it, and the page
// without one proposes the best question.
async function divide() {
  const { ask_from: { value: from }, ask_to: { value: to } } = form().elements;
  const query = new URLSearchParams(isChosen ? { ask_from: from, ask_to: to } : {});
  const answer = await ours(`?${query}`, { headers: { "HX-Request": "true" } });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const share = fresh.getElementById("ask-share"), now = form()?.elements;
  if (!share || now?.ask_from.value !== from || now.ask_to.value !== to) return;
  if (!isChosen) {
    corners = ["ask_from", "ask_to"].map((name) => spotOf(fresh.getElementsByName(name)[0]));
    draw();
    sayQuestion();
  }
  document.getElementById("ask-share").textContent = share.textContent;
}

function tell() {
  sayQuestion();
  if (form().matches("[data-coach]") && !document.getElementById("ask-share").textContent) divide().catch(() => {});
}

function tap(cell) {
  const spot = spotOf(cell);
  span(isHalf ? corners[0] : spot, spot);
  isHalf = !isHalf;
  tell();
}

// A press on a cell would fire, or choose an aim: while a question is chosen, it chooses a corner.
addEventListener("click", (event) => {
  const cell = isAsking() && cellIn(event.target);
  if (!cell) return;
  event.preventDefault();
  event.stopPropagation();
  tap(cell);
}, true);

const pointer = onDrag({
  // At a corner of the box the opposite one stays; anywhere else a new box begins.
  grab({ target }) {
    const cell = isAsking() && cellIn(target);
    if (!cell) return null;
    const [x, y] = spotOf(cell);
    const { left, right, top, bottom } = edges();
    const isCorner = [left, right].includes(x) && [top, bottom].includes(y);
    return { anchor: isCorner ? [x === left ? right : left, y === top ? bottom : top] : [x, y], before: corners };
  },
  start() { isHalf = false; },
  move({ anchor, event }) {
    const cell = cellIn(document.elementFromPoint(event.clientX, event.clientY) ?? document.body);
    if (cell) span(anchor, spotOf(cell));
  },
  drop: tell,
  cancel: ({ before }) => span(...before),
});

onEscape(() => {
  if (!isAsking()) return false;
  pointer.stop();
  document.getElementById("mode-fire").click();
  document.getElementById("mode-fire").focus();
  return true;
});

document.addEventListener("change", ({ target }) => { if (target.id === "mode-ask") { isHalf = false; tell(); } });

// An answer comes back with Fire chosen. After a refused question Ask stays; else the focus goes to the aim.
let was = {};
document.addEventListener("htmx:beforeSwap", () => {
  was = { asking: isAsking(), within: form()?.contains(document.activeElement) };
});
document.addEventListener("htmx:afterSettle", () => {
  const mode = document.getElementById("mode-ask");
  if (!mode) return;
  if (was.asking && !mode.disabled) mode.checked = true;
  else [corners, isChosen] = [null, false]; // the page offers another box
  if (corners === null && was.within) aimed()?.focus({ preventScroll: true });
  draw();
});
draw();
