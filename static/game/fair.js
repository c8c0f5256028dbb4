// Fair play: notes the fingerprint that is shown first, and at the end computes it from what is revealed.

const KEY = "battleship-fingerprints";
const MOST = 50;
let noted = null; // where the browser keeps nothing, at least as long as the page lasts

function read() {
  if (noted) return noted;
  try { noted = JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { noted = {}; }
  return noted;
}

// Each fingerprint with the number of shots its player had fired when it was first seen.
function note(fingerprint, shots) {
  const seen = read();
  if (fingerprint in seen) return;
  seen[fingerprint] = shots;
  for (const old of Object.keys(seen).slice(0, -MOST)) delete seen[old];
  try { localStorage.setItem(KEY, JSON.stringify(seen)); } catch { /* it is not kept, then */ }
}

const utf8 = (text) => new TextEncoder().encode(text);
const digest = (bytes) => crypto.subtle.digest("SHA-256", bytes);
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = async (text) => hex(await digest(utf8(text)));

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
  const say = (name) => {
    result.dataset.fair = name;
    result.textContent = result.dataset[name].replace("{shots}", read()[box.dataset.commitment]);
  };
  if (!window.isSecureContext || !crypto.subtle) return say("byHand");
  if (await sha256(line) !== box.dataset.commitment) return say("differs");
  const shown = box.querySelector("[data-link]");
  if (shown) checkLink(shown, line, box.querySelector("[data-link-result]"));
  const shots = read()[box.dataset.commitment];
  return say(shots === undefined ? "unseen" : shots > 0 ? "late" : "same");
}

function look() {
  const box = document.querySelector("[data-commitment]");
  if (!box) return;
  const line = box.querySelector("[data-statement]");
  if (!line) note(box.dataset.commitment, Number(box.dataset.shots));
  else check(box, line.textContent, box.querySelector("[data-fair-result]"));
}

document.addEventListener("htmx:afterSettle", look);
look();
