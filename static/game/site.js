// On every page: the help, the status line, and what stays in place while htmx swaps an answer in.
import "./escape.js";
import "./morph.js";
import { find, home, path, selectorOf, typedKey } from "./page.js";
import { isByPointer } from "./presses.js";

const game = () => document.getElementById("game");
const heading = () => document.querySelector("#game .phase");

// --- in a game the help opens as a dialog; elsewhere, without script, or in a new tab, its link leads to the rules ---

const help = document.getElementById("help-dialog");
function showHelp(event) {
  event.preventDefault();
  document.getElementById("menu").hidePopover?.();
  help.showModal();
}
document.getElementById("help").addEventListener("click", (event) => {
  if (help && !event.ctrlKey && !event.metaKey && !event.shiftKey) showHelp(event);
});
document.addEventListener("keydown", (event) => {
  if (typedKey(event) !== "?" || !help || help.open) return;
  if (document.documentElement.dataset.shortcuts === "off") return;
  if (event.target.closest("input:not([type=radio], [type=checkbox], [type=range]), select, textarea")) return;
  showHelp(event);
});

// A replay writes its step into the address. The link to the settings passes it on.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#settings");
  if (link) link.search = location.search;
});

// --- requests ---

// An address holds the match, so it stands in action or href alone, or nowhere if it is the page's own.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  const { elt } = detail;
  if (!elt.matches("[hx-post=''], [hx-get='']")) return;
  const [where] = (elt.getAttribute("action") ?? elt.getAttribute("href") ?? "").split("#");
  detail.path = where || location.pathname + location.search;
});
let sent = null; // the button that was pressed
let waiting = 0; // how many answers are awaited
document.addEventListener("htmx:beforeRequest", ({ detail: { requestConfig: { triggeringEvent } } }) => {
  waiting += 1;
  game()?.setAttribute("aria-busy", "true");
  sent = triggeringEvent?.submitter;
  sent?.classList.add("is-sent");
});
document.addEventListener("htmx:afterRequest", () => {
  waiting -= 1;
  if (!waiting) game()?.removeAttribute("aria-busy");
  sent?.classList.remove("is-sent");
});

// htmx writes the address into the session's storage, and with it the match.
function forget() {
  try { sessionStorage.removeItem("htmx-current-path-for-history"); } catch { /* there is none */ }
}
// The links that lead to the same moment elsewhere follow the address.
function follow() {
  forget();
  for (const link of document.querySelectorAll("nav [hreflang]"))
    link.href = `${path}${link.lang}/${location.pathname.slice(home.length)}${location.search}`;
  document.getElementById("settings").href = `${location.pathname}settings/${location.search}`;
}
for (const kind of ["replacedInHistory", "pushedIntoHistory"]) document.addEventListener(`htmx:${kind}`, follow);

// A player who goes on need not watch an effect to its end. A shell flies on until its answer is in.
export function finishEffects() {
  if (game()?.hasAttribute("aria-busy")) return;
  for (const effect of document.getAnimations?.() ?? []) {
    if (effect.effect.getComputedTiming().endTime < Infinity) effect.finish();
  }
}
for (const input of ["pointerdown", "keydown"]) addEventListener(input, finishEffects, true);

// --- answers ---

// A press beside an open drawer closes it.
document.addEventListener("pointerdown", ({ target }) => {
  const open = document.querySelector("#game details[name=drawer][open]:not(#text-view)");
  if (open && !open.contains(target)) open.open = false;
});

export const unfoldedNow = () => [...document.querySelectorAll("#game details[id][open]")].map((it) => it.id);
export function unfold(ids) {
  for (const id of ids) document.getElementById(id)?.setAttribute("open", "");
}

// Where a page is swapped whole, open details stay open and keep the focus if it is within; but the drawer of a match
// would cover its end.
let unfolded = [];
let focused = ""; // a selector
let hadFocus = false;
document.addEventListener("htmx:beforeSwap", () => {
  unfolded = unfoldedNow();
  focused = selectorOf(document.activeElement);
  hadFocus = document.activeElement !== document.body;
});
document.addEventListener("htmx:afterSwap", () => {
  unfold(game()?.dataset.phase === "over" ? unfolded.filter((id) => id !== "more") : unfolded);
  if (document.activeElement === document.body) find(focused)?.focus({ preventScroll: true });
});

// The focus stays where the player aims. When the phase changes, it goes to what comes next.
let phase = game()?.dataset.phase ?? null;
let aim = ""; // a selector for what the player aimed with: a cell, or the field for typing one
document.addEventListener("focusin", ({ target }) => {
  if (target.id === "typed" || target.closest?.("[data-board=enemy] [role=gridcell]")) aim = selectorOf(target);
});
export const aimed = () => find(aim) ?? find("[data-board=enemy] td > :is(button, input):not([tabindex='-1'])");
const isAiming = (now) => ["firing", "puzzle", "searching"].includes(now);
function next(now) {
  const asked = document.querySelector("#game :is([data-escape], [autofocus])"); // changes nothing, or leads on
  if (asked) return asked;
  return now === phase || isAiming(now) ? aimed() : null;
}
// An answer that comes by itself must not take the focus from anything, nor scroll a page that goes on.
function keepFocus(isOwn) {
  const now = game()?.dataset.phase;
  const isLost = [null, document.body, heading()].includes(document.activeElement);
  const isNew = now !== phase;
  if (((isNew || find("#game .wreck")) && isOwn) || (isLost && (isOwn || isNew || hadFocus))) {
    (next(now) ?? heading())?.focus({ preventScroll: true });
    if ((isOwn || isNew) && (now === "over" || phase === "placing")) scrollTo({ top: 0 });
  }
  if (now === "handover") aim = ""; // it was another player's
  phase = now;
}

// A page that is opened has the focus where the player aims, on the headline of the end, or on Start if a fleet is ready.
// A screen reader says the status with it. A ring is shown to players who use keys: the last press counts, also that on
// the page before.
function land() {
  if (document.activeElement !== document.body || location.hash || find("#game.lift .firing")) return;
  const there = isAiming(phase) ? next(phase) : find("#game [data-ended], .placing .bar > .primary:not([aria-disabled])");
  there?.setAttribute("aria-describedby", "status");
  there?.addEventListener("blur", () => there.removeAttribute("aria-describedby"), { once: true });
  there?.focus({ preventScroll: true, focusVisible: isByPointer() ? false : undefined });
}

export function prepare() {
  for (const button of document.querySelectorAll("form[hx-get] .no-script")) button.hidden = true;
  // A part of the page that needs a rare script names it.
  for (const { dataset: { script: src } } of document.querySelectorAll("[data-script]")) {
    if (document.querySelector(`script[src="${src}"]`)) continue;
    document.head.append(Object.assign(document.createElement("script"), { type: "module", src }));
  }
}
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  prepare();
  keepFocus(Boolean(detail.requestConfig?.triggeringEvent));
});
prepare();
forget();
land();

// On pages that lead to a match, its files are loaded once the page's own are: one by one, as a press may want to load.
addEventListener("load", async () => {
  const files = document.getElementById("ahead")?.content.querySelectorAll("link") ?? [];
  for (const { href } of files) await fetch(href, { priority: "low" }).then((it) => it.blob()).catch(() => { /* later */ });
});
