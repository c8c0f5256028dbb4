/* Battleship in C: gcc -O2 -o starter starter.c; it fires beside hits, else at random. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char line[8192], state[225]; /* of each cell: 0, or the first letter of aimed, water, hit, sunk */
static int columns, size, margin, lengths[225], ships;
static int value(const char *key) { return atoi(strstr(line, key) + strlen(key)); }
static int is(const char *word) { return !strncmp(line, word, strlen(word)); }
static int apart(int a, int b) { return abs(a % columns - b % columns) * 16 + abs(a / columns - b / columns); }
static void fleet(void) { /* ship by ship, and all again if one finds no room */
    char text[2048] = "fleet", taken[225] = {0};
    for (int at = 0, tries = 0; at < ships; tries++) {
        int step = lengths[at] == 1 || rand() % 2 ? 1 : columns, bow = rand() % size, last = bow + (lengths[at] - 1) * step;
        int fits = last < size && (step > 1 || last / columns == bow / columns);
        if (tries > 5000) at = tries = 0, strcpy(text, "fleet"), memset(taken, 0, sizeof taken);
        for (int cell = bow; cell <= last && fits; cell += step) fits = !taken[cell];
        for (int cell = bow; cell <= last && fits; cell += step) for (int it = 0, d; it < size; it++) d = apart(cell, it), taken[it] |= d / 16 <= margin && d % 16 <= margin;
        if (fits) sprintf(text + strlen(text), " %c%d%c%d", 'A' + bow % columns, bow / columns + 1, "vh"[step == 1], lengths[at++]);
    }
    puts(text);
}
static void fire(int round) { /* beside a hit, else anywhere; where ships move, at last where water was */
    int fit[225], count = 0;
    for (int cell = 0, near = round; cell < size; cell++, near = round) {
        for (int it = 0; it < size; it++) near |= state[it] == 'h' && (apart(cell, it) == 1 || apart(cell, it) == 16);
        if (near && (round < 2 ? !state[cell] : state[cell] == 'w' || state[cell] == 's')) fit[count++] = cell;
    }
    if (count) state[count = fit[rand() % count]] = 'a', printf("fire %c%d\n", 'A' + count % columns, count / columns + 1);
    else fire(round + 1);
}
int main(void) {
    for (setvbuf(stdout, 0, _IOLBF, 0); fgets(line, sizeof line, stdin) && !is("quit");) {
        if (is("new")) {
            columns = value("\"columns\": "), size = columns * value("\"rows\": "), margin = !strstr(line, "anywhere");
            ships = 0, memset(state, 0, sizeof state), srand(strtoull(line + 4, 0, 10) % 2147483647);
            for (char *at = strstr(line, "\"fleet\": [") + 10; *at != ']'; at += strspn(at, ", ")) lengths[ships++] = strtol(at, &at, 10);
        } else if (is("shot")) state[(atoi(line + 6) - 1) * columns + line[5] - 'A'] = strchr(line + 5, ' ')[1];
        is("aim") ? fire(0) : is("deploy") ? fleet() : (void) puts(is("hello") ? "hello 1 c" : is("steer") ? "stay" : is("probabilities") ? "error unsupported" : "ok");
    }
}
