// At two devices, each page asks whether the opponent has acted.

const EVERY = 1000; // milliseconds between two questions
const LATER = 4000; // once nothing has happened for two minutes
const SELDOM = 10000; // while the page is hidden, or if no answer comes
const PATIENCE = 120000;

const game = () => document.getElementById("game");
const mayAsk = () => game()?.matches("[data-wait]:not([aria-busy], [data-lost])");
let since = performance.now();
let phase = game().dataset.phase;
let timer = null;
let isDown = false;

async function ask() {
  if (mayAsk()) {
    const { wait } = game().dataset;
    const answer = await fetch(wait, { cache: "no-store" }).catch(() => null);
    isDown = !answer?.ok;
    // The player may have acted here meanwhile, too.
    if (answer?.status === 200 && mayAsk() && game().dataset.wait === wait) {
      await htmx.ajax("GET", location.href, { target: "#game", swap: "morph" });
    }
  }
  plan();
}

function plan() {
  clearTimeout(timer);
  const isIdle = performance.now() - since > PATIENCE;
  timer = setTimeout(ask, document.hidden || isDown ? SELDOM : isIdle ? LATER : EVERY);
}

document.addEventListener("visibilitychange", () => {
  since = performance.now();
  if (!document.hidden) ask();
});
document.addEventListener("htmx:afterSettle", ({ target }) => {
  if (target.id !== "game") return;
  since = performance.now();
  const isMyTurn = phase === "waiting" && target.dataset.phase === "firing";
  phase = target.dataset.phase;
  if (isMyTurn && document.documentElement.dataset.sound === "on") {
    import("./sound.js").then(({ play }) => play("turn"));
  }
});
plan();
