import java.util.*;
import java.util.stream.*;
class Starter { // Battleship in Java: java Starter.java; it fires beside hits, else at random
    static List<String> rules; // the words of RULES
    static Map<String, String> state = new HashMap<>(); // of cells: aimed, water, hit or sunk
    static int columns, size, margin; static Random random;
    static int value(int at) { return Integer.parseInt(rules.get(at)); }
    static Stream<Integer> cells() { return IntStream.range(0, size).boxed(); }
    static String name(int cell) { return "" + (char) ('A' + cell % columns) + (cell / columns + 1); }
    static double apart(int a, int b) { return Math.hypot(a % columns - b % columns, a / columns - b / columns); }
    static String fleet(String placed, Set<Integer> taken) { // all again if a ship finds no room
        for (int at = rules.indexOf("fleet") + 1, tries = 0; rules.get(at).matches("\\d+"); tries++) {
            int length = value(at), step = length == 1 || random.nextBoolean() ? 1 : columns, bow = random.nextInt(size);
            var ship = Stream.iterate(bow, it -> it + step).limit(length).toList(); int last = ship.get(length - 1);
            if (tries > 5000) return fleet("fleet", new HashSet<>());
            if (last >= size || step == 1 && last / columns > bow / columns || !Collections.disjoint(ship, taken)) continue;
            for (int cell : ship) cells().filter(it -> apart(cell, it) < margin).forEach(taken::add);
            placed += " " + name(bow) + (step == 1 ? "h" : "v") + rules.get(at++);
        } return placed;
    }
    static String fire(int round) { // beside a hit, else anywhere; where ships move, at last where water was
        var hits = cells().filter(it -> "hit".equals(state.get(name(it)))).toList();
        var near = cells().filter(it -> round > 0 || hits.stream().anyMatch(hit -> apart(it, hit) == 1)).map(Starter::name);
        var fit = near.filter(it -> round < 2 ? !state.containsKey(it) : "water sunk".contains(state.get(it))).toList();
        if (fit.isEmpty()) return fire(round + 1);
        String cell = fit.get(random.nextInt(fit.size())); state.put(cell, "aimed");
        return "fire " + cell;
    }
    public static void main(String[] args) {
        for (var in = new Scanner(System.in); in.hasNextLine();) {
            String[] words = in.nextLine().split("\\W+");
            if (words[0].equals("quit")) return;
            if (words[0].equals("new")) {
                rules = List.of(words); random = new Random(Long.parseUnsignedLong(words[1])); state.clear();
                columns = value(rules.indexOf("columns") + 1); size = columns * value(rules.indexOf("rows") + 1); margin = rules.contains("anywhere") ? 1 : 2;
            } else if (words[0].equals("shot")) state.put(words[1], words[2]);
            System.out.println(switch (words[0]) { case "hello" -> "hello 1 java"; case "steer" -> "stay"; case "aim" -> fire(0); case "deploy" -> fleet("fleet", new HashSet<>()); case "probabilities" -> "error unsupported"; default -> "ok"; });
        }
    }
}
