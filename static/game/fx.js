// Effects and sounds of the last shots, and the aim. The page is complete without them.
import { place, shipOf, shipOn } from "./boards.js";
import { onEscape } from "./escape.js";

const root = document.documentElement;
const stillness = matchMedia("(prefers-reduced-motion: reduce)");
// The length of a beat: 1 at normal speed, 0 if nothing may move.
const beat = () => (stillness.matches ? 0 : Number(getComputedStyle(root).getPropertyValue("--beat")));

// --- sound and touch ---

const sounds = () => import("./sound.js");
const hear = (cue, loud) => root.dataset.sound === "on" && sounds().then(({ play }) => play(cue, loud));
const feel = (result) => root.dataset.haptics === "on" && sounds().then(({ shake }) => shake(result));
if ([root.dataset.sound, root.dataset.haptics].includes("on")) sounds(); // so that the first shot does not wait

// --- motion: a piece is an element that moves by transform and opacity, and is removed at the end ---

const around = (count) => Array.from({ length: count }, (_, i) => 0.25 + (i * 2 * Math.PI) / count);

function layer() {
  const found = document.querySelector(".fx");
  if (found) return found;
  const made = Object.assign(document.createElement("div"), { className: "fx", ariaHidden: "true" });
  document.body.append(made);
  return made;
}

// Sizes and distances are in cells, times in milliseconds at normal speed. A step has across, down, scale,
// opacity, degrees, and its time from 0 to 1.
function piece(look, { x, y, cell }, size, steps, lasts, { at = 0, easing = "ease-out" } = {}) {
  const it = Object.assign(document.createElement("i"), { className: `fx-${look}` });
  it.style.width = it.style.height = `${size * cell}px`;
  layer().append(it);
  const frames = steps.map(([across, down, scale, opacity, degrees = 0, offset = null]) => ({
    transform: `translate(${x + (across - size / 2) * cell}px, ${y + (down - size / 2) * cell}px) `
      + `rotate(${degrees}deg) scale(${scale})`,
    opacity,
    offset,
  }));
  const timing = { duration: lasts * beat(), delay: at * beat(), easing, fill: "backwards" };
  it.animate(frames, timing).finished.then(() => it.remove());
  return it;
}

function fly({ x, y, cell }, isOwn) {
  const [across, down] = [(innerWidth / 2 - x) / cell, ((isOwn ? 0 : innerHeight) - y) / cell];
  const high = Math.min(160 / cell, 1 + Math.hypot(across, down) / 4);
  const times = [0, 0.25, 0.5, 0.75, 1];
  const shade = times.map((t) => [across * (1 - t), down * (1 - t), 0.8, 0.35]);
  const shell = times.map((t) => {
    const rise = 4 * t * (1 - t);
    return [across * (1 - t), down * (1 - t) - high * rise, 0.55 + 0.75 * rise, 1];
  });
  piece("shade", { x, y, cell }, 0.22, shade, SHELL, { easing: "linear" });
  piece("shell", { x, y, cell }, 0.26, shell, SHELL, { easing: "linear" });
}

function splash(at) {
  piece("jet", at, 1.15, [[0, 0, 0.2, 1], [0, -0.3, 1, 1, 0, 0.35], [0, 0, 0.9, 0]], 420);
  for (const i of [0, 1, 2]) piece("ring", at, 1.5, [[0, 0, 0.15, 0.9], [0, 0, 0.7 + i / 4, 0]], 460, { at: i * 90 });
  for (const angle of around(9)) {
    const [across, down] = [Math.cos(angle), Math.sin(angle)];
    piece("drop", at, 0.13, [
      [0, 0, 1, 1], [across * 0.55, down * 0.3 - 0.5, 1, 1, 0, 0.5], [across * 0.8, down * 0.4, 1, 0],
    ], 420);
  }
}

function burst(spot, at = 0) {
  piece("flash", spot, 1.9, [[0, 0, 0.2, 1], [0, 0, 0.9, 0.95, 0, 0.3], [0, 0, 1.1, 0]], 260, { at });
  for (const angle of around(8)) {
    const degrees = (angle * 180) / Math.PI;
    const end = [Math.cos(angle) * 0.95, Math.sin(angle) * 0.95, 0.3, 0, degrees + 90];
    piece("shard", spot, 0.3, [[0, 0, 1, 1, degrees], end], 400, { at: at + 40 });
  }
  for (const i of [0, 1, 2, 3]) {
    piece("puff", spot, 0.5 + i * 0.08, [
      [0, 0, 0.3, 0], [0.12 * i, -0.2 - 0.14 * i, 1, 0.7, 0, 0.3], [0.3 + 0.12 * i, -0.6 - 0.22 * i, 1.5, 0],
    ], 1100, { at: at + 90 + i * 70 });
  }
}

