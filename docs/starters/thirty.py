import json, random, sys

def fleet():  # ship by ship at random, and all of them again if one finds no room
    chosen, free, near = [], sea, [0] if rules["touching"] == "anywhere" else [-1, 0, 1]
    for length in rules["fleet"]:
        fitting = [ship for ship in ships if ship[-1] == str(length) and ships[ship] <= free]
        if not fitting:
            return fleet()
        chosen.append(random.choice(fitting))
        free = free - {(x + i, y + j) for x, y in ships[chosen[-1]] for i in near for j in near}
    return " ".join(["fleet", *chosen])

def fire():  # beside a hit, else anywhere; where ships move, at last where water was
    left = sea - seen.keys() or {cell for cell in sea if seen[cell] in ("water", "sunk")}
    hits = [cell for cell in seen if seen[cell] == "hit"]
    beside = {(x + i, y + j) for x, y in hits for i, j in [(0, 1), (1, 0), (0, -1), (-1, 0)]}
    x, y = random.choice(sorted(left & beside or left))
    seen[x, y] = "aimed"
    return f"fire {chr(65 + x)}{y + 1}"

for word, *words in map(str.split, sys.stdin):
    if word == "new":
        random.seed(int(words[0]))
        rules, seen = json.loads(" ".join(words[1:])), {}
        sea = {(x, y) for x in range(rules["columns"]) for y in range(rules["rows"])}
        ships = {f"{chr(65 + x)}{y + 1}{way}{n}": {(x + i, y) if way == "h" else (x, y + i)
                 for i in range(n)} for x, y in sea for way in "hv" for n in {1, *rules["fleet"]}}
    elif word == "shot":  # a wreck whose place is told, or the one cell
        wreck = words[-1] if words[1] == "sunk" and rules.get("wrecks") else f"{words[0]}h1"
        seen.update(dict.fromkeys(ships[wreck], words[1]))
    answers = {"hello": lambda: "hello 1 thirty", "deploy": fleet, "aim": fire, "quit": sys.exit,
               "steer": lambda: "stay", "probabilities": lambda: "error unsupported"}
    print(answers.get(word, lambda: "ok")(), flush=True)
