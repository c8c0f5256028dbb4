// The demo on the home page: a match that plays, silent, until it is paused.

const replay = JSON.parse(document.getElementById("demo-replay").textContent);
const board = document.querySelector(".demo");
const button = document.getElementById("demo-pause");
const cells = [...board.querySelectorAll(".mark")];
const hulls = new Map([...board.querySelectorAll("[data-hull]")].map((svg) => [Number(svg.dataset.hull), svg]));
const still = matchMedia("(prefers-reduced-motion: reduce)");
const BEAT = 900;
const REST = 4 * BEAT;
let now = replay.step;
let timer = null;

function paint([id, x, y, look]) {
  const svg = hulls.get(id);
  Object.assign(svg.dataset, { x, y });
  svg.setAttribute("class", `hull is-${look}`);
}

function change([[changed, moved, ringed]]) {
  for (const [index, letter] of changed) cells[index].dataset.state = replay.letters[letter];
  for (const hull of moved) paint(hull);
  cells.forEach((cell, index) => cell.classList.toggle("is-last", ringed.includes(index)));
}

function rewind() {
  now = 0;
  const [start] = replay.start;
  [...start.cells].forEach((letter, index) => { cells[index].dataset.state = replay.letters[letter]; });
  for (const hull of start.hulls) paint(hull);
  cells.forEach((cell) => cell.classList.remove("is-last"));
}

function tick() {
  if (now >= replay.changes.length) rewind();
  else { change(replay.changes[now]); now += 1; }
  timer = setTimeout(tick, now >= replay.changes.length ? REST : BEAT);
}
function run(running) {
  clearTimeout(timer);
  timer = running ? setTimeout(tick, BEAT) : null;
  button.textContent = running ? button.dataset.pause : button.dataset.play;
}

button.hidden = false;
button.addEventListener("click", () => run(timer === null));
document.addEventListener("visibilitychange", () => { if (document.hidden) run(false); });
run(!still.matches);
