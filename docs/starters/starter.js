// Battleship in JavaScript: node starter.js. It fires beside hits, else at random.
let rules, cells, state, seed = 1;
const below = (n) => (seed = (seed * 48271) % 2147483647) % n; // Lehmer's generator
const name = ([x, y]) => String.fromCharCode(65 + x) + (y + 1);
const near = ([x, y], reach) => cells.filter(([i, j]) => Math.abs(i - x) <= reach && Math.abs(j - y) <= reach);

function fleet() { // ship by ship at random, and all of them again if one finds no room
  const taken = new Set(), placed = [];
  for (const length of rules.fleet) {
    const fitting = [];
    for (const [x, y] of cells) for (const [way, i, j] of [["h", 1, 0], ["v", 0, 1]]) {
      const ship = [...Array(length)].map((_, n) => [x + i * n, y + j * n]);
      const fits = ship.at(-1)[0] < rules.columns && ship.at(-1)[1] < rules.rows && (length > 1 || way === "h");
      if (fits && !ship.some((cell) => taken.has(name(cell)))) fitting.push([name([x, y]) + way + length, ship]);
    }
    if (!fitting.length) return fleet();
    const [text, ship] = fitting[below(fitting.length)];
    for (const cell of ship) near(cell, rules.touching === "anywhere" ? 0 : 1).forEach((it) => taken.add(name(it)));
    placed.push(text);
  }
  return `fleet ${placed.join(" ")}`;
}

function fire() { // where ships move, at last again at what was water
  let left = cells.filter((cell) => !state[name(cell)]);
  if (!left.length) left = cells.filter((cell) => ["water", "sunk"].includes(state[name(cell)]));
  const beside = left.filter(([x, y]) => [[0, 1], [1, 0], [0, -1], [-1, 0]].some(([i, j]) => state[name([x + i, y + j])] === "hit"));
  const chosen = beside.length ? beside : left, cell = name(chosen[below(chosen.length)]);
  return (state[cell] = "aimed") && `fire ${cell}`;
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, ...words] = line.split(" ");
  if (word === "quit") process.exit();
  if (word === "new") {
    [rules, state, seed] = [JSON.parse(words.slice(1).join(" ")), {}, Number(BigInt(words[0]) % 2147483646n) + 1];
    cells = [...Array(rules.columns * rules.rows)].map((_, n) => [n % rules.columns, Math.floor(n / rules.columns)]);
  } else if (word === "shot") state[words[0]] = words[1];
  console.log({ hello: () => "hello 1 javascript", deploy: fleet, aim: fire, steer: () => "stay", probabilities: () => "error unsupported" }[word]?.() ?? "ok");
});
