// Moving a ship by choosing it and then a cell, by drag, and by keys: each presses one of its arrows.
(() => {
  "use strict";

  const THRESHOLD = 6; // pixels that tell a drag from a tap
  let drag = null;
  let swallow = false; // the click that follows a drag

  const waters = () => document.querySelector("[data-phase=moving] .steering [data-board]");
  const arrows = () => [...(waters()?.querySelectorAll(".steer") ?? [])];
  const idOf = (arrow) => arrow.value.split("-")[0];
  const arrowsOf = (ship) => arrows().filter((arrow) => idOf(arrow) === ship.id);

  function shape(svg) {
    const number = (what) => Number(new RegExp(` ${what}(\\d+)`).exec(svg.getAttribute("class"))[1]);
    return { svg, id: svg.dataset.hull, x: number("x"), y: number("y"), length: number("len"),
             isDown: svg.classList.contains("is-down") };
  }
  function shipOn(cell) {
    const x = cell.dataset.cell.charCodeAt(0) - 65;
    const y = parseInt(cell.dataset.cell.slice(1), 10) - 1;
    return [...waters().querySelectorAll("[data-hull]:not(.is-sunk)")].map(shape).find((ship) => {
      const [along, across] = ship.isDown ? [y - ship.y, x - ship.x] : [x - ship.x, y - ship.y];
      return across === 0 && along >= 0 && along < ship.length;
    });
  }

  // --- choosing a ship ---

  function pick(ship) {
    waters().querySelectorAll(".is-picked, .is-goal").forEach((it) => it.classList.remove("is-picked", "is-goal"));
    waters().classList.toggle("has-picked", Boolean(ship));
    if (!ship) return;
    ship.svg.classList.add("is-picked");
    for (const arrow of arrowsOf(ship)) arrow.classList.add("is-goal");
  }

  function choose(cell) {
    const { choose: request, hit, hemmed } = document.getElementById("steering-words").dataset;
    const ship = shipOn(cell);
    if (!ship) { pick(null); return; }
    const [arrow] = arrowsOf(ship);
    pick(arrow && ship);
    if (!arrow) { window.battle.say(ship.svg.classList.contains("is-hit") ? hit : hemmed); return; }
    const [name] = arrow.getAttribute("aria-label").split(":");
    document.getElementById("status").textContent = `${name}: ${request}`;
    stop(arrow);
  }

  // --- drag: a ship follows the pointer along its line, as far as it may go ---

  document.addEventListener("pointerdown", (event) => {
    const cell = event.button === 0 && event.target.closest("td[data-cell]");
    if (!cell || !waters()?.contains(cell) || event.target.closest(".steer")) return;
    const ship = shipOn(cell);
    if (ship && arrowsOf(ship).length) {
      drag = { ship, id: event.pointerId, x: event.clientX, y: event.clientY,
               size: cell.getBoundingClientRect().width, far: 0, moved: false };
    }
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { ship, size } = drag;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(dx, dy) < THRESHOLD) return;
    if (!drag.moved) pick(ship);
    drag.moved = true;
    event.preventDefault();
    const ways = arrowsOf(ship).map((arrow) => arrow.value.split("-")[1]);
    const far = (ship.isDown ? dy : dx) / size;
    drag.far = Math.min(Math.max(far, ways.includes("fore") ? -1 : 0), ways.includes("aft") ? 1 : 0);
    ship.svg.style.translate = ship.isDown ? `0 ${drag.far * size}px` : `${drag.far * size}px 0`;
  });
  document.addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { ship, far, moved } = drag;
    drag = null;
    if (!moved) return;
    const way = far < 0 ? "fore" : "aft";
    if (Math.abs(far) < 0.5) ship.svg.style.translate = "";
    else arrowsOf(ship).find((arrow) => arrow.value.endsWith(way)).click();
    swallow = true; // the browser's own click comes next
    setTimeout(() => { swallow = false; }, 50);
  });
  document.addEventListener("pointercancel", () => {
    if (drag) drag.ship.svg.style.translate = "";
    drag = null;
  });
  document.addEventListener("htmx:sendError", () => {
    for (const svg of document.querySelectorAll("[data-hull]")) svg.style.translate = "";
  });

  document.addEventListener("click", (event) => {
    const cell = waters() && event.target.closest("td[data-cell]");
    if (!cell || !waters().contains(cell) || event.target.closest(".steer")) return;
    if (!swallow) choose(cell);
    swallow = false;
  });

  // --- keys: one stop of the tab key for all arrows, and the ship of the one in focus is chosen ---

  function stop(chosen) {
    for (const arrow of arrows()) arrow.tabIndex = arrow === chosen ? 0 : -1;
  }
  function prepare() {
    stop(arrows()[0]);
  }
  document.addEventListener("focusin", (event) => {
    if (!waters() || !event.target.matches(".steer")) return;
    stop(event.target);
    pick(shape(waters().querySelector(`[data-hull="${idOf(event.target)}"]`)));
  });
  const steps = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Home: -99, End: 99 };
  document.addEventListener("keydown", (event) => {
    if (!waters() || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") pick(null);
    const step = event.target.matches(".steer") && steps[event.key];
    if (!step) return;
    event.preventDefault();
    const all = arrows();
    all[Math.min(Math.max(all.indexOf(event.target) + step, 0), all.length - 1)].focus();
  });

  document.addEventListener("htmx:afterSettle", prepare);
  prepare();
})();
