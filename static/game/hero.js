// The film on the home page: a picture that runs, silent, until it is paused.
(() => {
  "use strict";

  const source = document.getElementById("hero-film");
  const button = document.querySelector("[data-hero-pause]");
  if (!source || !button) return;
  const film = JSON.parse(source.textContent);
  const board = document.querySelector(".hero-board");
  const cells = [...board.querySelectorAll(".mark")];
  const hulls = new Map([...board.querySelectorAll("[data-hull]")].map((svg) => [Number(svg.dataset.hull), svg]));
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const BEAT = 900;
  const REST = 4 * BEAT;
  let now = film.step;
  let timer = null;

  function paint([id, x, y, look]) {
    const svg = hulls.get(id);
    const [length] = /len\d/.exec(svg.getAttribute("class"));
    const down = svg.classList.contains("is-down") ? " is-down" : "";
    svg.setAttribute("class", `hull x${x} y${y} ${length}${down} is-${look}`);
  }

  function change([[changed, moved, ringed]]) {
    for (const [index, letter] of changed) cells[index].dataset.state = film.letters[letter];
    for (const hull of moved) paint(hull);
    cells.forEach((cell, index) => cell.classList.toggle("is-last", ringed.includes(index)));
  }

  function rewind() {
    now = 0;
    const [start] = film.start;
    [...start.cells].forEach((letter, index) => { cells[index].dataset.state = film.letters[letter]; });
    for (const hull of start.hulls) paint(hull);
    cells.forEach((cell) => cell.classList.remove("is-last"));
  }

  function tick() {
    if (now >= film.changes.length) rewind();
    else { change(film.changes[now]); now += 1; }
    timer = setTimeout(tick, now >= film.changes.length ? REST : BEAT);
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
})();