function middle(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2, cell: Math.min(width, height) };
}

// The ship appears, lists and goes under, and leaves foam. The player's own ship is visible before.
function sink({ svg, length, isDown }, at, isOwn) {
  const spot = middle(svg);
  const upright = isDown ? 90 : 0;
  const picture = svg.cloneNode(true);
  picture.removeAttribute("class");
  picture.querySelector(".danger").remove();
  piece("hull", spot, length, [
    [0, 0, 1, isOwn ? 1 : 0, upright], [0, 0, 1, 1, upright, 0.15], [0, 0, 1, 1, upright - 6, 0.45],
    [0, 0.1, 0.9, 0, upright - 9],
  ], 900, { at, easing: "ease-in" }).append(picture);
  const foam = [[0, 0, 0.2, 0], [0, 0, 0.4, 0.8, 0, 0.2], [0, 0, 1, 0]];
  along(spot, length, isDown).forEach((cell, i) => {
    for (const j of [0, 1]) piece("ring", cell, 1.3, foam, 600, { at: at + 220 + i * 70 + j * 130 });
  });
}

const along = ({ x, y, cell }, length, isDown) => Array.from({ length }, (_, i) => {
  const far = (i - (length - 1) / 2) * cell;
  return isDown ? { x, y: y + far, cell } : { x: x + far, y, cell };
});

// --- the shots of the last answer ---

const [SHELL, SPACE, CHAIN] = [320, 620, 250];
const SPLASH = 460, SINKING = 1100, EACH = 110;

let timers = [];
let until = 0; // when the end of a match is shown
let isPressOnMotion = false;
const later = (wait, action) => timers.push(setTimeout(action, wait));
function hurry() {
  timers.forEach(clearTimeout);
  timers = [];
}
for (const input of ["pointerdown", "keydown"]) addEventListener(input, hurry, true);
const isOnOwn = (it) => Boolean(it?.closest?.(".own"));
// A press that ends the last effects of a match was not meant for what appears under it, nor for the next match.
// A press on the player's own sheet, in front until the shots have been shown, was not meant for the cell below.
addEventListener("pointerdown", ({ timeStamp, target, clientX, clientY }) => {
  isPressOnMotion = timeStamp < until || (isOnOwn(target) && !isOnOwn(document.elementFromPoint(clientX, clientY)));
  until = 0;
}, true);
addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.timeStamp < until) event.preventDefault();
  until = 0;
}, true);
addEventListener("click", (event) => {
  if (!isPressOnMotion) return;
  isPressOnMotion = false;
  event.preventDefault();
  event.stopPropagation();
}, true);

function read(game) {
  // At the end of a search alone, data-shots is the number of shots.
  const told = game.matches(".is-solo[data-phase=over]") ? game.dataset.lastShots : game.dataset.shots;
  const shots = (told ?? "").split(" ").filter(Boolean).map((text) => {
    const [board, name, result] = text.split(":");
    return { board, name, result, isOwn: board === "own" };
  });
  let at = 0;
  for (const shot of shots) {
    const count = shots.filter(({ board }) => board === shot.board).length;
    const hulls = [...game.querySelectorAll(`[data-board=${shot.board}] .hull.is-fresh`)];
    shot.at = at;
    shot.ship = shot.result === "sunk" && shipOn(hulls.map(shipOf), place(shot.name));
    at += count > 4 ? CHAIN : SPACE;
  }
  return shots;
}

function land(game, { board, name, result, isOwn, ship }, isLast, isMoving) {
  hear(result, isOwn ? 0.5 : 1);
  if (!isOwn) feel(game.dataset.you);
  if (!isMoving) return;
  const spot = middle(game.querySelector(`[data-board=${board}] [data-cell=${name}]`));
  if (result === "water") splash(spot);
  else burst(spot);
  if (isLast) along(middle(ship.svg), ship.length, ship.isDown).forEach((cell, i) => burst(cell, 120 + i * EACH));
}

let ticked = "";
let poses = [];

