// Placing by drag, by drawing and by keys: changes the form and submits it. The server decides.
import { covered, onDrag, place, shipOf, shipOn } from "./boards.js";
import { onEscape } from "./escape.js";
import { called, filled, say, typedKey } from "./page.js";

const LONGEST = 8;

const form = () => document.querySelector("form.placing");
const mode = () => form().dataset.mode;
const hulls = () => form().querySelector(".hulls");
const board = () => form().querySelector("[data-board]");
const cells = () => [...form().querySelectorAll("[data-cell]")];
const columns = () => Number(board().dataset.columns);
const rows = () => Number(board().dataset.rows);
const isDown = () => form().elements.direction.value === "v";
const cellAt = (x, y) => cells()[y * columns() + x];
const hovered = (event) => event.target.closest?.("form.placing [data-cell]");
const focused = () => document.activeElement?.closest?.("form.placing [data-cell]");

function ships() {
  const inputs = form().querySelectorAll("input[name=ship]");
  const found = [...form().querySelectorAll("[data-hull]")].map(shipOf);
  return found.map((ship) => ({ ...ship, input: inputs[ship.id] }));
}
const slidIn = (ship) => ({
  ...ship,
  x: Math.min(Math.max(ship.x, 0), columns() - (ship.isDown ? 1 : ship.length)),
  y: Math.min(Math.max(ship.y, 0), rows() - (ship.isDown ? ship.length : 1)),
});
function fits(ship, except) {
  const { touching } = form().dataset;
  const apart = (across, down) => touching === "corners" ? across + down > 1
    : Math.max(across, down) > (touching === "anywhere" ? 0 : 1);
  return ship.x >= 0 && ship.y >= 0 && ships().every((other) => other.input === except ||
    covered(other).every(([a, b]) => covered(ship).every(([c, d]) =>
      apart(Math.abs(a - c), Math.abs(b - d)))));
}
const near = (ship, except) => (fits(ship, except) ? "" : form().dataset.near);
const left = (length) =>
  Boolean(form().querySelector(`.berth[data-length="${length}"]:not(.is-empty)`));
function inHand() {
  const picked = form().querySelector("input[name=pick]:checked:not(:disabled)");
  return picked ? Number(picked.value) : 0;
}

// --- the ghost: where the ship would lie ---

function clear() {
  document.querySelectorAll(".is-ghost").forEach((ghost) => ghost.remove());
  document.querySelectorAll(".is-under, .is-under-illegal").forEach((cell) =>
    cell.classList.remove("is-under", "is-under-illegal"));
}
function show(ship, why) {
  clear();
  warn(ship, why);
  const ghost = document.createElement("i");
  const picture = form().querySelector(`.is-lifted svg, .berth[data-length="${ship.length}"] svg`);
  if (picture) {
    const svg = picture.cloneNode();
    svg.removeAttribute("class");
    svg.append(picture.querySelector("use:not(.wake)").cloneNode());
    ghost.append(svg);
  }
  ghost.className = why ? "hull is-ghost is-illegal" : "hull is-ghost";
  Object.assign(ghost.dataset, { x: ship.x, y: ship.y, length: ship.length, direction: ship.isDown ? "v" : "h" });
  hulls().append(ghost);
  for (const [x, y] of covered(ship)) cellAt(x, y)?.classList.add(why ? "is-under-illegal" : "is-under");
}

// --- why a ship can't lie there, before it is set down ---

let before = null; // the content of the status line until then
let warned = "";
function warn(ship, why) {
  const parts = why ? sentence(ship, why) : [];
  const text = parts.map((part) => part.textContent ?? part).join("");
  if (text === warned) return;
  warned = text;
  const status = document.getElementById("status");
  if (text) {
    before ??= [...status.childNodes];
    say("").append(...parts);
  } else if (before) {
    status.replaceChildren(...before);
    before = null;
  }
}
function sentence(ship, why) {
  const berth = form().querySelector(`.berth[data-length="${ship.length}"] .berth-name`);
  if (!berth || why === form().dataset.none) return [why];
  const [name, cell] = [berth.firstChild.data.trim(), called(cellAt(ship.x, ship.y))];
  return filled(form().dataset.words, { "%(ship)s": name, "%(cell)s": cell, "%(reason)s": why });
}
function forgetWarning() { // the status line has changed
  before = null;
  warned = "";
}
function clearAll() {
  clear();
  warn();
}

