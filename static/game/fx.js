// Effects and sounds of the last shots, and the aim. The page is complete without them.
import { isOurs } from "./answers.js";
import { covered, place, shipOf, shipOn } from "./boards.js";
import { onEscape } from "./escape.js";
import { aimed, finishEffects } from "./site.js";

const root = document.documentElement;
const stillness = matchMedia("(prefers-reduced-motion: reduce)");
// The length of a beat: 1 at normal speed, 0 if nothing may move. It is read twice a shot, since that draws the page.
let beat = 0;
function readBeat() {
  beat = stillness.matches ? 0 : Number(getComputedStyle(root).getPropertyValue("--beat"));
  return beat;
}

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
  root.append(made); // within the body each piece would have its :has() selectors matched again
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
  const timing = { duration: lasts * beat, delay: at * beat, easing, fill: "backwards" };
  const motion = it.animate(frames, timing);
  motion.finished.then(() => it.remove());
  return motion;
}

// A shell and its shade fly until they are over the cell, and then the shell falls. Returns both motions.
function fly({ x, y, cell }, isOwn) {
  const [across, down] = [(innerWidth / 2 - x) / cell, ((isOwn ? 0 : innerHeight) - y) / cell];
  const high = Math.min(160 / cell, 1 + Math.hypot(across, down) / 4);
  const way = [0, 0.25, 0.5, 0.75, 1].map((t) => {
    const at = t * FALL;
    return [at, across * (1 - t), down * (1 - t), 4 * at * (1 - at)];
  });
  way.push([1, 0, 0, 0]);
  const shade = way.map(([t, a, d, rise]) => [a, d, 0.5 + rise / 2, 0.4, 0, t]);
  const shell = way.map(([t, a, d, rise]) => [a, d - high * rise, 0.55 + 0.75 * rise, 1, 0, t]);
  return [
    piece("shade", { x, y, cell }, 0.4, shade, SHELL, { easing: "linear" }),
    piece("shell", { x, y, cell }, 0.26, shell, SHELL, { easing: "linear" }),
  ];
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

// The ship burns, lists and goes under, and leaves foam. Its wreck lies beneath already.
function sink({ element, length, isDown }, spot) {
  const upright = isDown ? 90 : 0;
  const picture = element.querySelector("svg").cloneNode(true);
  picture.querySelector(".danger").remove();
  piece("hull", spot, length, [
    [0, 0, 1, 1, upright], [0, 0, 1, 1, upright, 0.3], [0, 0, 1, 1, upright - 6, 0.55], [0, 0.1, 0.9, 0, upright - 9],
  ], SINKING, { easing: "ease-in" }).effect.target.append(picture);
  const foam = [[0, 0, 0.2, 0], [0, 0, 0.4, 0.8, 0, 0.2], [0, 0, 1, 0]];
  along(spot, length, isDown).forEach((cell, i) => {
    for (const j of [0, 1]) piece("ring", cell, 1.3, foam, 600, { at: 400 + i * 70 + j * 130 });
  });
}

const along = ({ x, y, cell }, length, isDown) => Array.from({ length }, (_, i) => {
  const far = (i - (length - 1) / 2) * cell;
  return isDown ? { x, y: y + far, cell } : { x: x + far, y, cell };
});

// --- time ---

const [SHELL, SPACE, CHAIN] = [320, 620, 250];
const FALL = 0.75; // of the flight: from then on the shell is over the cell
const SPLASH = 460, SINKING = 1100, EACH = 110;

let timers = [];
let land = null; // shows the answer to a shot whose shell is still in the air
let hasFlown = false; // whether the shell of the shots that an answer tells has been seen
let until = 0; // when the end of a match is shown
let isPressOnMotion = false;
const later = (wait, action) => timers.push(setTimeout(action, wait));

// A press ends what is in motion.
function hurry() {
  land?.();
  timers.forEach(clearTimeout);
  timers = [];
  document.querySelectorAll(".is-due, .was-hit").forEach(uncover);
}
for (const input of ["pointerdown", "keydown"]) addEventListener(input, hurry, true);
// What ends the last effects of a match was not meant for what appears under it, nor for the next match.
addEventListener("pointerdown", ({ timeStamp }) => {
  isPressOnMotion = timeStamp < until;
  if (isPressOnMotion) finishEffects();
  until = 0;
}, true);
addEventListener("keydown", (event) => {
  if (event.timeStamp < until) {
    if (event.key === "Enter") event.preventDefault();
    finishEffects();
  }
  until = 0;
}, true);
addEventListener("click", (event) => {
  if (!isPressOnMotion) return;
  isPressOnMotion = false;
  event.preventDefault();
  event.stopPropagation();
}, true);

// --- the player's own shot: its shell leaves at the press, and the answer is shown when it lands ---

let pressed = 0; // when the last press was, from which the flight counts
addEventListener("click", ({ timeStamp }) => { pressed = timeStamp; }, true);
let work = 0; // how long the last answers took to show; the next one is begun earlier by that, while its shell falls

const cellOf = (name) => document.querySelector(`[data-board=enemy] [data-cell="${CSS.escape(name)}"]`);

// The cells that a press fires at: of a salvo all, once its last shot is aimed; none if the answer asks about a wreck.
function volley({ cell: name, wreck }) {
  const cell = cellOf(String(name).trim().toUpperCase());
  const left = Number(sheets().dataset.left || 1);
  if (left > 1 || !cell?.querySelector("[name=cell]:not([aria-disabled])")) return [];
  if (wreck === "ask" && cell.dataset.state === "sunk") return [];
  return [...document.querySelectorAll("[data-board=enemy] .is-aimed"), cell];
}

document.addEventListener("htmx:beforeSend", ({ detail: { xhr, elt, requestConfig } }) => {
  const cells = elt.matches(".firing, .typing:not(.is-named), .wreck") && readBeat() ? volley(requestConfig.parameters) : [];
  if (!cells.length) return;
  const [lasts, falls] = [SHELL * beat, SHELL * beat * (1 - FALL)];
  const now = performance.now();
  const since = Math.min(now - pressed, falls);
  const end = now - since + lasts;
  const motions = cells.flatMap((cell) => fly(middle(cell), false));
  for (const motion of motions) motion.currentTime = since;
  const showShells = (isShown) => motions.forEach(({ effect: { target } }) => {
    if (target.matches(".fx-shell")) target.hidden = !isShown;
  });
  hear("fire");
  // Without an answer in time the shades wait on their cells.
  let isLate = false;
  const waits = setTimeout(() => {
    isLate = true;
    for (const motion of motions) {
      motion.pause();
      motion.currentTime = lasts * FALL;
    }
    showShells(false);
  }, lasts * FALL - since);

  const answer = xhr.onload; // htmx shows the answer by it
  const fade = () => {
    clearTimeout(waits);
    showShells(false);
    for (const motion of motions) {
      motion.effect.target.animate([{ opacity: 0 }], { duration: lasts }).finished.then(() => motion.finish());
    }
  };
  for (const failure of ["error", "abort", "timeout"]) xhr.addEventListener(failure, fade);
  xhr.onload = () => {
    if (xhr.status !== 200 || !isOurs(xhr)) {
      fade();
      answer.call(xhr);
      return;
    }
    clearTimeout(waits);
    if (isLate) {
      showShells(true);
      motions.forEach((motion) => motion.play());
    }
    const wait = (isLate ? falls : end - performance.now()) - Math.min(work, falls);
    const landing = setTimeout(() => land(), wait);
    land = () => {
      land = null;
      clearTimeout(landing);
      motions.forEach((motion) => motion.finish());
      hasFlown = true;
      const begun = performance.now();
      requestAnimationFrame(() => setTimeout(() => { work = (work + performance.now() - begun) / 2; }));
      answer.call(xhr);
      hasFlown = false;
    };
  };
});

// --- the shots that an answer tells ---

function read(game) {
  // At the end of a search alone, data-shots is the number of shots.
  const told = game.matches(".is-solo[data-phase=over]") ? game.dataset.lastShots : game.dataset.shots;
  return (told ?? "").split(" ").filter(Boolean).map((text) => {
    const [board, name, result] = text.split(":");
    const hulls = [...game.querySelectorAll(`[data-board=${board}] .hull.is-sunk`)].map(shipOf);
    return {
      name, result, isOwn: board === "own", cell: game.querySelector(`[data-board=${board}] [data-cell=${name}]`),
      ship: result === "sunk" && shipOn(hulls, place(name)),
    };
  });
}

// What a shell has yet to bring is in the page, but not yet seen: its mark, or the wreck and its crosses.
function cover({ cell, ship }) {
  cell.classList.add("is-due");
  if (!ship) return;
  ship.element.classList.replace("is-sunk", "is-due");
  for (const [x, y] of covered(ship)) {
    const other = cell.closest("tbody").rows[y].cells[x + 1];
    if (other !== cell) other.classList.add("was-hit");
  }
}
function uncover(it) {
  if (it.matches(".hull")) it.classList.add("is-sunk");
  it.classList.remove("is-due", "was-hit");
}

function strike({ cell, result, ship, isOwn }, isLast) {
  // All is measured before anything changes, since to measure a changed page costs another layout.
  const spot = beat && middle(cell);
  const hull = beat && ship && middle(ship.element);
  const shown = ship ? [cell, ship.element, ...cell.closest("tbody").querySelectorAll(".was-hit")] : [cell];
  shown.forEach(uncover);
  if (!beat) return;
  if (ship) sink(ship, hull);
  if (result === "water") splash(spot);
  else burst(spot);
  if (isLast) along(hull, ship.length, ship.isDown).forEach((at, i) => burst(at, 120 + i * EACH));
}

let ticked = "";

function show(game) {
  hurry();
  const shots = read(game);
  const final = shots.at(-1);
  if (!final) return;
  const { outcome, reason, turn, you } = game.dataset;
  const isMoving = beat > 0;
  const tempo = beat || 0.5; // without motion, too, sounds must not overlap
  const isFinale = reason === "all-sunk" && Boolean(final.ship);
  const flying = shots.filter(({ isOwn }) => isOwn || !hasFlown);
  const flight = isMoving ? SHELL : 0;
  let at = hasFlown ? SPACE - SHELL : 0;
  for (const shot of flying) {
    shot.lands = at + flight;
    at += flying.length > 4 ? CHAIN : SPACE;
  }
  const tail = (final.ship ? SINKING : SPLASH) + (isFinale ? final.ship.length * EACH : 0);
  const end = ((final.lands ?? 0) + tail) * tempo;
  if (isMoving && game.dataset.phase === "over") {
    for (const animation of game.getAnimations({ subtree: true })) { // the result comes after all shots
      if (animation.animationName === "ended") animation.effect.updateTiming({ delay: end });
    }
    until = performance.now() + end;
  }

  if (hasFlown) {
    hear(you);
    feel(you);
    for (const shot of shots.filter(({ isOwn }) => !isOwn)) strike(shot, isFinale && shot === final);
  }
  const reply = isMoving && final.isOwn && document.querySelector("#status .reply");
  if (reply) reply.classList.add("is-due");
  for (const shot of flying) {
    const loud = shot.isOwn ? 0.5 : 1;
    if (isMoving) {
      cover(shot);
      later(shot.lands * tempo - flight * tempo, () => {
        fly(middle(shot.cell), shot.isOwn);
        hear("fire", loud);
      });
    }
    later(shot.lands * tempo, () => {
      hear(shot.result, loud);
      if (!shot.isOwn) feel(shot.result);
      strike(shot, isFinale && shot === final);
      if (reply && shot === final) uncover(reply);
    });
  }
  const cue = { won: "won", lost: "lost" }[outcome];
  if (cue) later(end, () => hear(cue));
  if (game.querySelector(".is-countdown") && turn !== ticked) later(end, () => hear("tick"));
  ticked = turn;
}

document.addEventListener("htmx:beforeSwap", readBeat); // before the page changes, when that costs no layout
// An answer swaps several parts, and the game is one of them.
document.addEventListener("htmx:afterSettle", ({ target }) => {
  if (target.id !== "game") return;
  document.querySelector(".aim")?.remove();
  offer();
  show(target);
});

// --- the offer of sound and its switch, which need a script ---

const chip = () => document.getElementById("act-sound");
const soundSwitch = () => document.getElementById("switch-sound");
function offer() {
  if (chip()) chip().hidden = false;
  if (soundSwitch()) soundSwitch().hidden = Boolean(chip());
}
function turnSound(state) {
  root.dataset.sound = state;
  soundSwitch().value = state === "on" ? "off" : "on";
  soundSwitch().setAttribute("aria-pressed", String(state === "on"));
  hear("hit");
}
document.addEventListener("click", ({ target }) => {
  if (target.closest?.("#switch-sound")) turnSound(soundSwitch().value);
  if (!target.closest?.("#act-sound")) return;
  turnSound("on");
  chip().hidden = true;
  soundSwitch().hidden = false;
  soundSwitch().focus({ preventScroll: true });
  const said = document.getElementById("sound-said");
  said.textContent = soundSwitch().dataset.said;
  setTimeout(() => { said.textContent = ""; }, 6000);
});
offer();

// --- the player's own sheet comes to the front: by a link, or here without loading the page ---

const sheets = () => document.getElementById("game");
function lift(isUp) {
  sheets().classList.toggle("lift", isUp);
  const next = isUp ? document.querySelector(".steer:not([tabindex='-1'])") ?? document.querySelector(".lower") : aimed() ?? document.querySelector(".grab");
  next?.focus({ preventScroll: true });
}
document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".grab, .lower");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  lift(link.matches(".grab"));
});
onEscape(() => {
  const isLifted = document.querySelector(".lift .lower")?.checkVisibility() ?? false;
  if (isLifted) lift(false);
  return isLifted;
});
// It stays there until a ship has moved: no other answer lowers it.
let isLifted = false;
document.addEventListener("htmx:beforeSwap", ({ detail: { requestConfig: { elt } } }) => {
  isLifted = sheets().matches(".lift:is([data-phase=firing], [data-phase=waiting])") && !elt.matches(".steering");
});
document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.matches("#game:is([data-phase=firing], [data-phase=waiting])")) target.classList.toggle("lift", isLifted);
});

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
