// Fair play: draws the player's share of the seed, keeps the first commitments that a page shows, and checks
// them at the end against what is revealed.

import { named } from "./page.js";

const KEY = named("battleship-fingerprints");
const MOST = 50;
let noted = null; // kept at least as long as the page if the browser has no storage

function read() {
  if (noted) return noted;
  try { noted = JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { noted = {}; }
  return noted;
}

// Keeps for each commitment the number of shots that the player had fired when it was first seen; then the hash
// of the server's share of the seed and the player's own share, if this page has sent one.
function note(fingerprint, shots) {
  const seen = read();
  if (fingerprint in seen) return;
  seen[fingerprint] = [shots, sent?.serverHash, sent?.share];
  sent = null;
  for (const old of Object.keys(seen).slice(0, -MOST)) delete seen[old];
  try { localStorage.setItem(KEY, JSON.stringify(seen)); } catch { /* there is no storage */ }
}

const canHash = () => window.isSecureContext && crypto.subtle;
const utf8 = (text) => new TextEncoder().encode(text);
const digest = (bytes) => crypto.subtle.digest("SHA-256", bytes);
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = async (text) => hex(await digest(utf8(text)));

// --- the shares of the seed ---

let own = null; // the share for the match that this page starts, and the first hash that the page showed
let sent = null; // the share that the server was given; a quick press may be sent before there is any

const random = () => hex(crypto.getRandomValues(new Uint8Array(16)));

// A share that was sent without starting a match is used up, since the server could choose a fleet by it. The
// first hash stays, so that the check at the end finds another one.
function answer(input, box) {
  if (own?.input === input) return; // the answer left the form as it was
  const share = own && own !== sent ? own.share : random();
  own = { input, serverHash: own?.serverHash ?? input.dataset.noted, share };
  sent = null;
  if (!box) return;
  box.querySelector("code").textContent = own.share;
  box.hidden = false;
}

// The form at the end always starts a match; a placing page says how many ships are left if the last one does. A fleet
// of chance starts one only if the player prefers that in every game.
function starts(form, action) {
  if (form.matches(".again")) return true;
  const { left } = form.dataset;
  if (action === "random") return Boolean(left) && document.documentElement.matches("[data-start_at_last=on]");
  return action === "start" || left === "1";
}
document.addEventListener("htmx:configRequest", ({ detail: { elt, formData } }) => {
  if (!own || !formData.has("half") || !starts(elt.closest("form"), formData.get("action"))) return;
  formData.set("half", own.share);
  sent = own;
});

const SHARES = /\|server ([0-9a-f]{32})\|client ([^|]+)\|seed ([0-9a-f]{32})$/;

async function judged(line, serverHash, share) {
  const [, server, client, seed] = line.match(SHARES) ?? [];
  if (!server) return share || line.includes("|server ") ? "breaks" : "";
  if (share && share !== client) return "breaks";
  if (!canHash()) return share ? "byHand" : "";
  if (!(await sha256(`battleship-seed-1|${server}|${client}`)).startsWith(seed)) return "breaks";
  if (!share) return "unseen";
  return serverHash === await sha256(server) ? "holds" : "breaks";
}
async function checkShares(result, line, [, serverHash, share]) {
  const name = result.dataset.halves = await judged(line, serverHash, share);
  result.textContent = (result.dataset[name] ?? "").replace("{noted}", serverHash).replace("{half}", share);
}

// Checks a day's link: its hashes lead to the first link, and the seed follows from it.
async function checkLink(shown, line, result) {
  const link = Uint8Array.from(shown.textContent.match(/../g), (byte) => parseInt(byte, 16));
  const [, number, first] = line.match(/\|day \S+ (\d+) (\w+)\|/);
  let at = link;
  for (let i = 0; i < Number(number); i++) {
    at = await digest(new Uint8Array([...utf8("battleship-daily-1"), ...new Uint8Array(at)]));
  }
  const key = await crypto.subtle.importKey("raw", link, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const seed = hex(await crypto.subtle.sign("HMAC", key, utf8(shown.dataset.link))).slice(0, 32);
  const holds = hex(at) === first && line.endsWith(`|seed ${seed}`);
  result.textContent = result.dataset[holds ? "holds" : "breaks"];
}

async function check(box, line, result) {
  const noted = [read()[box.dataset.commitment]].flat();
  const [shots] = noted;
  const say = (name) => {
    result.dataset.fair = name;
    result.textContent = result.dataset[name].replace("{shots}", shots);
  };
  if (canHash() && await sha256(line) !== box.dataset.commitment) return say("differs");
  const sharesResult = box.querySelector("[data-halves-result]");
  if (sharesResult) checkShares(sharesResult, line, noted);
  if (!canHash()) return say("byHand");
  const shown = box.querySelector("[data-link]");
  if (shown) checkLink(shown, line, box.querySelector("[data-link-result]"));
  return say(shots === undefined ? "unseen" : shots > 0 ? "late" : "same");
}

function look() {
  const input = document.querySelector("#game [data-noted]");
  if (input) answer(input, document.querySelector("[data-half]"));
  else own = null;
  const box = document.querySelector("[data-commitment]");
  if (!box) return;
  const line = box.querySelector("[data-statement]");
  if (!line) note(box.dataset.commitment, Number(document.querySelector("#text-view b").textContent));
  else check(box, line.textContent, box.querySelector("[data-fair-result]"));
}

document.addEventListener("htmx:afterSettle", look);
look();