function preview(cell) {
  if (pointer.current()?.event) return;
  clear();
  const isFree = cell && (cell.dataset.state !== "ship" || mode() === "keys");
  if (!isFree || !inHand() || mode() === "cells") { warn(); return; }
  const ship = slidIn({ ...place(cell.dataset.cell), isDown: isDown(), length: inHand() });
  show(ship, near(ship));
}

// --- submitting: by a click on a button, since htmx sends the button that was clicked ---

// If a player places cell by cell, a cell's button can't stand for a ship, so the form lists the ship.
function list(ship) {
  const input = document.createElement("input");
  input.type = "hidden";
  input.name = "ship";
  input.value = `${cellAt(ship.x, ship.y).dataset.cell}${ship.isDown ? "v" : "h"}${ship.length}`;
  form().append(input);
  submitWith("action", "keep");
  input.remove();
}
function press(ship) {
  const pick = form().querySelector(`input[name=pick][value="${ship.length}"]`);
  pick.disabled = false;
  pick.checked = true;
  form().elements.direction.value = ship.isDown ? "v" : "h";
  cellAt(ship.x, ship.y).querySelector("button").click();
}
function submitWith(field, value) {
  const button = document.createElement("button");
  button.name = field;
  button.value = value;
  button.hidden = true;
  form().append(button);
  button.click();
  button.remove();
}
// Sends the form without a ship that is moved. If that fails, the ship is still there.
function without(input, send) {
  if (input) input.disabled = true;
  send();
  if (input) input.disabled = false;
}

// --- pointers: drag a ship from the harbour or from the board, or draw one on free cells with the mouse ---

function under(event) {
  const box = hulls().getBoundingClientRect();
  return {
    x: Math.floor(((event.clientX - box.left) / box.width) * columns()),
    y: Math.floor(((event.clientY - box.top) / box.height) * rows()),
  };
}

function grab(event) {
  if (!form()) return null;
  const berth = event.target.closest("form.placing .berth:not(.is-empty)");
  const cell = hovered(event);
  if (berth) {
    const boxes = [...berth.querySelectorAll(".berth-ship")].map((it) => it.getBoundingClientRect());
    const box = boxes.find((it) => event.clientX <= it.right) ?? boxes[0];
    const length = Number(berth.dataset.length);
    const grip = Math.floor(((event.clientX - box.left) / box.width) * length);
    return { length, isDown: isDown(), grip: Math.min(Math.max(grip, 0), length - 1) };
  }
  if (cell?.dataset.state === "ship") {
    const at = place(cell.dataset.cell);
    const { input, x, y, length, isDown: lies } = shipOn(ships(), at);
    return { length, isDown: lies, input, grip: at.x - x + at.y - y };
  }
  return cell && event.pointerType !== "touch" ? { first: place(cell.dataset.cell) } : null;
}

function drawnShip({ first, event }) {
  const at = under(event);
  const dx = Math.min(Math.max(at.x, 0), columns() - 1) - first.x;
  const dy = Math.min(Math.max(at.y, 0), rows() - 1) - first.y;
  const down = Math.abs(dy) > Math.abs(dx);
  const far = down ? dy : dx;
  const length = Math.min(Math.abs(far) + 1, LONGEST);
  const back = far < 0 ? length - 1 : 0;
  const ship = { x: first.x - (down ? 0 : back), y: first.y - (down ? back : 0), isDown: down, length };
  return { ship, why: left(length) ? near(ship) : form().dataset.none };
}
function carriedShip({ length, isDown: down, grip, input, event }) {
  const { x, y } = under(event);
  const reach = 1; // a cell beyond the edge counts, too, and the ship slides in
  if (x < -reach || y < -reach || x >= columns() + reach || y >= rows() + reach) return null;
  const ship = slidIn({ x: x - (down ? 0 : grip), y: y - (down ? grip : 0), isDown: down, length });
  return { ship, why: near(ship, input) };
}

