// Sounds of tones and noise, and vibration. Loaded only if they are switched on.

const root = document.documentElement;
const QUIET = 0.0001;
const HEADROOM = 0.6; // keeps the sum of the voices of a cue below full scale

// The voices of each cue: kind, hertz at the start and at the end, start and length in seconds, volume. Most of their
// energy lies between 400 Hz and 4 kHz, which the loudspeaker of a phone carries; deep voices only add weight elsewhere.
const CUES = {
  fire: [["bandpass", 1400, 500, 0, 0.6, 1.5], ["sine", 110, 42, 0, 0.25, 0.3]],
  water: [
    ["bandpass", 3600, 1700, 0, 1.1, 1], ["bandpass", 2600, 1600, 0.05, 0.9, 0.5],
    ["sine", 620, 1100, 0.12, 0.1, 0.2], ["sine", 760, 1350, 0.26, 0.1, 0.16],
  ],
  hit: [
    ["bandpass", 1100, 450, 0, 0.6, 1.9], ["triangle", 640, 420, 0, 0.35, 0.35], ["triangle", 130, 38, 0, 0.4, 0.3],
    ["bandpass", 2400, 1500, 0.05, 0.3, 0.1],
  ],
  sunk: [
    ["lowpass", 1000, 450, 0, 1.3, 2.4], ["sawtooth", 700, 420, 0.1, 1.1, 0.5], ["triangle", 98, 30, 0, 0.9, 0.3],
    ["sine", 500, 1000, 0.9, 0.14, 0.14],
  ],
  won: [
    ["triangle", 587, 587, 0, 0.5, 0.45], ["triangle", 880, 880, 0.16, 0.5, 0.45],
    ["triangle", 1175, 1175, 0.32, 1.2, 0.5], ["triangle", 880, 880, 0.32, 1.2, 0.3],
  ],
  lost: [["triangle", 587, 580, 0, 0.6, 0.55], ["triangle", 440, 432, 0.3, 1.2, 0.6]],
  tick: [["sine", 1250, 1250, 0, 0.03, 0.12]],
  turn: [["sine", 1180, 1170, 0, 0.9, 0.22], ["sine", 2830, 2800, 0, 0.4, 0.06], ["sine", 1180, 1170, 0.35, 1.1, 0.22]],
};
const SHAKES = { hit: 15, sunk: [40, 30, 40] };

let context = null;
const rushes = new WeakMap(); // a second of noise for each context
const outputs = new WeakMap(); // what all cues of a context pass through

function rush(on) {
  if (!rushes.has(on)) {
    const noise = on.createBuffer(1, on.sampleRate, on.sampleRate);
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
    rushes.set(on, noise);
  }
  return rushes.get(on);
}

// Cues that overlap, as in a salvo, are bent below full scale (-1 dB) together, so that they don't clip.
function output(on) {
  if (!outputs.has(on)) {
    const bend = on.createWaveShaper();
    bend.curve = Float32Array.from({ length: 1025 }, (_, i) => 0.445 * (3 * (i / 512 - 1) - (i / 512 - 1) ** 3));
    bend.connect(on.destination);
    outputs.set(on, bend);
  }
  return outputs.get(on);
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
  volume.connect(output(on));
  for (const each of CUES[cue]) voice(on, volume, each);
}

export function play(cue, loud) {
  context ??= new AudioContext();
  context.resume();
  draw(context, cue, loud);
}

export const shake = (result) => SHAKES[result] && navigator.vibrate?.(SHAKES[result]);
