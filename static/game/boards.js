// Moving over a board: keys from cell to cell, and drags that follow a pointer.
import "./drawers.js";
import { find, selectorOf } from "./page.js";

export const rowsOf = (grid) =>
  [...grid.tBodies[0].rows].map((row) => [...row.querySelectorAll("[data-cell] > :is(button, input)")]);

// --- keys ---

const steps = {
  ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0],
  Home: [-99, 0], End: [99, 0],
};
let last = ""; // a selector for the cell last in focus

// The tab key stops once at each board, and the arrow keys go on from there (roving tabindex).
function rove(grid) {
  const buttons = rowsOf(grid).flat();
  if (!buttons.length) return;
  const here = find(last);
  const stop = buttons.includes(here) ? here : buttons[0];
  for (const button of buttons) {
    const index = button === stop ? 0 : -1;
    if (button.tabIndex !== index) button.tabIndex = index; // each change costs, even to the same
  }
}
const roveAll = () => document.querySelectorAll("table[role=grid]").forEach(rove);

document.addEventListener("focusin", (event) => {
  const grid = event.target.closest?.("table[role=grid]");
  if (!grid) return;
  last = selectorOf(event.target);
  rove(grid);
});

document.addEventListener("keydown", (event) => {
  const grid = event.target.closest?.("table[role=grid]");
  const step = steps[event.key];
  if (!grid || !step || event.altKey || event.metaKey) return;
  const rows = rowsOf(grid);
  let y = rows.findIndex((row) => row.includes(event.target));
  if (y < 0) return;
  let x = rows[y].indexOf(event.target);
  const far = event.ctrlKey ? Math.sign(step[0]) * 99 : 0;
  y = Math.min(Math.max(y + step[1] + far, 0), rows.length - 1);
  x = Math.min(Math.max(x + step[0], 0), rows[y].length - 1);
  event.preventDefault();
  rows[y][x].focus();
});

document.addEventListener("htmx:afterSettle", roveAll);
roveAll();

// --- ships ---

// Column and row from 0 of a cell's name: B7 is { x: 1, y: 6 }.
export const place = (name) => ({ x: name.charCodeAt(0) - 65, y: Number(name.slice(1)) - 1 });

export function shipOf(element) {
  const { hull: id, x, y, length, direction } = element.dataset;
  return { element, id, x: Number(x), y: Number(y), length: Number(length), isDown: direction === "v" };
}

export const covered = ({ x, y, length, isDown }) =>
  Array.from({ length }, (_, i) => [x + (isDown ? 0 : i), y + (isDown ? i : 0)]);

export const shipOn = (ships, { x, y }) => ships.find((ship) => covered(ship).some(([a, b]) => a === x && b === y));

// --- drags ---

const THRESHOLD = 6; // pixels that tell a drag from a tap

// grab(event) returns what a press drags, or null. The other functions are called with that: start once the
// pointer has moved far enough, move each time it moves, then drop or cancel. The click that the browser sends
// after a drop is swallowed, unless drop returns false.
export function onDrag({ grab, start, move, drop, cancel }) {
  let drag = null;
  let isSwallowing = false;

  function end() {
    const ended = drag;
    drag = null;
    return ended;
  }
  const isDragged = (event) => drag && event.pointerId === drag.pointer;

  document.addEventListener("pointerdown", (event) => {
    isSwallowing = false; // a click from now on belongs to this press
    const held = event.button === 0 && grab(event);
    if (!held) return;
    drag = { ...held, pointer: event.pointerId, from: [event.clientX, event.clientY], event: null };
  });
  document.addEventListener("pointermove", (event) => {
    if (!isDragged(event)) return;
    if (!drag.event) {
      if (Math.hypot(event.clientX - drag.from[0], event.clientY - drag.from[1]) < THRESHOLD) return;
      start(drag);
    }
    event.preventDefault();
    drag.event = event;
    move(drag);
  });
  document.addEventListener("pointerup", (event) => {
    if (!isDragged(event)) return;
    const ended = end();
    if (!ended.event || drop(ended) === false) return;
    isSwallowing = true; // the browser's own click comes next, if one comes
  });
  document.addEventListener("click", (event) => {
    if (!isSwallowing || !event.detail) return; // a key or a script clicks with a detail of 0
    isSwallowing = false;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  document.addEventListener("dragstart", (event) => { if (drag) event.preventDefault(); });

  function stop() {
    const ended = end();
    if (ended) cancel(ended);
  }
  document.addEventListener("pointercancel", stop);
  return { current: () => drag, stop };
}
