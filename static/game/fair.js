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

async function sha256(text) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function check(box, line, result) {
  const say = (name) => {
    result.dataset.fair = name;
    result.textContent = result.dataset[name].replace("{shots}", read()[box.dataset.commitment]);
  };
  if (!window.isSecureContext || !crypto.subtle) return say("byHand");
  if (await sha256(line) !== box.dataset.commitment) return say("differs");
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
