// Moving a ship by choosing it and a cell, by drag, and by keys. Each presses one of its arrows.
import { onDrag, place, shipOf, shipOn } from "./boards.js";
import { onEscape } from "./escape.js";
import { say } from "./page.js";

const board = () => document.querySelector("[data-may-move] .steering [data-board]");
const arrows = () => [...(board()?.querySelectorAll(".steer") ?? [])];
const idOf = (arrow) => arrow.value.split("-")[0];
const arrowsOf = (ship) => arrows().filter((arrow) => idOf(arrow) === ship.id);

const shipOfArrow = (arrow) => shipOf(board().querySelector(`[data-hull="${idOf(arrow)}"]`));

function shipAt(cell) {
  const hulls = [...board().querySelectorAll("[data-hull]:not(.is-sunk)")];
  return shipOn(hulls.map(shipOf), place(cell.dataset.cell));
}

// The cell of the own board that an event is about, or null if it is about an arrow.
function cellOf(event) {
  const cell = event.target.closest("td[data-cell]");
  return cell && board()?.contains(cell) && !event.target.closest(".steer") ? cell : null;
}

// --- choosing a ship ---

function pick(ship) {
  board().querySelectorAll(".is-picked, .is-goal").forEach((it) => it.classList.remove("is-picked", "is-goal"));
  board().classList.toggle("has-picked", Boolean(ship));
  if (!ship) return;
  ship.element.classList.add("is-picked");
  for (const arrow of arrowsOf(ship)) arrow.classList.add("is-goal");
}

function choose(cell) {
  const { choose: request, hit, hemmed } = document.getElementById("steering-words").dataset;
  const ship = shipAt(cell);
  if (!ship) { pick(null); return; }
  const [arrow] = arrowsOf(ship);
  pick(arrow && ship);
  if (!arrow) { say(ship.element.classList.contains("is-hit") ? hit : hemmed); return; }
  const name = arrow.getAttribute("aria-label").replace(/:[^:]*$/, "");
  document.getElementById("status").textContent = `${name}: ${request}`;
  stopAt(arrow);
}
document.addEventListener("click", (event) => {
  const cell = cellOf(event);
  if (cell) choose(cell);
});

// --- drag: a ship follows the pointer along its line, as far as it may go ---

const pointer = onDrag({
  grab({ target }) {
    const cell = target.closest("td[data-cell]");
    if (!cell || !board()?.contains(cell)) return null;
    const arrow = target.closest(".steer"); // browsers move a finger's press to a button close by
    const ship = arrow ? shipOfArrow(arrow) : shipAt(cell);
    return ship && arrowsOf(ship).length ? { ship, size: cell.getBoundingClientRect().width, far: 0 } : null;
  },
  start: ({ ship }) => pick(ship),
  move(drag) {
    const { ship, size, event, from: [x, y] } = drag;
    const ways = arrowsOf(ship).map((arrow) => arrow.value.split("-")[1]);
    const far = (ship.isDown ? event.clientY - y : event.clientX - x) / size;
    drag.far = Math.min(Math.max(far, ways.includes("fore") ? -1 : 0), ways.includes("aft") ? 1 : 0);
    ship.element.style.setProperty(ship.isDown ? "--y" : "--x", (ship.isDown ? ship.y : ship.x) + drag.far);
  },
  drop({ ship, far }) {
    const way = far < 0 ? "fore" : "aft";
    if (Math.abs(far) < 0.5) ship.element.removeAttribute("style");
    else arrowsOf(ship).find((arrow) => arrow.value.endsWith(way)).click();
  },
  cancel({ ship }) { ship.element.removeAttribute("style"); },
});
document.addEventListener("htmx:sendError", () => {
  for (const element of document.querySelectorAll("[data-hull][style]")) element.removeAttribute("style");
});

// --- keys: one stop of the tab key for all arrows, and the ship of the one in focus is chosen ---

function stopAt(chosen) {
  for (const arrow of arrows()) arrow.tabIndex = arrow === chosen ? 0 : -1;
}
document.addEventListener("focusin", (event) => {
  if (!board() || !event.target.matches(".steer")) return;
  stopAt(event.target);
  if (event.target.matches(":focus-visible")) pick(shipOfArrow(event.target));
});
const steps = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Home: -99, End: 99 };
document.addEventListener("keydown", (event) => {
  if (!board() || event.ctrlKey || event.altKey || event.metaKey) return;
  const step = event.target.matches(".steer") && steps[event.key];
  if (!step) return;
  event.preventDefault();
  const all = arrows();
  all[Math.min(Math.max(all.indexOf(event.target) + step, 0), all.length - 1)].focus();
});

// Esc lets go of a ship that is dragged or chosen.
onEscape(() => {
  if (!board()?.matches(".has-picked") || document.activeElement.matches(".steer")) return false;
  pointer.stop();
  pick(null);
  return true;
});

document.addEventListener("htmx:afterSettle", () => {
  const looks = ["has-picked", "is-picked", "is-goal"];
  for (const it of document.querySelectorAll(looks.map((look) => `.${look}`))) it.classList.remove(...looks);
  stopAt(arrows()[0]);
});
stopAt(arrows()[0]);
