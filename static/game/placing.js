// Placing by drag, by drawing and by keys. It changes the form and submits it: the server judges.
(() => {
  "use strict";

  const THRESHOLD = 6; // pixels that tell a drag from a tap
  let drag = null;
  let swallow = false; // the click that follows a drag

  const form = () => document.querySelector("form.placing");
  const hulls = () => form().querySelector(".hulls");
  const board = () => form().querySelector("[data-board]");
  const cells = () => [...form().querySelectorAll("[data-cell]")];
  const columns = () => form().querySelectorAll("thead th").length;
  const rows = () => cells().length / columns();
  const isDown = () => form().elements.direction.value === "v";
  const name = (x, y) => cells()[y * columns() + x].dataset.cell;
  const place = (text) => ({ x: text.charCodeAt(0) - 65, y: parseInt(text.slice(1), 10) - 1 });

  function ships() {
    return [...form().querySelectorAll("input[name=ship]")].map((input) => {
      const [, cell, way, length] = /^([A-Z]\d+)([hv])(\d)$/.exec(input.value);
      return { input, ...place(cell), down: way === "v", length: Number(length) };
    });
  }
  const covered = (ship) =>
    Array.from({ length: ship.length }, (_, i) => [ship.x + (ship.down ? 0 : i), ship.y + (ship.down ? i : 0)]);
  const shipAt = (x, y) => ships().find((ship) => covered(ship).some(([a, b]) => a === x && b === y));

  function slidIn(ship) {
    const x = Math.min(Math.max(ship.x, 0), columns() - (ship.down ? 1 : ship.length));
    const y = Math.min(Math.max(ship.y, 0), rows() - (ship.down ? ship.length : 1));
    return { ...ship, x, y };
  }
  function fits(ship, except) {
    const reach = form().dataset.touching === "yes" ? 0 : 1;
    return ship.x >= 0 && ship.y >= 0 && ships().every((other) => other.input === except ||
      covered(other).every(([a, b]) => covered(ship).every(([c, d]) =>
        Math.max(Math.abs(a - c), Math.abs(b - d)) > reach)));
  }
  const near = (ship, except) => (fits(ship, except) ? "" : form().dataset.near);
  const left = (length) =>
    Boolean(form().querySelector(`.berth[data-length="${length}"]:not(.is-empty)`));

  // --- the ghost: where the ship would lie ---

  function clear() {
    document.querySelectorAll(".is-ghost").forEach((ghost) => ghost.remove());
    document.querySelectorAll(".is-under, .is-under-illegal").forEach((cell) =>
      cell.classList.remove("is-under", "is-under-illegal"));
  }
  function show(ship, why) {
    const legal = !why;
    clear();
    warn(ship, why);
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `#ship-${ship.length}`);
    svg.append(use);
    svg.setAttribute("viewBox", `0 0 ${ship.length}0 10`);
    svg.setAttribute("class", `hull is-ghost len${ship.length} x${ship.x} y${ship.y}` +
      (ship.down ? " is-down" : "") + (legal ? "" : " is-illegal"));
    hulls().append(svg);
    for (const [x, y] of covered(ship)) {
      cells()[y * columns() + x]?.classList.add(legal ? "is-under" : "is-under-illegal");
    }
  }

  // --- why a ship can't lie where it would: said before it is set down ---

  let before = null; // what the status line said until then
  let warned = "";
  function warn(ship, why) {
    const status = document.getElementById("status");
    const text = why ? sentence(ship, why) : "";
    if (text === warned) return;
    warned = text;
    if (text) {
      before ??= [...status.childNodes];
      window.battle.say(text);
    } else if (before) {
      status.replaceChildren(...before);
      before = null;
    }
  }
  function sentence(ship, why) {
    const berth = form().querySelector(`.berth[data-length="${ship.length}"] .berth-name`);
    if (!berth || why === form().dataset.none) return why;
    return form().dataset.words.replace("%(ship)s", berth.firstChild.data.trim())
      .replace("%(cell)s", name(ship.x, ship.y)).replace("%(reason)s", why);
  }
  function heard() { // the status line says something else now
    before = null;
    warned = "";
  }

  function inHand() {
    const picked = form().querySelector("input[name=pick]:checked:not(:disabled)");
    return picked ? Number(picked.value) : 0;
  }
  function preview(cell) {
    if (drag?.moved) return;
    clear();
    const isFree = cell && (cell.dataset.state !== "ship" || mode() === "keys");
    if (!isFree || !inHand() || mode() === "cells") { warn(); return; }
    const ship = slidIn({ ...place(cell.dataset.cell), down: isDown(), length: inHand() });
    show(ship, near(ship));
  }
  const hovered = (event) => event.target.closest?.("form.placing [data-cell]");

  // --- submitting: by a click on a button, since htmx sends the button that was clicked ---

  const mode = () => form().dataset.mode;

  // Where single cells are chosen, a cell's button can't stand for a ship: the ship is listed.
  function list(ship, except) {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = "ship";
    input.value = `${name(ship.x, ship.y)}${ship.down ? "v" : "h"}${ship.length}`;
    if (except) except.disabled = true;
    form().append(input);
    submitWith("action", "keep");
    input.remove();
    if (except) except.disabled = false;
  }

  function submit(ship, except) {
    if (mode() === "cells") { list(ship, except); return; }
    if (except) except.disabled = true;
    const pick = form().querySelector(`input[name=pick][value="${ship.length}"]`);
    pick.disabled = false;
    pick.checked = true;
    form().elements.direction.value = ship.down ? "v" : "h";
    document.getElementById(`own-${name(ship.x, ship.y)}`).click();
    if (except) except.disabled = false; // sent without it; where that fails, it is still there
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

  // --- pointers ---

  function under(event, clamped) {
    const box = hulls().getBoundingClientRect();
    const x = Math.floor(((event.clientX - box.left) / box.width) * columns());
    const y = Math.floor(((event.clientY - box.top) / box.height) * rows());
    const inside = x >= 0 && y >= 0 && x < columns() && y < rows();
    if (inside || !clamped) return { x, y, inside };
    return { x: Math.min(Math.max(x, 0), columns() - 1), y: Math.min(Math.max(y, 0), rows() - 1), inside };
  }

  document.addEventListener("pointerdown", (event) => {
    if (!form() || event.button !== 0) return;
    const berth = event.target.closest("form.placing .berth:not(.is-empty)");
    const cell = hovered(event);
    const start = { x: event.clientX, y: event.clientY, id: event.pointerId, moved: false };
    if (berth) {
      const box = berth.querySelector(".berth-ship").getBoundingClientRect();
      const length = Number(berth.dataset.length);
      const grip = Math.floor(((event.clientX - box.left) / box.width) * length);
      drag = { ...start, kind: "ship", length, down: isDown(), grip: Math.min(Math.max(grip, 0), length - 1) };
    } else if (cell?.dataset.state === "ship") {
      const at = place(cell.dataset.cell);
      const ship = shipAt(at.x, at.y);
      drag = { ...start, kind: "ship", length: ship.length, down: ship.down, except: ship.input,
               grip: at.x - ship.x + at.y - ship.y };
    } else if (cell && event.pointerType !== "touch") {
      drag = { ...start, kind: "draw", from: place(cell.dataset.cell) };
    }
  });

  function aim(event) {
    if (drag.kind === "draw") {
      const to = under(event, true);
      const [dx, dy] = [to.x - drag.from.x, to.y - drag.from.y];
      const down = Math.abs(dy) > Math.abs(dx);
      const length = Math.min(Math.abs(down ? dy : dx) + 1, 8);
      const back = (down ? dy : dx) < 0 ? length - 1 : 0;
      const ship = { x: drag.from.x - (down ? 0 : back), y: drag.from.y - (down ? back : 0), down, length };
      return { ship, why: left(length) ? near(ship) : form().dataset.none };
    }
    const at = under(event, false);
    const reach = 1; // a cell beyond the edge still counts: the ship slides in
    if (at.x < -reach || at.y < -reach || at.x >= columns() + reach || at.y >= rows() + reach) return null;
    const ship = slidIn({ x: at.x - (drag.down ? 0 : drag.grip), y: at.y - (drag.down ? drag.grip : 0),
                          down: drag.down, length: drag.length });
    return { ship, why: near(ship, drag.except) };
  }

  function follow(event) {
    drag.lastEvent = event;
    drag.target = aim(event);
    if (drag.target) { show(drag.target.ship, drag.target.why); return; }
    clear();
    warn();
  }

  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.moved) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < THRESHOLD) return;
      drag.moved = true;
      document.body.classList.add("is-dragging");
      const index = drag.except ? ships().findIndex((ship) => ship.input === drag.except) : -1;
      hulls().querySelector(`[data-hull="${index}"]`)?.classList.add("is-lifted");
    }
    event.preventDefault();
    follow(event);
  });

  function end() {
    document.body.classList.remove("is-dragging");
    document.querySelectorAll(".is-lifted").forEach((hull) => hull.classList.remove("is-lifted"));
    drag = null;
  }

  document.addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { moved, target, except } = drag;
    if (!moved) { drag = null; return; }
    if (drag.kind === "draw" && target.ship.length === 1) { clear(); warn(); end(); return; } // a trembling click
    end();
    if (target && !target.why) {
      submit(target.ship, except); // the ghost stays until the answer is drawn
    } else if (target) {
      clear();
      heard(); // it stays where it was, and so does the reason
    } else if (except) {
      except.disabled = true; // dropped beside the board: back to the harbour
      submitWith("action", "keep");
      except.disabled = false;
    }
    swallow = true; // the browser's own click comes next
    setTimeout(() => { swallow = false; }, 50);
  });
  document.addEventListener("pointercancel", () => { if (drag) { clear(); warn(); end(); } });
  document.addEventListener("click", (event) => {
    if (!swallow) return;
    swallow = false;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  document.addEventListener("dragstart", (event) => { if (drag) event.preventDefault(); });

  // --- looking and keys ---

  document.addEventListener("pointerover", (event) => {
    if (form() && event.pointerType === "mouse" && !event.buttons) preview(hovered(event));
  });
  document.addEventListener("focusin", (event) => {
    if (form() && event.target.matches(":focus-visible")) preview(hovered(event));
  });
  document.addEventListener("change", (event) => { if (form()?.contains(event.target)) { clear(); warn(); } });

  // Where ships are placed by keys alone, the ship in hand lies in the sea from the start, the arrows
  // move it, and it never leaves the board.
  const arrows = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  let placed = -1;

  function inside(ship) {
    const slid = slidIn(ship);
    return slid.x === ship.x && slid.y === ship.y;
  }
  function steered() {
    const cell = document.activeElement?.closest?.("form.placing [data-cell]");
    return mode() === "keys" && inHand() && cell &&
      { ...place(cell.dataset.cell), down: isDown(), length: inHand() };
  }
  function launch() {
    if (!form() || mode() !== "keys") return;
    const were = placed;
    placed = ships().length;
    if (were !== placed && inHand()) document.getElementById("own-A1")?.focus({ preventScroll: true });
    preview(document.activeElement?.closest?.("form.placing [data-cell]"));
  }
  document.addEventListener("htmx:afterSettle", () => { heard(); launch(); });

  // A key sets the ship in hand down, or nothing: only a finger or the mouse takes another back.
  document.addEventListener("click", (event) => {
    if (event.detail || !form() || hovered(event)?.dataset.state !== "ship" || !steered()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    show(steered(), form().dataset.near);
  }, true);

  document.addEventListener("keydown", (event) => {
    const step = arrows[event.key];
    const ship = step && form() && !event.ctrlKey && steered();
    if (!ship || inside({ ...ship, x: ship.x + step[0], y: ship.y + step[1] })) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);

  document.addEventListener("keydown", (event) => {
    if (!form() || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape" && drag) { clear(); warn(); end(); return; }
    if (event.key !== "r" && event.key !== "R") return;
    if (drag?.moved && drag.kind === "ship") {
      drag.down = !drag.down;
      follow(drag.lastEvent);
      return;
    }
    const cell = document.activeElement?.closest?.("form.placing [data-cell]");
    if (cell?.dataset.state === "ship" && !steered()) { submitWith("turn", cell.dataset.cell); return; }
    if (!form().contains(document.activeElement) && document.activeElement !== document.body) return;
    const ship = steered();
    if (ship && !inside({ ...ship, down: !ship.down })) return;
    form().elements.direction.value = isDown() ? "h" : "v";
    preview(cell);
  });

  document.addEventListener("htmx:afterRequest", () => { if (form()) clear(); });
  launch();
})();
