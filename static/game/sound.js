// Sounds of tones and noise, and vibration. Loaded only if they are switched on.

const root = document.documentElement;
const QUIET = 0.0001;
const HEADROOM = 0.6; // keeps the sum of the voices of a cue below full scale

// The voices of each cue: kind, hertz at the start and at the end, start and length in seconds, volume.
const CUES = {
  fire: [["lowpass", 900, 120, 0, 0.22, 0.5], ["sine", 110, 42, 0, 0.25, 0.6]],
  water: [
    ["bandpass", 1500, 300, 0, 0.4, 0.45], ["sine", 520, 900, 0.1, 0.06, 0.08],
    ["sine", 640, 1150, 0.2, 0.05, 0.06],
  ],
  hit: [
    ["lowpass", 2600, 180, 0, 0.5, 0.8], ["triangle", 130, 38, 0, 0.4, 0.7],
    ["bandpass", 3800, 1900, 0.05, 0.25, 0.12],
  ],
  sunk: [
    ["lowpass", 1800, 90, 0, 1.1, 0.8], ["triangle", 98, 30, 0, 0.9, 0.7], ["sawtooth", 210, 62, 0.25, 0.9, 0.1],
    ["sine", 300, 700, 0.9, 0.12, 0.07],
  ],
  won: [
    ["triangle", 294, 294, 0, 0.3, 0.3], ["triangle", 440, 440, 0.16, 0.3, 0.3],
    ["triangle", 587, 587, 0.32, 0.8, 0.34],
  ],
  lost: [["triangle", 294, 290, 0, 0.4, 0.28], ["triangle", 220, 216, 0.3, 0.9, 0.28]],
  tick: [["sine", 1250, 1250, 0, 0.03, 0.12]],
  turn: [["sine", 1180, 1170, 0, 0.9, 0.22], ["sine", 2830, 2800, 0, 0.4, 0.06], ["sine", 1180, 1170, 0.35, 1.1, 0.22]],
};
const SHAKES = { hit: 15, sunk: [40, 30, 40] };

let context = null;
const rushes = new WeakMap(); // a second of noise for each context

function rush(on) {
  if (!rushes.has(on)) {
    const noise = on.createBuffer(1, on.sampleRate, on.sampleRate);
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
    rushes.set(on, noise);
  }
  return rushes.get(on);
}

// A voice that slides and fades: a tone, or noise through a filter.
function voice(on, to, [kind, from, until, at, lasts, loud]) {
  const start = on.currentTime + at;
  const isNoise = kind.endsWith("pass");
  const source = isNoise ? on.createBufferSource() : on.createOscillator();
  const slid = isNoise ? on.createBiquadFilter() : source;
  if (isNoise) {
    source.buffer = rush(on);
    source.loop = true;
    source.connect(slid);
  }
  slid.type = kind;
  slid.frequency.setValueAtTime(from, start);
  slid.frequency.exponentialRampToValueAtTime(until, start + lasts);
  const gain = on.createGain();
  gain.gain.setValueAtTime(loud, start);
  gain.gain.exponentialRampToValueAtTime(QUIET, start + lasts);
  slid.connect(gain).connect(to);
  source.start(start);
  source.stop(start + lasts);
}

// Plays a cue into an audio context, live or offline.
export function draw(on, cue, loud = 1) {
  const volume = on.createGain();
  volume.gain.value = loud * HEADROOM * Number(root.dataset.volume ?? 60) / 100;
  volume.connect(on.destination);
  for (const each of CUES[cue]) voice(on, volume, each);
}

export function play(cue, loud) {
  context ??= new AudioContext();
  context.resume();
  draw(context, cue, loud);
}

export const shake = (result) => SHAKES[result] && navigator.vibrate?.(SHAKES[result]);
