// Fair play: draws the player's half of the seed, notes the fingerprints that are shown first, and at the
// end computes them from what is revealed.

const KEY = "battleship-fingerprints";
const MOST = 50;
let noted = null; // where the browser keeps nothing, at least as long as the page lasts

function read() {
  if (noted) return noted;
  try { noted = JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { noted = {}; }
  return noted;
}

// Each fingerprint with the number of shots its player had fired when it was first seen; then the
// fingerprint of the server's half of the seed and the player's own, where this page has sent one.
function note(fingerprint, shots) {
  const seen = read();
  if (fingerprint in seen) return;
  seen[fingerprint] = [shots, sent?.noted, sent?.half];
  for (const old of Object.keys(seen).slice(0, -MOST)) delete seen[old];
  try { localStorage.setItem(KEY, JSON.stringify(seen)); } catch { /* it is not kept, then */ }
}

const utf8 = (text) => new TextEncoder().encode(text);
const digest = (bytes) => crypto.subtle.digest("SHA-256", bytes);
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = async (text) => hex(await digest(utf8(text)));

// --- the halves of the seed ---

let own = null; // the half that answers to the fingerprint on this placing page
let sent = null; // the one that the server was given: a quick press may be sent before there is any

function answer(input, box) {
  const { noted } = input.dataset;
  if (own?.noted !== noted) own = { noted, half: hex(crypto.getRandomValues(new Uint8Array(16))) };
  input.value = box.querySelector("code").textContent = own.half;
  box.hidden = false;
}
document.addEventListener("htmx:configRequest", ({ detail: { formData } }) => {
  if (!own || !formData.has("half")) return;
  formData.set("half", own.half);
  sent = own;
});

async function checkHalves(result, line, [, noted, half]) {
  const [, server, client, seed] = line.match(/\|server (\w+)\|client ([^|]+)\|seed (\w+)$/);
  const follows = (await sha256(`battleship-seed-1|${server}|${client}`)).startsWith(seed);
  const isOwn = half === client && noted === await sha256(server);
  result.dataset.halves = !follows ? "breaks" : isOwn ? "holds" : half ? "breaks" : "unseen";
  result.textContent = result.dataset[result.dataset.halves];
}

// Of a day's sea: each hash leads to the link of the day before, and the seed follows from the day's own.
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
  if (!window.isSecureContext || !crypto.subtle) return say("byHand");
  if (await sha256(line) !== box.dataset.commitment) return say("differs");
  const shown = box.querySelector("[data-link]");
  if (shown) checkLink(shown, line, box.querySelector("[data-link-result]"));
  const halves = box.querySelector("[data-halves-result]");
  if (halves) checkHalves(halves, line, noted);
  return say(shots === undefined ? "unseen" : shots > 0 ? "late" : "same");
}

function look() {
  const input = document.querySelector("form.placing [data-noted]");
  if (input) answer(input, document.querySelector("[data-half]"));
  const box = document.querySelector("[data-commitment]");
  if (!box) return;
  const line = box.querySelector("[data-statement]");
  if (!line) note(box.dataset.commitment, Number(box.dataset.shots));
  else check(box, line.textContent, box.querySelector("[data-fair-result]"));
}

document.addEventListener("htmx:afterSettle", look);
look();
