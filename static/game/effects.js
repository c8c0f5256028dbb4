// What shots sound and feel like. Fetched only by those who switched it on.

const root = document.documentElement;
const QUIET = 0.0001;
let context = null;

// A voice that fades: a tone that slides, or where there is no tone the rush of water under a filter.
function voice(on, to, { tone, from, until = from, at = 0, lasts, loud = 0.5 }) {
  const start = on.currentTime + at;
  const source = tone ? on.createOscillator() : on.createBufferSource();
  const slid = tone ? source : on.createBiquadFilter();
  if (tone) source.type = tone;
  else {
    const rush = on.createBuffer(1, on.sampleRate * lasts, on.sampleRate);
    const samples = rush.getChannelData(0);
    for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
    source.buffer = rush;
    source.connect(slid);
  }
  slid.frequency.setValueAtTime(from, start);
  slid.frequency.exponentialRampToValueAtTime(until, start + lasts);
  const gain = on.createGain();
  gain.gain.setValueAtTime(loud, start);
  gain.gain.exponentialRampToValueAtTime(QUIET, start + lasts);
  slid.connect(gain).connect(to);
  source.start(start);
  source.stop(start + lasts);
}

const thump = { tone: "square", from: 140, until: 45, lasts: 0.28, loud: 0.45 };
const chord = (notes) => notes.map((from, i) => ({ tone: "triangle", from, at: 0.4 + i * 0.14, lasts: 0.5 }));
const SOUNDS = {
  water: [{ from: 1800, until: 250, lasts: 0.4, loud: 0.6 }],
  hit: [thump, { from: 3200, until: 500, lasts: 0.18, loud: 0.5 }],
  sunk: [
    thump, { ...thump, at: 0.16 }, { tone: "sawtooth", from: 330, until: 50, at: 0.3, lasts: 0.9, loud: 0.35 },
    { from: 700, until: 90, at: 0.3, lasts: 1, loud: 0.5 },
  ],
  won: chord([262, 330, 392, 523]),
  lost: chord([392, 330, 262, 196]),
};
const WAITS = { instant: 0, relaxed: 0.6 };
const SHAKES = { hit: 15, sunk: [40, 30, 40] };

// The sound of a result into a context, live or not; the enemy's come later and softer.
export function draw(on, result, { after = 0, loud = 1 } = {}) {
  const volume = on.createGain();
  volume.gain.value = loud * Number(root.dataset.volume ?? 60) / 100;
  volume.connect(on.destination);
  for (const each of SOUNDS[result]) voice(on, volume, { ...each, at: (each.at ?? 0) + after });
}

export function play(result, how) {
  context ??= new AudioContext();
  context.resume();
  draw(context, result, how);
}

export const shake = (result) => SHAKES[result] && navigator.vibrate?.(SHAKES[result]);

// An answer settles in several places; the game is one of them.
document.addEventListener("htmx:afterSettle", ({ target }) => {
  if (target.id !== "game") return;
  const { you, foe, outcome } = target.dataset;
  if (root.dataset.haptics === "on") shake(you);
  if (root.dataset.sound !== "on") return;
  if (you) play(you);
  if (foe) play(foe, { after: you ? WAITS[root.dataset.speed] ?? 0.3 : 0, loud: 0.5 });
  if (SOUNDS[outcome] && (you || foe)) play(outcome);
});
