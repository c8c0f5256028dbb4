// The recap as a film: every step is a function of its number, and nothing here knows the rules.
(() => {
  "use strict";

  const source = document.getElementById("film");
  if (!source) return;
  const film = JSON.parse(source.textContent);
  const last = film.changes.length;
  const slider = document.getElementById("step");
  const status = document.getElementById("status");
  const play = document.querySelector("[data-go=play]");
  const speed = document.querySelector("[data-speed]");
  const links = [...document.querySelectorAll(".steps [data-step]")];
  const boards = ["enemy", "own"].map((kind) => {
    const board = document.querySelector(`[data-board=${kind}]`);
    return { cells: [...board.querySelectorAll("[data-cell]")], hulls: [...board.querySelectorAll("[data-hull]")] };
  });
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let now = Number(slider.value);
  let timer = null;
  let noting = null;
  let noted = -1000;

  function frame(step) {
    const frames = film.start.map((start) => ({
      cells: [...start.cells], hulls: new Map(start.hulls.map((hull) => [hull[0], hull])), ringed: [],
    }));
    for (const change of film.changes.slice(0, step)) {
      change.forEach(([cells, hulls, ringed], board) => {
        for (const [index, letter] of cells) frames[board].cells[index] = letter;
        for (const hull of hulls) frames[board].hulls.set(hull[0], hull);
        frames[board].ringed = ringed;
      });
    }
    return frames;
  }

  function draw(step) {
    frame(step).forEach(({ cells, hulls, ringed }, index) => {
      const board = boards[index];
      board.cells.forEach((cell, at) => {
        const state = film.letters[cells[at]];
        if (cell.dataset.state !== state) cell.dataset.state = state;
        cell.classList.toggle("is-last", ringed.includes(at));
        delete cell.dataset.look;
      });
      for (const svg of board.hulls) {
        const [, x, y, look] = hulls.get(Number(svg.dataset.hull));
        const [length] = /len\d/.exec(svg.getAttribute("class"));
        const down = svg.classList.contains("is-down") ? " is-down" : "";
        svg.setAttribute("class", `hull x${x} y${y} ${length}${down} is-${look}`);
      }
    });
  }

  const words = (step) => (step ? `${step}: ${links[step - 1].textContent.trim()}` : slider.dataset.start);
  const isHit = (step) => film.changes[step - 1].some(([cells]) => cells.some(([, letter]) => "hs".includes(letter)));
  const isSunk = (step) => film.changes[step - 1].some(([cells]) => cells.some(([, letter]) => letter === "s"));
  function next(test) {
    for (let step = now + 1; step <= last; step += 1) if (test(step)) return step;
    return last;
  }

  function go(step, quietly) {
    now = Math.min(Math.max(step, 0), last);
    draw(now);
    slider.value = now;
    document.getElementById("game").dataset.turn = film.turns[now];
    slider.setAttribute("aria-valuetext", words(now));
    document.querySelector("[data-now]").textContent = now;
    links.forEach((link, index) => {
      if (index !== now - 1) { link.removeAttribute("aria-current"); return; }
      link.setAttribute("aria-current", "step");
      reveal(link);
    });
    if (!quietly || (now && isHit(now))) status.textContent = words(now);
    document.getElementById("language").search = `?step=${now}`;
    clearTimeout(noting);
    if (performance.now() - noted > 400) note();
    else noting = setTimeout(note, 400);
  }

  // Browsers refuse a page that writes its address too often.
  function note() {
    noted = performance.now();
    history.replaceState(history.state, "", `${location.pathname}?step=${now}`);
  }

  // The list scrolls within itself; the page stays where it is.
  function reveal(link) {
    const box = link.closest("ol");
    const above = link.offsetTop - box.scrollTop;
    if (above < 0 || above > box.clientHeight - 40) box.scrollTop = link.offsetTop - 60;
  }

  function pause() {
    clearTimeout(timer);
    timer = null;
    play.textContent = play.dataset.play;
    document.getElementById("game").classList.remove("film-runs");
  }
  function tick() {
    if (now >= last) return pause();
    go(now + 1, true);
    timer = setTimeout(tick, 800 / Number(speed.value));
  }
  function run() {
    if (now >= last) go(0);
    play.textContent = play.dataset.pause;
    document.getElementById("game").classList.add("film-runs");
    timer = setTimeout(tick, 400 / Number(speed.value));
  }

  const moves = {
    first: () => go(0), back: () => go(now - 1), forward: () => go(now + 1), last: () => go(last),
    hit: () => go(next(isHit)), sunk: () => go(next(isSunk)),
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go], .steps [data-step]");
    if (!button || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const running = timer !== null;
    pause();
    if (button.dataset.step) go(Number(button.dataset.step));
    else if (button.dataset.go === "play") { if (!running) run(); }
    else moves[button.dataset.go]();
  });
  slider.addEventListener("input", () => { pause(); go(Number(slider.value)); });

  const keys = {
    ArrowLeft: "back", k: "back", ArrowRight: "forward", j: "forward",
    Home: "first", 0: "first", End: "last", $: "last",
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("select, input:not([type=range])")) return;
    if (/^[jk0$]$/.test(event.key) && !event.target.closest("#game")) return;
    if (event.key === " " && !event.target.closest("a, button")) {
      event.preventDefault();
      play.click();
    } else if (keys[event.key] && !(event.target === slider && event.key.length > 1)) {
      event.preventDefault();
      pause();
      moves[keys[event.key]]();
    }
  });

  document.querySelectorAll(".needs-script").forEach((element) => { element.hidden = false; });
  document.querySelectorAll(".no-script").forEach((element) => { element.hidden = true; });
  if (now) reveal(links[now - 1]);
  if (!location.search && !still.matches) run();
})();
