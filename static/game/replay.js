// The replay of a match: every step is a function of its number. The rules are not known here.
import { called, filled, typedKey } from "./page.js";

const replay = JSON.parse(document.getElementById("replay").textContent);
const last = replay.changes.length;
const game = document.getElementById("game");
const slider = document.getElementById("step");
const status = document.getElementById("status");
const onward = game.querySelector("[data-onward]");
const play = game.querySelector("[data-go=play]");
const speed = game.querySelector("[data-speed]");
const fog = game.querySelector("[name=fog][value=on]");
const links = [...game.querySelectorAll(".steps [data-step]")];
const boards = ["enemy", "own"].slice(0, replay.start.length).map((kind) => {
  const board = game.querySelector(`[data-board=${kind}]`);
  const hulls = [...board.querySelectorAll("[data-hull]")].map((element) => ({
    element, id: Number(element.dataset.hull), direction: element.dataset.direction, length: Number(element.dataset.length),
  }));
  const asked = [...board.querySelectorAll("[data-asked]")];
  return { kind, hulls, asked, sea: board.querySelector(".hulls"), cells: [...board.querySelectorAll("[data-cell]")] };
});
const still = matchMedia("(prefers-reduced-motion: reduce)");
const PACE = Math.min(800, 58000 / last); // milliseconds of a step: a long match takes less than a minute
const LEAST_BETWEEN = 1500; // milliseconds between two status messages while it plays
let now = Number(slider.value);
let timer = null;
let due = 0; // when the next step is to come
let noting = null;
let noted = -1000;
let waiting = null; // what the status line says next
let spoken = -LEAST_BETWEEN;

// --- what a step looks like ---

function frame(step) {
  const frames = replay.start.map(({ cells, hulls }) => ({
    cells: [...cells], ringed: [],
    hulls: new Map(hulls.map(([id, x, y, look]) => [id, { x, y, look, from: [x, y], to: [x, y] }])),
  }));
  for (const change of replay.changes.slice(0, step)) {
    change.forEach(([cells, hulls, ringed], board) => {
      for (const [index, letter] of cells) frames[board].cells[index] = letter;
      for (const [id, x, y, look] of hulls) {
        const { from, to } = frames[board].hulls.get(id);
        frames[board].hulls.set(id, { x, y, look,
          from: [Math.min(from[0], x), Math.min(from[1], y)], to: [Math.max(to[0], x), Math.max(to[1], y)] });
      }
      frames[board].ringed = ringed;
    });
  }
  return frames;
}

// The sheet in front and the quiet one change places by fading into each other: nothing moves across the screen.
let isOwnInFront = game.classList.contains("lift");
let fading = null;
const arrange = () => game.classList.toggle("lift", isOwnInFront);
function bring(isOwn) {
  if (isOwn === isOwnInFront) return;
  isOwnInFront = isOwn;
  // While it fades, a sheet would lie over what is open.
  const mayFade = !still.matches && !document.querySelector("#game details[open], dialog[open], :popover-open");
  if (fading || !mayFade || !document.startViewTransition) {
    fading?.skipTransition();
    arrange();
    return;
  }
  fading = document.startViewTransition(arrange);
  fading.ready.catch(() => { /* it was skipped */ });
  fading.finished.finally(() => { fading = null; });
}

function draw(step) {
  // The sheet where the step happens is in front; at a fast pace only hits change that.
  if (timer === null || PACE / Number(speed.value) > 300 || isHit(step)) bring(replay.waters[step - 1] === "1");
  frame(step).forEach(({ cells, hulls, ringed }, index) => {
    const board = boards[index];
    const isFoggy = fog.checked && board.kind === "enemy";
    board.cells.forEach((cell, at) => {
      const state = replay.letters[cells[at]][isFoggy ? 1 : 0];
      if (cell.dataset.state !== state) {
        cell.dataset.state = state;
        cell.querySelector(".sr-only").replaceChildren(called(cell), replay.words[state]);
      }
      cell.classList.toggle("is-last", ringed.includes(at));
    });
    for (const box of board.asked) {
      box.classList.toggle("is-now", Number(box.dataset.asked) === step);
      box.classList.toggle("is-later", Number(box.dataset.asked) > step);
    }
    board.sea.querySelectorAll(".is-trail").forEach((trail) => trail.remove());
    for (const { element, id, length, direction } of board.hulls) {
      const { x, y, look, from, to } = hulls.get(id);
      Object.assign(element.dataset, { x, y });
      element.className = `hull is-${isFoggy && look !== "sunk" ? "unseen" : look}`;
      const far = to[0] - from[0] + to[1] - from[1];
      if (!far || isFoggy) continue;
      const trail = document.createElement("i");
      trail.className = "hull is-trail";
      Object.assign(trail.dataset, { x: from[0], y: from[1], length: length + far, direction });
      board.sea.prepend(trail);
    }
  });
}

// At one step forward, a ship that moves glides along its line, and one that sinks goes down.
function enact(step) {
  const before = frame(step - 1);
  const pace = timer === null ? 1 : Math.min(1, PACE / 400 / Number(speed.value));
  replay.changes[step - 1].forEach(([, hulls], index) => {
    for (const [id, x, y, look] of hulls) {
      const { element, length } = boards[index].hulls.find((hull) => hull.id === id);
      const old = before[index].hulls.get(id);
      const far = x - old.x + y - old.y;
      if (look === "sunk" && old.look !== "sunk") {
        const time = { duration: 700 * pace, easing: "ease-in" };
        element.animate({ opacity: [1, 0.9, 0.55] }, time);
        element.animate({ transform: ["none", "rotate(8deg) scale(0.85)", "none"] }, { ...time, composite: "add" });
      } else if (far) {
        element.animate({ transform: [`translateX(${(-100 * far) / length}%)`, "none"] },
                    { duration: 300 * pace, easing: "ease-in-out", composite: "add" });
      }
    }
  });
}