function show(game) {
  const shots = read(game);
  const final = shots.at(-1);
  if (!final) return;
  const { outcome, reason, turn } = game.dataset;
  const isMoving = beat() > 0;
  const tempo = beat() || 0.5; // without motion, too, sounds must not overlap
  const isFinale = reason === "all-sunk" && Boolean(final.ship);
  const flight = isMoving ? SHELL : 0;
  for (const shot of shots) {
    if (isMoving) {
      later(shot.at * tempo, () => {
        fly(middle(game.querySelector(`[data-board=${shot.board}] [data-cell=${shot.name}]`)), shot.isOwn);
        hear("fire", shot.isOwn ? 0.5 : 1);
      });
      if (shot.ship) sink(shot.ship, shot.at + SHELL + 200, shot.isOwn);
    }
    later((shot.at + flight) * tempo, () => land(game, shot, isFinale && shot === final, isMoving));
  }
  const tail = flight + (final.ship ? SINKING : SPLASH) + (isFinale ? final.ship.length * EACH : 0);
  const end = (final.at + tail) * tempo;
  const cue = { won: "won", lost: "lost" }[outcome];
  if (cue) later(end, () => hear(cue));
  if (game.querySelector(".is-countdown") && turn !== ticked) later(end, () => hear("tick"));
  ticked = turn;
  if (isMoving) stage(game, shots, end);
}

// Wrecks appear when their ship has gone under. Sheets and the result card move after all shots.
function stage(game, shots, end) {
  for (const { effect } of game.getAnimations({ subtree: true })) {
    const { target } = effect;
    const shot = shots.find(({ ship }) => ship && ship.svg === target);
    if (shot) effect.updateTiming({ delay: (shot.at + 650) * beat() });
    else if (target.matches(".result-card, .own")) effect.updateTiming({ delay: end + effect.getTiming().delay });
  }
  if (game.dataset.phase !== "over") return;
  parade(game, end);
  until = performance.now() + end;
}

// From where the sheets lay before the answer to where they lie at the end.
function parade(game, wait) {
  for (const [kind, before] of poses) {
    const sheet = game.querySelector(`.sheet.${kind}`);
    const now = sheet.getBoundingClientRect();
    const { transform } = getComputedStyle(sheet);
    const { e, f } = new DOMMatrix(transform);
    const from = `translate(${before.x - now.x + e}px, ${before.y - now.y + f}px) `
      + `scale(${before.width / sheet.offsetWidth})`;
    sheet.animate([{ transform: from }, { transform }], {
      duration: 700 * beat(), delay: wait, easing: "cubic-bezier(0.3, 0.7, 0.2, 1)", fill: "backwards",
    });
  }
}

document.addEventListener("htmx:beforeSwap", () => {
  poses = ["enemy", "own"].map((kind) => [kind, document.querySelector(`#game .sheet.${kind}`)])
    .flatMap(([kind, sheet]) => (sheet ? [[kind, sheet.getBoundingClientRect()]] : []));
});
// An answer swaps several parts, and the game is one of them.
document.addEventListener("htmx:afterSettle", ({ target }) => {
  if (target.id !== "game") return;
  offer();
  show(target);
});

// --- the offer of sound, which needs a script ---

const chip = () => document.getElementById("act-sound");
function offer() {
  if (chip()) chip().hidden = false;
}
document.addEventListener("click", ({ target }) => {
  if (!target.closest?.("#act-sound")) return;
  root.dataset.sound = "on";
  hear("hit");
  chip().hidden = true;
  document.querySelector("#game .phase").focus({ preventScroll: true });
});
offer();

// --- the player's own sheet comes to the front: by a link, or here without loading the page ---

function lift(isUp) {
  document.getElementById("game").classList.toggle("lift", isUp);
  document.querySelector(isUp ? ".lower" : ".grab").focus({ preventScroll: true });
}
document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".grab, .lower");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  lift(link.matches(".grab"));
});
onEscape(() => {
  const isLifted = document.querySelector("[data-phase=firing].lift .lower")?.checkVisibility() ?? false;
  if (isLifted) lift(false);
  return isLifted;
});

// While it goes back, it takes no presses.
addEventListener("transitionstart", ({ target }) => {
  if (target.matches("#game:not(.lift) > .own")) target.classList.add("is-leaving");
});
for (const end of ["transitionend", "transitioncancel"]) {
  addEventListener(end, ({ target }) => target.classList.remove("is-leaving"));
}

// --- the aim: a ring and cross hairs over the cell that a press would fire at ---

function aim(event) {
  const { target } = event;
  if (event.type === "focusin" ? !target.matches?.(":focus-visible") : event.pointerType === "touch") return;
  const cell = target.closest?.(".firing button[name=cell]:not([aria-disabled])")?.parentNode;
  let cross = document.querySelector(".aim i");
  if (cell && !cross) {
    const drawn = Object.assign(document.createElement("div"), { className: "aim", ariaHidden: "true" });
    cross = document.createElement("i");
    drawn.append(cross);
    cell.closest(".board").append(drawn);
  }
  if (cross) cross.hidden = !cell;
  if (cell) Object.assign(cross.dataset, place(cell.dataset.cell));
}
addEventListener("pointerover", aim);
addEventListener("focusin", aim);
