// At two devices, each page asks whether the opponent has acted, and whether they are there.
import { ours } from "./answers.js";
import { prepare, say } from "./site.js";

const EVERY = 1000; // milliseconds between two questions
const LATER = 4000; // once nothing has happened for two minutes
const SELDOM = 10000; // while a fleet is placed or the page is hidden, or if no answer comes
const PATIENCE = 120000;

const game = () => document.getElementById("game");
const mayAsk = () => game()?.matches("[data-wait]:not([aria-busy], [data-lost])");
let since = Date.now();
let { phase, wait: shown } = game().dataset;
let timer = null;
let isDown = false;

const ring = () => {
  if (document.documentElement.matches("[data-sound=on]")) import("./sound.js").then(({ play }) => play("turn"));
};

// --- the other player's presence ---

const line = () => document.getElementById("presence");
const nudge = () => line() && (line().dataset.nudge ?? "");
let nudged = nudge(); // the one that is no news here; null until there is a line to tell it
let title = null; // that of the page, while a nudge stands there

function tell(there) {
  const it = line();
  if (!it || it.dataset.doing === "left") return;
  const [word, minutes] = there.split(" ");
  const isLong = minutes >= 10;
  const text = (it.dataset[word] ?? "").replace("{minutes}", isLong ? "10+" : minutes);
  if (it.innerHTML === text) return; // the server has escaped the name
  // What changes by itself is read out, but no minute after the second; what an answer brings is not.
  const isNews = isLong || word !== "away" || game().dataset.presence !== word;
  it.setAttribute("aria-live", isNews ? "polite" : "off");
  it.innerHTML = text;
  game().dataset.presence = word === "here" ? it.dataset.doing : word;
  if (!word) delete game().dataset.presence;
  for (const [id, isShown] of [["act-nudge", word === "here"], ["remind", word === "away"], ["act-abandon", isLong]]) {
    const button = document.getElementById(id);
    if (!isShown && button?.contains(document.activeElement)) game().querySelector(".phase").focus();
    if (button) button.hidden = !isShown;
  }
  const late = word === "away" && game().querySelector("[data-later]"); // its script wasn't needed before
  if (late) late.dataset.script = late.dataset.later;
  prepare();
}

function showNudge(at) {
  if (!at || at === nudged || !line()) return;
  nudged = at;
  title ??= document.title;
  document.title = line().dataset.nudged;
  say(line().dataset.nudged, "nudged");
  ring();
}
function forgetNudge() {
  if (document.hidden) return;
  document.title = title ?? document.title;
  title = null;
}
for (const input of ["pointerdown", "keydown"]) addEventListener(input, forgetNudge, true);

// --- asking ---

async function ask() {
  const { present, wait } = game()?.dataset ?? {};
  if (present) await ours(present);
  else if (mayAsk()) {
    const answer = await ours(wait);
    isDown = !answer?.ok;
    // The player may have acted here meanwhile, too.
    if (answer?.ok && mayAsk() && game().dataset.wait === wait) {
      if (answer.status === 200) await htmx.ajax("GET", location.href, { target: "#game", swap: "morph" });
      else {
        tell(answer.headers.get("Presence") ?? "");
        showNudge(answer.headers.get("Nudge"));
      }
    }
  }
  plan();
}

function plan() {
  clearTimeout(timer);
  const isIdle = Date.now() - since > PATIENCE;
  const isSeldom = document.hidden || isDown || game()?.dataset.present;
  timer = setTimeout(ask, isSeldom ? SELDOM : isIdle ? LATER : EVERY);
}

document.addEventListener("visibilitychange", () => {
  since = Date.now();
  if (!document.hidden) ask();
});
addEventListener("online", ask);
document.addEventListener("htmx:afterSettle", ({ target }) => {
  if (target.id !== "game") return;
  // Only a step makes the page ask sooner: a move, which is none, must not show in when it asks.
  if (target.dataset.wait !== shown) {
    since = Date.now();
    plan();
  }
  shown = target.dataset.wait;
  nudged ??= nudge();
  title = null;
  const isMyTurn = phase === "waiting" && target.dataset.phase === "firing";
  phase = target.dataset.phase;
  if (isMyTurn) ring();
});
if (game().dataset.present) ask();
else plan();
