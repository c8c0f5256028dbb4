// Only answers that carry the site's mark are shown: a captive portal or a filter may answer in its place. Where an
// answer comes from another version than the page, the page is loaded again, once.
import { find, named, say, selectorOf } from "./page.js";
import { aimed, unfold, unfoldedNow } from "./site.js";

const MARK = "Battleship-Version";
const PROXY = "proxy"; // the mark of what the site's own proxy answers, such as that there were too many requests
const RENEWED = named("renewed");
const said = document.body.dataset;
const own = said.version;
const isMark = (mark) => /^[0-9a-f]{8}$/.test(mark ?? "");
const isKnown = (mark) => mark === PROXY || isMark(mark);
const markOf = (xhr) => xhr.getResponseHeader(MARK);

export const isOurs = (xhr) => isMark(markOf(xhr));

// --- what is said of a press that did not go through, until something shows that it may now ---

let warning = null;
let before = []; // what the status line said

function warn(text, link = "") {
  unwarn();
  const main = document.getElementById("main");
  if (!document.getElementById("status")) {
    main.prepend(Object.assign(document.createElement("p"), { id: "status", role: "status", className: "status" }));
  }
  before = [...document.getElementById("status").childNodes];
  warning = say(text, link ? "refused is-long" : "refused");
  const home = Object.assign(document.createElement("a"), { href: said.home, target: "_blank", rel: "noopener" });
  if (link) warning.append(" ", Object.assign(home, { textContent: link }));
  warning.scrollIntoView({ block: "nearest" });
}
function unwarn() {
  if (warning?.isConnected) warning.parentNode.replaceChildren(...before);
  warning = null;
}
const warnOfOthers = (isSent) => warn(isSent ? said.foreignSent : said.foreign, said.foreignHome);
const mayCount = ({ requestConfig } = {}) => requestConfig?.verb === "post" && document.querySelector("#game[data-seat]");

addEventListener("online", unwarn);
addEventListener("pageshow", unwarn);
document.addEventListener("visibilitychange", () => { if (!document.hidden) unwarn(); });

// --- requests by htmx ---

document.addEventListener("htmx:sendError", async ({ detail }) => {
  warn(navigator.onLine ? said.notSent : said.offline);
  const told = warning;
  if (!navigator.onLine) return;
  // A portal that leads elsewhere looks like a lost connection, so the home page is asked for.
  const home = await fetch(said.home, { method: "HEAD", redirect: "manual", cache: "no-store" }).catch(() => null);
  if (home && told === warning && !isKnown(home.headers.get(MARK))) warnOfOthers(mayCount(detail));
});
document.addEventListener("htmx:responseError", ({ detail: { xhr } }) => {
  // The address itself is wrong, and its own page explains that better than a line of text.
  if ([400, 403].includes(xhr.status)) location.reload();
  else warn(said.notSent);
});

function refuse(event) {
  event.preventDefault();
  document.dispatchEvent(new Event("htmx:sendError")); // what the press has changed is undone
  if (markOf(event.detail.xhr) === PROXY) return;
  warnOfOthers(mayCount(event.detail));
}
// Of requests under way the last one counts: what the page asks by itself may be answered after a press.
let latest = null;
const isDrawn = ({ elt, target }) => target.id === "game" && !elt.closest("[hx-swap=none]");
document.addEventListener("htmx:beforeRequest", ({ detail }) => { if (isDrawn(detail)) latest = detail.xhr; });
document.addEventListener("htmx:beforeOnLoad", (event) => {
  if (isDrawn(event.detail) && event.detail.xhr !== latest) {
    event.preventDefault();
    return;
  }
  const { xhr, elt, etc, requestConfig: { verb } } = event.detail;
  const mark = markOf(xhr);
  if (!isMark(mark)) {
    refuse(event);
    return;
  }
  unwarn();
  const isShown = xhr.responseText && (xhr.status < 400 || [409, 422].includes(xhr.status));
  if (!isShown || mark === own) return;
  const told = ["HX-Redirect", "HX-Replace-Url", "HX-Push-Url"].map((name) => xhr.getResponseHeader(name));
  const link = verb === "get" && !etc.targetOverride && elt.getAttribute("href");
  if (renew(told.find(Boolean) ?? (link || location.href), mark)) event.preventDefault();
});

// Only the part with the mark is taken, without what a proxy has added to the answer.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = event;
  const marked = `data-version="${markOf(detail.xhr)}"`;
  if (!detail.shouldSwap) return;
  if (detail.serverResponse.includes(marked)) detail.selectOverride = `[${marked}]`;
  else refuse(event);
});
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => { detail.shouldSwap &&= detail.target.id === "status"; });

// --- requests by other scripts ---

// The answer of the site; null if there is none, or one of something else.
export async function ours(address, options = {}) {
  const answer = await fetch(address, { cache: "no-store", ...options }).catch(() => null);
  if (!answer) return null;
  if (isMark(answer.headers.get(MARK))) {
    unwarn();
    return answer;
  }
  if (answer.headers.get(MARK) !== PROXY) warnOfOthers(false);
  return null;
}

// --- another version ---

// Whether the page is being loaded again.
function renew(where, mark) {
  const state = { mark, focus: selectorOf(document.activeElement), unfolded: unfoldedNow(), top: scrollY };
  try {
    if (JSON.parse(sessionStorage.getItem(RENEWED))?.mark === mark) return false;
    sessionStorage.setItem(RENEWED, JSON.stringify(state));
  } catch {
    return false; // without a storage it might be loaded again and again
  }
  location.replace(where.split("#")[0]);
  return true;
}

function restore() {
  try {
    const { focus, unfolded, top, mark } = JSON.parse(sessionStorage.getItem(RENEWED)) ?? {};
    if (!unfolded) return;
    sessionStorage.setItem(RENEWED, JSON.stringify({ mark }));
    unfold(unfolded);
    if (focus) (find(focus) ?? aimed())?.focus({ preventScroll: true });
    scrollTo({ top });
  } catch { /* there is no storage */ }
}
restore();

// A script that is needed late may be gone after an update.
document.addEventListener("error", async ({ target }) => {
  if (!target.matches?.("script")) return;
  const mark = (await ours(location.href, { method: "HEAD" }))?.headers.get(MARK);
  if (mark && mark !== own) renew(location.href, mark);
}, true);
