// Keys on the boards, focus that stays where the player is, what to say when a click fails, effects
// that end when they are in the way, the help, and aiming before firing for those who prefer it.
(() => {
  "use strict";

  const keys = {
    ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0],
    Home: [-99, 0], End: [99, 0],
  };
  const last = {}; // the id of the cell last in focus, by board
  let phase = null;

  const game = () => document.getElementById("game");
  const boardOf = (element) => element.closest("[data-board]")?.dataset.board;
  const rowsOf = (grid) =>
    [...grid.tBodies[0].rows].map((row) => [...row.querySelectorAll("[data-cell] > :is(button, input)")]);

  // One stop of the tab key per board; the arrows go on from there.
  function rove(grid) {
    const buttons = rowsOf(grid).flat();
    if (!buttons.length) return;
    const here = document.getElementById(last[boardOf(grid)]);
    const stop = buttons.includes(here) ? here : buttons[0];
    for (const button of buttons) {
      const index = button === stop ? 0 : -1;
      if (button.tabIndex !== index) button.tabIndex = index; // each change costs, even to the same
    }
  }

  function prepare() {
    document.querySelectorAll("table[role=grid]").forEach(rove);
    document.querySelectorAll("form[hx-get] .no-script").forEach((button) => { button.hidden = true; });
  }

  document.addEventListener("focusin", (event) => {
    const grid = event.target.closest?.("table[role=grid]");
    if (event.target.id === "typed") last.aim = "typed";
    if (!grid || !event.target.id) return;
    last[boardOf(grid)] = event.target.id;
    last.aim = last.enemy;
    rove(grid);
  });

  document.addEventListener("keydown", (event) => {
    const grid = event.target.closest?.("table[role=grid]");
    const step = keys[event.key];
    if (!grid || !step || event.altKey || event.metaKey) return;
    const rows = rowsOf(grid);
    let y = rows.findIndex((row) => row.includes(event.target));
    if (y < 0) return;
    let x = rows[y].indexOf(event.target);
    const far = event.ctrlKey ? Math.sign(step[0]) * 99 : 0;
    y = Math.min(Math.max(y + step[1] + far, 0), rows.length - 1);
    x = Math.min(Math.max(x + step[0], 0), rows[y].length - 1);
    event.preventDefault();
    rows[y][x].focus();
  });

  // After a swap: a cell keeps the focus by its id; where the phase has changed, it goes to what
  // comes next, so that nobody has to look for it.
  function follow() {
    const now = game()?.dataset.phase;
    const lost = !document.activeElement || document.activeElement === document.body;
    if (now !== phase || lost) {
      const next =
        document.querySelector("#game [data-next]") ? document.querySelector("#game [data-next]")
        : now === "handover" ? document.querySelector("#game .phase")
        : now === "moving" ? document.getElementById("act-stay")
        : now === "firing" && phase === "moving" ? document.getElementById(last.aim)
        : now !== phase ? document.querySelector("#game .phase")
        : document.getElementById(last.aim) || document.querySelector("#game .phase");
      (next || document.querySelector("#game .phase"))?.focus({ preventScroll: true });
      if (now === "over" || phase === "placing") scrollTo({ top: 0 });
    }
    phase = now;
  }

  // A part of the page that needs a script which few need brings its address along.
  function fetchScripts() {
    for (const { dataset: { script: src } } of document.querySelectorAll("[data-script]")) {
      if (document.querySelector(`script[src="${src}"]`)) continue;
      document.head.append(Object.assign(document.createElement("script"), { src }));
    }
  }

  // What is unfolded stays so over a swap, with the focus that may be within.
  let unfolded = [];
  let focused = "";
  document.addEventListener("htmx:beforeSwap", () => {
    unfolded = [...document.querySelectorAll("#game details[id][open]")].map((it) => it.id);
    focused = document.activeElement?.id;
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
    if (document.activeElement === document.body) document.getElementById(focused)?.focus({ preventScroll: true });
  });

  document.addEventListener("htmx:afterSettle", () => {
    prepare();
    fetchScripts();
    follow();
  });

  // Whoever goes on need not watch an effect to its end.
  function finish() {
    for (const effect of document.getAnimations?.() ?? []) {
      if (effect.effect.getComputedTiming().endTime < Infinity) effect.finish();
    }
  }
  for (const input of ["pointerdown", "keydown"]) addEventListener(input, finish, true);

  // The help opens where one is; without this, and in a tab of its own, its link leads to the rules.
  const help = document.getElementById("help-dialog");
  const showHelp = () => {
    document.getElementById("menu").hidePopover?.();
    help.showModal();
  };
  document.getElementById("help").addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    showHelp();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.ctrlKey || event.altKey || event.metaKey || help.open) return;
    if (document.documentElement.dataset.shortcuts === "off") return;
    if (event.target.closest("input:not([type=radio], [type=checkbox], [type=range]), select, textarea")) return;
    event.preventDefault();
    showHelp();
  });

  // A recap writes its step into the address; the way to the settings and back keeps it.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("#settings");
    if (link) link.search = location.search;
  });

  // Aim first: a press on a cell takes aim, and the button that is there for it fires.
  const shooter = () => document.getElementById("act-fire");
  function aim(button) {
    const fire = shooter();
    fire.hidden = !button;
    fire.dataset.at = button?.id ?? "";
    fire.textContent = button ? fire.dataset.words.replace("{cell}", button.value) : "";
    const rows = rowsOf(document.querySelector("[data-board=enemy] table"));
    const x = Math.max(...rows.map((row) => row.indexOf(button)));
    for (const row of rows) {
      row.forEach((other, at) => {
        other.parentNode.classList.toggle("is-line", Boolean(button) && (at === x || row.includes(button)));
        other.parentNode.classList.toggle("is-cross", other === button);
      });
    }
  }
  document.addEventListener("click", (event) => {
    const fire = shooter();
    if (!fire) return;
    const button = event.target.closest(".firing button[name=cell]:not([aria-disabled])");
    if (event.target === fire) {
      const aimed = document.getElementById(fire.dataset.at);
      fire.dataset.sure = "yes";
      aimed?.click();
      delete fire.dataset.sure;
    } else if (button && !fire.dataset.sure) {
      event.preventDefault();
      event.stopPropagation();
      aim(button);
      if (event.detail === 0) fire.focus();
    }
  }, true);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !shooter()?.dataset.at || help.open) return;
    const aimed = document.getElementById(shooter().dataset.at);
    aim(null);
    aimed.focus();
  });

  // Two at one device: a page that is left shows nothing when somebody comes back to it.
  addEventListener("pagehide", () => {
    if (game()?.hasAttribute("data-shared")) game().replaceChildren();
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted && game()?.hasAttribute("data-shared")) location.reload();
  });

  function say(text, look = "refused") {
    const status = document.getElementById("status");
    const line = document.createElement("span");
    line.className = look;
    line.textContent = text;
    status?.replaceChildren(line);
  }

  // Letters read out parts of the text view, while the focus is on a board.
  document.addEventListener("keydown", (event) => {
    if (!event.target.closest?.("[data-board]") || event.ctrlKey || event.altKey || event.metaKey) return;
    const part = [...document.querySelectorAll("[data-key]")].find((it) => it.dataset.key === event.key.toLowerCase());
    if (part) say(`${part.previousElementSibling.textContent}: ${part.textContent}`, "");
  });

  document.addEventListener("htmx:sendError", () => say(document.body.dataset.notSent));
  document.addEventListener("htmx:responseError", (event) => {
    // The address itself is at fault: its own page says so better than a line of text.
    if (event.detail.xhr.status === 400) location.reload();
    else say(document.body.dataset.notSent);
  });
  document.addEventListener("htmx:beforeRequest", () => game()?.setAttribute("aria-busy", "true"));
  document.addEventListener("htmx:afterRequest", () => game()?.removeAttribute("aria-busy"));

  // A held key repeats: one press, one shot.
  document.addEventListener("keydown", (event) => {
    if (event.repeat && event.key === "Enter") event.preventDefault();
  });

  // On a phone the boards change places with the phase: the second tap of a double tap moves nothing.
  document.addEventListener("click", (event) => {
    if (event.detail > 1 && event.target.closest(".steer")) event.preventDefault();
  }, true);

  // htmx writes the address, and with it the match, into the session's storage.
  function forget() {
    try { sessionStorage.removeItem("htmx-current-path-for-history"); } catch { /* there is none */ }
  }
  document.addEventListener("htmx:replacedInHistory", forget);
  forget();

  phase = game()?.dataset.phase ?? null;
  prepare();
  fetchScripts();
  window.battle = { say };
})();