function start({ input }) {
  document.body.classList.add("is-dragging");
  ships().find((ship) => input && ship.input === input)?.element.classList.add("is-lifted");
}
function move(drag) {
  drag.target = drag.first ? drawnShip(drag) : carriedShip(drag);
  if (drag.target) show(drag.target.ship, drag.target.why);
  else clearAll();
}
function end() {
  document.body.classList.remove("is-dragging");
  document.querySelectorAll(".is-lifted").forEach((hull) => hull.classList.remove("is-lifted"));
}
function drop({ target, input, first }) {
  end();
  if (first && target.ship.length === 1) { clearAll(); return false; } // a click with a trembling hand
  if (target && !target.why) {
    // the ghost stays until the answer is drawn
    without(input, () => (mode() === "cells" ? list : press)(target.ship));
  } else if (target) {
    clear();
    forgetWarning(); // the ship and the reason stay
  } else if (input) {
    without(input, () => submitWith("action", "keep")); // dropped beside the board, so back to the harbour
  }
  return true;
}
function cancel() {
  clearAll();
  end();
}
const pointer = onDrag({ grab, start, move, drop, cancel });

document.addEventListener("pointerover", (event) => {
  if (!form() || event.pointerType !== "mouse" || event.buttons) return;
  // In the mode for keys, a ship is always in hand, wherever the mouse rests.
  preview(hovered(event) || (mode() === "keys" ? focused() : null));
});
document.addEventListener("focusin", (event) => {
  if (form() && event.target.matches(":focus-visible")) preview(hovered(event));
});
document.addEventListener("change", (event) => { if (form()?.contains(event.target)) clearAll(); });

// --- keys ---

// In the mode for keys, the ship in hand is on the board from the start. Arrow keys move it within the board.
const arrows = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
let placed = -1;

function isInside(ship) {
  const slid = slidIn(ship);
  return slid.x === ship.x && slid.y === ship.y;
}
function steered() {
  const cell = focused();
  return mode() === "keys" && inHand() && cell &&
    { ...place(cell.dataset.cell), isDown: isDown(), length: inHand() };
}
function launch() {
  if (!form() || mode() !== "keys") return;
  const were = placed;
  placed = ships().length;
  if (were !== placed && inHand()) cellAt(0, 0).querySelector("button").focus({ preventScroll: true });
  preview(focused());
}

// A key only sets the ship in hand down. Only a finger or the mouse takes another one back.
document.addEventListener("click", (event) => {
  if (event.detail || !form() || hovered(event)?.dataset.state !== "ship" || !steered()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  show(steered(), form().dataset.near);
}, true);

document.addEventListener("keydown", (event) => {
  const step = arrows[event.key];
  const ship = step && form() && !event.ctrlKey && steered();
  if (!ship || isInside({ ...ship, x: ship.x + step[0], y: ship.y + step[1] })) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

document.addEventListener("keydown", (event) => {
  if (!form() || typedKey(event) !== "r") return;
  const drag = pointer.current();
  if (drag?.event && !drag.first) {
    drag.isDown = !drag.isDown;
    move(drag);
    return;
  }
  const cell = focused();
  if (cell?.dataset.state === "ship" && !steered()) { submitWith("turn", cell.dataset.cell); return; }
  if (!form().contains(document.activeElement) && document.activeElement !== document.body) return;
  const ship = steered();
  if (ship && !isInside({ ...ship, isDown: !ship.isDown })) return;
  form().elements.direction.value = isDown() ? "h" : "v";
  preview(cell);
});

// Esc lets go of a ship that is dragged, shown or chosen cell by cell; the mode for keys keeps its ship.
onEscape(() => {
  if (!form()) return false;
  const isShown = mode() !== "keys" && form().querySelector(".is-ghost");
  const isTried = form().querySelector(".is-tried");
  if (pointer.current()) pointer.stop();
  else if (isShown) clearAll();
  else if (isTried) document.getElementById("act-undo").click();
  else return false;
  return true;
});

document.addEventListener("htmx:afterSettle", () => { forgetWarning(); launch(); });
for (const failure of ["htmx:sendError", "htmx:responseError"]) {
  document.addEventListener(failure, () => { if (form()) clear(); });
}
launch();
