// At two devices, each page asks whether the opponent has acted, and whether they are there. It says of itself whether
// it is visible, and when it is closed.
import { ours } from "../game/answers.js";
import { say } from "../game/page.js";
import { prepare } from "../game/site.js";

const EVERY = 1000; // milliseconds between two questions
const LATER = 4000; // while a fleet is placed, and once nothing has happened for two minutes
const SELDOM = 8000; // while the page is hidden, or if no answer comes
const PATIENCE = 120000;
const QUIET = 60000; // milliseconds between two announcements of presence at the least

const game = () => document.getElementById("game");
const mayAsk = () => game()?.matches("[data-wait]:not([aria-busy])");
let since = Date.now();
let { phase, wait: shown } = game().dataset;
let timer = null;
let isDown = false;
let hiddenSince = document.hidden ? Date.now() : 0;

const ring = () => {
  if (document.documentElement.matches("[data-sound=on]")) import("../game/sound.js").then(({ play }) => play("turn"));
};

// --- the other player's presence ---

const line = () => document.getElementById("presence");
const call = () => line() && (line().dataset.call ?? "");
let heard = call(); // the one that is no news here; null until there is a line to tell it
let title = null; // that of the page, while a call stands there

const stateOf = (it) => ["away", "left"].find((one) => one === it) ?? (it && "here");
let told = stateOf(game().dataset.presence); // what the player has heard or read of it
let announced = -QUIET;

// What is no longer offered stays while the player uses it.
function offer(id, isOffered) {
  const it = document.getElementById(id);
  if (it) it.hidden = !isOffered && !it.open && !it.contains(document.activeElement);
}

function tell(there) {
  const it = line();
  if (!it || it.dataset.doing === "left") return;
  const [word, minutes] = there.split(" ");
  const isLong = minutes >= 10;
  offer("calls", word === "here");
  offer("remind", word === "away");
  offer("act-abandon", isLong);
  const text = (it.dataset[minutes === "0" ? "gone" : word] ?? "").replace("{minutes}", isLong ? "10+" : minutes);
  const isSame = it.innerHTML === text; // the server has escaped the name
  // What changes by itself is read out, but no minute after the first, and what is too soon only if it lasts.
  const state = isLong ? "long" : word;
  const isNews = word && state !== told && performance.now() - announced >= QUIET;
  if (isSame && !isNews) return;
  it.setAttribute("aria-live", isNews ? "polite" : "off");
  it.innerHTML = text;
  if (isNews) [told, announced] = [state, performance.now()];
  if (isSame) return;
  game().dataset.presence = word === "here" ? it.dataset.doing : word;
  if (!word) delete game().dataset.presence;
  const late = word === "away" && game().querySelector("[data-later]"); // its script wasn't needed before
  if (late) late.dataset.script = late.dataset.later;
  prepare();
}

function showCall(kept) {
  if (!kept || kept === heard || !line()) return;
  heard = kept;
  title ??= document.title;
  const text = line().dataset[`call-${kept % 8}`]; // as presence.py keeps it
  document.title = text;
  const last = document.querySelector("#status > .heard");
  const happened = last ? [...last.childNodes].slice(1) : [...document.getElementById("status").childNodes];
  say(`${text} `, "heard").append(...happened);
  ring();
}
function forgetCall() {
  if (document.hidden) return;
  document.title = title ?? document.title;
  title = null;
}
for (const input of ["pointerdown", "keydown"]) addEventListener(input, forgetCall, true);
addEventListener("click", ({ target }) => {
  const calls = target.closest?.("#calls form button") && document.getElementById("calls");
  if (!calls) return;
  setTimeout(() => { // once htmx has read which button was pressed
    calls.open = false;
    calls.querySelector("summary").focus();
  });
});

// --- this page's own presence, unless the player doesn't show it ---

const where = () => game()?.dataset.present ?? game()?.dataset.wait ?? "?hide";
const isShown = () => !/[?&]hide$/.test(where());
let stays = -Infinity; // when a press led to a page of the same match
let isClosed = false;

function own() {
  if (!isShown()) return {};
  const seconds = Math.round((Date.now() - hiddenSince) / 1000);
  return { keepalive: document.hidden, headers: { Presence: hiddenSince ? `hidden ${seconds}` : "visible" } };
}
const markStay = () => { stays = performance.now(); };
// Pages of a match have its id or a token in their address; another language changes only what is before that.
const isOfMatch = ({ origin, pathname }) => origin === location.origin && /\/[\w-]{11,}\//.test(pathname);
document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
  if (detail.xhr.getResponseHeader("HX-Redirect")) markStay();
});
addEventListener("submit", (event) => { if (!event.defaultPrevented) markStay(); });
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]:not([target], [download])");
  const isElsewhere = event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey;
  if (link && !isElsewhere && isOfMatch(link)) markStay();
});
// The server waits a moment before it believes this, as a page that is loaded again soon asks.
addEventListener("pagehide", () => {
  isClosed = true;
  if (isShown() && performance.now() - stays > SELDOM) navigator.sendBeacon(where());
});
addEventListener("pageshow", ({ persisted }) => {
  isClosed = false;
  stays = -Infinity;
  if (persisted) ask();
});

// --- asking ---

// The page's address with the step that it shows, of which the answer tells what is new.
function newer() {
  const where = new URL(location.href);
  where.searchParams.set("step", game().dataset.step);
  return where.href;
}

let before = null; // what the status line said, while it says that the server can't answer
function tellDown(isSo) {
  const status = document.getElementById("status");
  if (isSo && status && !before) {
    before = [...status.childNodes];
    say(document.getElementById("down").innerHTML);
  } else if (!isSo && before) {
    status?.replaceChildren(...before);
    before = null;
  }
}

async function ask() {
  const { present, wait } = game()?.dataset ?? {};
  if (present) await ours(present, own());
  else if (mayAsk()) {
    const answer = await ours(wait, own());
    isDown = !answer?.ok;
    tellDown(answer?.status === 503);
    // The player may have acted here meanwhile, too.
    if (answer?.ok && mayAsk() && game().dataset.wait === wait) {
      if (answer.status === 200) await htmx.ajax("GET", newer(), { target: "#game", swap: "morph" });
      else {
        tell(answer.headers.get("Presence") ?? "");
        showCall(answer.headers.get("Call"));
      }
    }
  }
  plan();
}

function plan() {
  clearTimeout(timer);
  const isIdle = Date.now() - since > PATIENCE || game()?.dataset.present;
  timer = setTimeout(ask, document.hidden || isDown ? SELDOM : isIdle ? LATER : EVERY);
}

document.addEventListener("visibilitychange", () => {
  since = Date.now();
  hiddenSince = document.hidden ? since : 0;
  if (!isClosed) ask();
});
addEventListener("online", ask);
document.addEventListener("htmx:afterSettle", ({ target }) => {
  if (target.id !== "game") return;
  before = null;
  // Only a step makes the page ask sooner: a move, which is none, must not show in when it asks.
  if (target.dataset.wait !== shown) {
    since = Date.now();
    plan();
  }
  shown = target.dataset.wait;
  heard ??= call();
  title = null;
  told = stateOf(target.dataset.presence); // what an answer brings is not read out
  const isMyTurn = phase === "waiting" && target.dataset.phase === "firing";
  phase = target.dataset.phase;
  if (isMyTurn) ring();
});
if (game().dataset.present) ask();
else plan();