// --- what a step says ---

function told(step) {
  const said = links[step - 1].cloneNode(true);
  said.querySelectorAll("b").forEach((name) => name.replaceWith(...name.childNodes));
  return [...said.childNodes];
}
const line = (step) => (step ? filled(slider.dataset.turn, {
  "%(turn)s": `${Math.floor(replay.turns[step - 1] / 2) + 1}`, "%(step)s": told(step),
}) : [slider.dataset.start]);
const words = (step) => (step ? filled(slider.dataset.words, {
  "%(number)s": `${step}`, "%(last)s": `${last}`, "%(line)s": line(step),
}) : line(0));
// What a screen reader says of them.
function heard(parts) {
  const said = document.createElement("p");
  said.append(...parts);
  said.querySelectorAll("[aria-hidden]").forEach((it) => it.remove());
  return said.textContent;
}
const shows = (letters) => (step) =>
  step > 0 && replay.changes[step - 1].some(([cells]) => cells.some(([, letter]) => letters.includes(letter)));
const isHit = shows("hs");
const isSunk = shows("s");

function say(parts) {
  status.replaceChildren(...parts);
  spoken = performance.now();
  waiting = null;
}
// While it plays, only hits and sinkings are announced, and no faster than they can be heard.
function tell(isRunning) {
  if (!isRunning) { waiting = null; say(words(now)); return; }
  if (isHit(now) && (!waiting || isSunk(now) || !waiting.isSunk)) waiting = { parts: words(now), isSunk: isSunk(now) };
  if (waiting && performance.now() - spoken >= LEAST_BETWEEN) say(waiting.parts);
}

// --- from step to step ---

function next(test, way) {
  for (let step = now + way; step > 0 && step <= last; step += way) if (test(step)) return step;
  return way > 0 ? last : 0;
}

function go(step, isRunning = false) {
  const before = now;
  now = Math.min(Math.max(step, 0), last);
  draw(now);
  if (now === before + 1 && !still.matches) enact(now);
  slider.value = now;
  slider.setAttribute("aria-valuetext", heard(words(now)));
  game.dataset.turn = replay.turns[now];
  game.querySelector("[data-now]").textContent = now;
  game.querySelector("[data-says]").replaceChildren(...line(now));
  links.forEach((link, index) => {
    if (index !== now - 1) { link.removeAttribute("aria-current"); return; }
    link.setAttribute("aria-current", "step");
    reveal(link);
  });
  tell(isRunning);
  for (const [it, isNext] of [[onward, now === last], [play, now !== last]]) it.classList.toggle("primary", isNext);
  remember();
}

const query = () => `?step=${now}${fog.checked ? "&fog=on" : ""}`;
function remember() {
  for (const link of document.querySelectorAll("nav [hreflang]")) link.search = query();
  clearTimeout(noting);
  if (performance.now() - noted > 400) note();
  else noting = setTimeout(note, 400);
}
// Browsers refuse a page that writes its address too often.
function note() {
  noted = performance.now();
  history.replaceState(history.state, "", location.pathname + query());
}

// The list scrolls with its drawer; the page stays where it is.
function reveal(link) {
  const box = link.closest(".drawer");
  const above = link.offsetTop - box.scrollTop;
  if (above > box.clientHeight - 40) box.scrollTop = link.offsetTop - 60;
}

function pause() {
  clearTimeout(timer);
  timer = null;
  play.textContent = play.dataset.play;
}
function tick() {
  if (now >= last) return pause();
  // A browser that draws slowly is late, but the next step is not.
  due = Math.max(due + PACE / Number(speed.value), performance.now());
  timer = setTimeout(tick, due - performance.now());
  go(now + 1, true);
}
function run() {
  if (now >= last) go(0);
  play.textContent = play.dataset.pause;
  due = performance.now();
  timer = setTimeout(tick, Math.min(400, PACE) / Number(speed.value));
}

const moves = {
  first: () => go(0), back: () => go(now - 1), forward: () => go(now + 1), last: () => go(last),
  hit: () => go(next(isHit, 1)), "hit-back": () => go(next(isHit, -1)),
  sunk: () => go(next(isSunk, 1)), "sunk-back": () => go(next(isSunk, -1)),
};
game.addEventListener("click", (event) => {
  const button = event.target.closest("[data-go], .steps [data-step], [data-look]");
  if (!button || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if ("look" in button.dataset) { bring(!isOwnInFront); return; }
  const running = timer !== null;
  pause();
  if (button.dataset.step) go(Number(button.dataset.step));
  else if (button.dataset.go === "play") { if (!running) run(); }
  else moves[button.dataset.go]();
});
slider.addEventListener("input", () => { pause(); go(Number(slider.value)); });
game.addEventListener("change", (event) => {
  if (event.target.name !== "fog") return;
  draw(now);
  remember();
});

const keys = {
  ArrowLeft: "back", k: "back", ArrowRight: "forward", j: "forward",
  Home: "first", 0: "first", End: "last", $: "last",
};
game.addEventListener("keydown", (event) => {
  const key = typedKey(event);
  if (event.target.closest("select, textarea, input:not([type=range])")) return;
  if (key === " " && !event.target.closest("a, button, summary")) {
    event.preventDefault();
    play.click();
  } else if (keys[key] && !(event.target === slider && key.length > 1)) {
    event.preventDefault();
    pause();
    moves[keys[key]]();
  }
});

// The replay takes keys from the start, and the tab key goes to Pause first.
if (document.activeElement === document.body) game.querySelector(".phase").focus({ preventScroll: true });
if (!location.search && !still.matches) run();
