// The inner loops of the belief: sampling, listing and counting fleets, and the messages of single
// ships.
//
// docs/belief.md explains the algorithms and names their sources. `make compiled` builds
// compiled.wasm from this file: WebAssembly, whose arithmetic is bit-identical on every machine.
// Logarithm and exponential are implemented here, because math libraries differ in the last bit.
// compiled.py calls `room`, writes the arrays there in the order in which they are `read`, each
// aligned to 16 bytes, and calls one of `draw`, `list`, `count` and `forward`.

#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef int32_t i32;
typedef uint32_t u32;
typedef uint64_t u64;
typedef double f64;

// --- memory: the input is at __heap_base, followed by everything else ---

extern u8 __heap_base;
static u64 top;

static void *take(u64 bytes) {
    u64 at = top;
    top += (bytes + 15) & ~15ull;
    u64 pages = (top >> 16) + 1, has = __builtin_wasm_memory_size(0);
    if (pages > has && __builtin_wasm_memory_grow(0, pages - has) == (u32)-1) __builtin_trap();
    return (void *)(u32)at;
}

// Reserves memory for an input of that many bytes and returns its address.
u32 room(u32 bytes) {
    top = ((u32)&__heap_base + 15) & ~15u;
    return (u32)take(bytes);
}

static f64 *numbers(i32 count) {
    f64 *row = take(8ull * count);
    __builtin_memset(row, 0, 8ull * count);
    return row;
}

static u8 *flags(i32 count) {
    u8 *row = take(count);
    __builtin_memset(row, 0, count);
    return row;
}

static void copy(void *to, const void *from, u64 bytes) { __builtin_memcpy(to, from, bytes); }

static const u8 *reading;

// The next array of the input.
static const void *read(u64 bytes) {
    const void *at = reading;
    reading += (bytes + 15) & ~15ull;
    return at;
}

// The return value of an answer: its address and its length in bytes.
static u64 answer(const void *at, u64 bytes) { return (u64)(u32)at << 32 | bytes; }

// --- numbers ---

static u64 state[4];

static u64 scrambled(u64 *seed) { // splitmix64 (Steele, Lea and Flood, 2014)
    u64 z = *seed += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static void seed(const u64 key[2]) {
    u64 low = key[0], high = key[1];
    for (int i = 0; i < 4; i++)
        state[i] = scrambled(i & 1 ? &high : &low);
}

static u64 turned(u64 x, int by) { return x << by | x >> (64 - by); }

static u64 random64(void) { // xoshiro256++ (Blackman and Vigna, 2021)
    u64 result = turned(state[0] + state[3], 23) + state[0], t = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= t;
    state[3] = turned(state[3], 45);
    return result;
}

static u32 below(u32 bound) { return (random64() >> 32) * bound >> 32; }
static f64 uniform(void) { return (random64() >> 11) * 0x1p-53; }

union bits { f64 value; u64 bits; };

static f64 logarithm(f64 x) { // of x > 0
    union bits it = {x};
    i32 exponent = (i32)(it.bits >> 52) - 1022;
    it.bits = (it.bits & 0xfffffffffffff) | 0x3fe0000000000000; // from 0.5 to 1
    if (it.value < 0.70710678118654752) it.value *= 2, exponent--;
    f64 s = (it.value - 1) / (it.value + 1), q = s * s;
    return exponent * 0.69314718055994531
         + s * (2 + q * (2 / 3. + q * (2 / 5. + q * (2 / 7. + q * (2 / 9.)))));
}

static f64 exponential(f64 x) { // of x <= 700
    if (x < -700) return 0;
    i32 k = (i32)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
    f64 r = x - k * 0.69314718055994531;
    union bits power = {.bits = (u64)(1023 + k) << 52};
    return power.value * (1 + r * (1 + r / 2 * (1 + r / 3 * (1 + r / 4 * (1 + r / 5 * (1 + r / 6
         * (1 + r / 7 * (1 + r / 8))))))));
}

// --- sets of placements ---
//
// A placement is represented by its bit: a set is a row of `stride` bytes, and the bits of each
// kind begin a new byte. The bit after the last, `no_ship`, represents a ship without a placement.
// Weights are integers, so their sums are exact.

static i32 stride, kinds, ships, groups, particles, no_ship;
static const u8 *compatible;   // for each bit and no_ship, the placements without a conflict
static const u32 *bit_weights; // for each bit
static const i32 *group_of;    // for each bit and no_ship: the same for the same covered hits
static const u8 *group_bits;   // for each group, its possible placements
static const u8 *possible;     // all possible placements
static const i32 *first_byte;  // for each kind, and the number of bytes
static const i32 *first_ship;  // for each kind, and the number of ships; ordered by kind
static i32 rectangles;         // the number of rectangles that have a ship
static const u8 *in_rectangle; // for each rectangle, the placements that reach into it
static const u16 *reaches;     // for each bit and no_ship, the rectangles that it reaches into
static u32 *byte_sums;         // at 256 * byte + value, the weight of the bits in the value

static void sum_bytes(void) {
    byte_sums = take(1024ull * stride);
    for (i32 byte = 0; byte < stride; byte++) {
        u32 *sums = byte_sums + 256 * byte;
        sums[0] = 0;
        for (i32 bit = 0; bit < 8; bit++) // the highest bit of a byte is its first placement
            for (i32 value = 0; value < 1 << bit; value++)
                sums[(1 << bit) + value] = sums[value] + bit_weights[8 * byte + 7 - bit];
    }
}

static void intersect(u8 *restrict row, const u8 *restrict with) {
    for (i32 i = 0; i < stride; i++)
        row[i] &= with[i];
}

static u32 weight_of(const u8 *row, i32 kind) {
    u32 sum = 0;
    for (i32 byte = first_byte[kind]; byte < first_byte[kind + 1]; byte++)
        sum += byte_sums[256 * byte + row[byte]];
    return sum;
}

// The placement of a kind at that point of the row's cumulative weight.
static i32 find(const u8 *row, i32 kind, u32 point) {
    i32 byte = first_byte[kind];
    for (u32 sum; point >= (sum = byte_sums[256 * byte + row[byte]]); byte++)
        point -= sum;
    for (i32 bit = 8 * byte;; bit++)
        if (row[byte] >> (7 - bit % 8) & 1) {
            if (point < bit_weights[bit]) return bit;
            point -= bit_weights[bit];
        }
}

static int has(const u8 *row, i32 bit) { return row[bit / 8] >> (7 - bit % 8) & 1; }

// Removes the placements of a set before that one, so that a fleet with several placements in the
// set is reached only by way of the first.
static void drop_before(u8 *row, const u8 *set, i32 placement) {
    for (i32 byte = 0; byte < placement / 8; byte++)
        row[byte] &= ~set[byte];
    row[placement / 8] &= ~(set[placement / 8] & ~(255 >> placement % 8));
}

// --- sampling fleets: a population, and the one that it is resampled into ---

#define LOOKAHEAD 0.9     // the exponent of the free weight of ships not drawn yet
#define LOG_DEAD_END -60. // the log weight of a ship or hit without a placement: not -infinity, so
                          // that contradictory knowledge has a belief

struct population {
    u8 *free;     // for each fleet, the placements without a conflict
    u16 *fleets;  // for each fleet, its ships
    u8 *left;     // for each fleet and kind, the number of ships not drawn yet
    f64 *logs;    // the logarithms of the importance weights
    u32 *weights; // for each fleet and kind, the weight of the free placements
};

static struct population now, next;
static f64 *ahead, *relative;
static i32 *order;
static f64 log_partition; // the logarithm of the product of the mean weights so far

static struct population populate(i32 count) {
    return (struct population){
        take((u64)count * stride), take(2ull * count * ships), take((u64)count * kinds),
        take(8ull * count), take(4ull * count * kinds),
    };
}

// An estimate of the log weight that a fleet will still gain.
static f64 look_ahead(i32 at) {
    f64 logs = 0;
    for (i32 kind = 0; kind < kinds; kind++) {
        i32 left = now.left[at * kinds + kind];
        if (left) {
            u32 weight = now.weights[at * kinds + kind] = weight_of(now.free + at * stride, kind);
            logs += left * (weight ? logarithm(weight) : LOG_DEAD_END);
        }
    }
    return LOOKAHEAD * logs;
}

// Resamples `count` fleets by their weights times the estimated future weights (systematic
// resampling: Kitagawa, 1996). Unless `always`, only if the effective sample size is below half of
// them.
static void resample(i32 count, int always) {
    f64 most = -1e308, sum = 0, squares = 0;
    for (i32 i = 0; i < count; i++)
        if (now.logs[i] + ahead[i] > most) most = now.logs[i] + ahead[i];
    for (i32 i = 0; i < count; i++) {
        f64 weight = relative[i] = exponential(now.logs[i] + ahead[i] - most);
        sum += weight;
        squares += weight * weight;
    }
    if (!always && sum * sum >= 0.5 * count * squares) return;
    f64 step = sum / particles, point = uniform() * step, end = 0, most_ahead = -1e308;
    i32 made = 0, last = 0;
    for (i32 i = 0; i < count; i++) {
        end += relative[i];
        if (relative[i] > 0) last = i;
        for (; point < end && made < particles; point += step)
            order[made++] = i;
    }
    while (made < particles)
        order[made++] = last;
    for (i32 i = 0; i < particles; i++)
        if (ahead[order[i]] > most_ahead) most_ahead = ahead[order[i]];
    log_partition += most + logarithm(sum / count) - most_ahead;
    for (i32 i = 0; i < particles; i++) {
        i32 from = order[i];
        copy(next.free + i * stride, now.free + from * stride, stride);
        copy(next.fleets + i * ships, now.fleets + from * ships, 2 * ships);
        copy(next.left + i * kinds, now.left + from * kinds, kinds);
        copy(next.weights + i * kinds, now.weights + from * kinds, 4 * kinds);
        // Divides by the estimated future weights, which the resampling has applied.
        next.logs[i] = most_ahead - ahead[from];
    }
    struct population spare = now;
    now = next, next = spare;
}

// Copies the weighted partial fleets to start from.
static void start(i32 starts, const f64 *weights, const u16 *fleets) {
    for (i32 at = 0; at < starts; at++) {
        u8 *free = now.free + at * stride;
        copy(free, possible, stride);
        copy(now.fleets + at * ships, fleets + at * ships, 2 * ships);
        for (i32 kind = 0; kind < kinds; kind++) {
            i32 left = 0;
            for (i32 ship = first_ship[kind]; ship < first_ship[kind + 1]; ship++) {
                left += fleets[at * ships + ship] == no_ship;
                intersect(free, compatible + fleets[at * ships + ship] * stride);
            }
            now.left[at * kinds + kind] = left;
        }
        now.logs[at] = weights[at] > 0 ? logarithm(weights[at]) : -1e300;
        ahead[at] = look_ahead(at);
    }
    resample(starts, 1);
}

// Shuffles the particles and gives each its own stratum of [0, 1) (stratified sampling).
static void shuffle(void) {
    for (i32 i = 0; i < particles; i++) {
        i32 other = below(i + 1);
        order[i] = order[other];
        order[other] = i;
    }
}

static f64 stratified(i32 at) { return (order[at] + uniform()) / particles; }

static u32 point_in(u32 weight, f64 part) {
    u32 point = (u32)(part * weight);
    return point < weight ? point : weight - 1;
}

static void settle(i32 at, i32 ship, i32 placement) {
    now.fleets[at * ships + ship] = placement;
    intersect(now.free + at * stride, compatible + placement * stride);
}

static int is_covered(const u16 *fleet, const u8 *on_hit) {
    for (i32 ship = 0; ship < ships; ship++)
        if (fleet[ship] != no_ship && has(on_hit, fleet[ship])) return 1;
    return 0;
}

// Draws for each fleet a ship on a hit, or in a rectangle, that it doesn't cover yet; `on_hit` has
// the placements.
static void cover(const u8 *on_hit) {
    u8 row[stride];
    shuffle();
    for (i32 at = 0; at < particles; at++) {
        if (!is_covered(now.fleets + at * ships, on_hit)) {
            f64 sum = 0, weights[kinds];
            copy(row, now.free + at * stride, stride);
            intersect(row, on_hit);
            for (i32 kind = 0; kind < kinds; kind++) // any ship of the kind may be the one
                sum += weights[kind] = (f64)now.left[at * kinds + kind] * weight_of(row, kind);
            if (sum > 0) {
                f64 part = stratified(at) * sum;
                i32 kind = 0;
                for (; kind < kinds - 1 && part >= weights[kind]; kind++)
                    part -= weights[kind];
                while (!weights[kind]) kind--;
                i32 ship = first_ship[kind + 1] - now.left[at * kinds + kind]--;
                u32 point = point_in(weight_of(row, kind), part / weights[kind]);
                i32 placement = find(row, kind, point);
                settle(at, ship, placement);
                drop_before(now.free + at * stride, on_hit, placement);
            }
            now.logs[at] += sum > 0 ? logarithm(sum) : LOG_DEAD_END;
        }
        ahead[at] = look_ahead(at);
    }
    resample(particles, 0);
}

// Draws one ship of a kind for each fleet that lacks one.
static void place(i32 kind, i32 ship) {
    shuffle();
    for (i32 at = 0; at < particles; at++) {
        if (now.fleets[at * ships + ship] == no_ship) {
            // The proposal normalizes over the free placements, so the importance weight is
            // multiplied by their total weight.
            u32 weight = now.weights[at * kinds + kind];
            u32 point = point_in(weight, stratified(at));
            if (weight) settle(at, ship, find(now.free + at * stride, kind, point));
            now.logs[at] += weight ? logarithm(weight) : LOG_DEAD_END;
            now.left[at * kinds + kind]--;
        }
        ahead[at] = look_ahead(at);
    }
    resample(particles, 0);
}

// The rectangles that no ship of the fleet, but for two, reaches into.
static u32 unreached(const u16 *fleet, i32 but, i32 other) {
    if (!rectangles) return 0;
    u32 reached = 0;
    for (i32 ship = 0; ship < ships; ship++)
        if (ship != but && ship != other) reached |= reaches[fleet[ship]];
    return ((1u << rectangles) - 1) & ~reached;
}

static void meet(u8 *restrict row, const u8 *restrict one, const u8 *restrict other) {
    for (i32 i = 0; i < stride; i++)
        row[i] = one[i] & other[i];
}

// Exchanges the hits of two ships of different kinds in each fleet: each is redrawn on the other's
// hits (Metropolis-Hastings: Hastings, 1970).
static void swap_hits(i32 one, i32 other) {
    u8 open[stride], row[stride], beside[stride];
    for (i32 at = 0; at < particles; at++) {
        u16 *fleet = now.fleets + at * ships;
        i32 first = first_ship[one] + below(first_ship[one + 1] - first_ship[one]);
        i32 second = first_ship[other] + below(first_ship[other + 1] - first_ship[other]);
        const u8 *first_group = group_bits + group_of[fleet[first]] * stride;
        const u8 *second_group = group_bits + group_of[fleet[second]] * stride;
        if (first_group == second_group) continue;
        copy(open, possible, stride);
        for (i32 ship = 0; ship < ships; ship++)
            if (ship != first && ship != second) intersect(open, compatible + fleet[ship] * stride);
        // The second ship is drawn given the new first one; the reverse move, given the old one.
        meet(row, open, second_group);
        u32 weight = weight_of(row, one);
        if (!weight) continue;
        i32 new_first = find(row, one, below(weight));
        meet(beside, open, compatible + new_first * stride);
        intersect(beside, first_group);
        u32 then = weight_of(beside, other);
        if (!then) continue;
        i32 new_second = find(beside, other, below(then));
        meet(row, open, first_group);
        meet(beside, open, compatible + fleet[first] * stride);
        intersect(beside, second_group);
        f64 back = (f64)weight_of(row, one) * weight_of(beside, other);
        if (unreached(fleet, first, second) & ~(reaches[new_first] | reaches[new_second])) continue;
        if (uniform() * back < (f64)weight * then)
            fleet[first] = new_first, fleet[second] = new_second;
    }
}

// Gibbs sampling (Geman and Geman, 1984): redraws every ship given the others, on the same open
// hits and in the rectangles that only it reaches into. Adds the conditional distribution of each draw to `shares`, at 256 * byte + value, for the
// Rao-Blackwell estimate (Gelfand and Smith, 1990).
static void sweep(f64 *shares) {
    // The placements compatible with all later ships, and with all earlier ones.
    u8 *after = take((u64)(ships + 1) * stride), before[stride], row[stride];
    __builtin_memset(after + ships * stride, 255, stride);
    for (i32 at = 0; at < particles; at++) {
        u16 *fleet = now.fleets + at * ships;
        for (i32 ship = ships - 1; ship > 0; ship--)
            meet(after + ship * stride, after + (ship + 1) * stride,
                 compatible + fleet[ship] * stride);
        __builtin_memset(before, 255, stride);
        for (i32 kind = 0; kind < kinds; kind++)
            for (i32 ship = first_ship[kind]; ship < first_ship[kind + 1]; ship++) {
                meet(row, before, after + (ship + 1) * stride);
                intersect(row, group_bits + group_of[fleet[ship]] * stride);
                for (u32 left = unreached(fleet, ship, ship); left; left &= left - 1)
                    intersect(row, in_rectangle + __builtin_ctz(left) * stride);
                u32 weight = weight_of(row, kind);
                if (weight) {
                    f64 share = 1. / weight;
                    for (i32 byte = first_byte[kind]; byte < first_byte[kind + 1]; byte++)
                        shares[256 * byte + row[byte]] += share;
                    fleet[ship] = find(row, kind, below(weight));
                }
                intersect(before, compatible + fleet[ship] * stride);
            }
    }
}

// Converts the shares by byte value to shares by bit: folds the upper half onto the lower.
static void share_out(f64 *shares, f64 *expected) {
    for (i32 byte = 0; byte < stride; byte++)
        for (i32 bit = 7; bit >= 0; bit--) {
            f64 *values = shares + 256 * byte, sum = 0;
            for (i32 value = 0; value < 1 << bit; value++) {
                sum += values[(1 << bit) + value];
                values[value] += values[(1 << bit) + value];
            }
            expected[8 * byte + 7 - bit] = sum * bit_weights[8 * byte + 7 - bit];
        }
}

struct drawing {
    u64 key[2];
    i32 stride, kinds, ships, groups, particles, starts, hits, swaps, sweeps, rectangles;
    i32 unused[2];
};

// Samples fleets for the input at that address. Answers the expected number of fleets with a ship
// at each bit, the logarithm of the partition function, an unused number, and the fleets.
u64 draw(u32 address) {
    reading = (const u8 *)address;
    const struct drawing *it = read(sizeof *it);
    seed(it->key);
    stride = it->stride, kinds = it->kinds, ships = it->ships, groups = it->groups;
    particles = it->particles, no_ship = 8 * stride;
    compatible = read((u64)stride * (no_ship + 1));
    bit_weights = read(4ull * no_ship);
    group_of = read(4ull * (no_ship + 1));
    group_bits = read((u64)groups * stride);
    possible = read(stride);
    first_byte = read(4 * (kinds + 1));
    first_ship = read(4 * (kinds + 1));
    const f64 *start_weights = read(8ull * it->starts);
    const u16 *starts = read(2ull * it->starts * ships);
    const u8 *on_hits = read((u64)it->hits * stride);
    const i32 *swaps = read(8ull * it->swaps);
    rectangles = it->rectangles;
    in_rectangle = read((u64)rectangles * stride);
    reaches = read(2ull * (no_ship + 1));

    i32 most = it->starts > particles ? it->starts : particles;
    f64 *expected = take(8ull * (no_ship + 2));
    u16 *fleets = take(2ull * particles * ships);
    f64 *shares = take(2048ull * stride);
    __builtin_memset(shares, 0, 2048ull * stride);
    sum_bytes();
    now = populate(most), next = populate(most);
    ahead = take(8ull * most), relative = take(8ull * most), order = take(4ull * most);

    log_partition = 0;
    start(it->starts, start_weights, starts);
    for (i32 hit = 0; hit < it->hits; hit++)
        cover(on_hits + hit * stride);
    for (i32 at = 0; at < rectangles; at++)
        cover(in_rectangle + at * stride);
    for (i32 kind = 0; kind < kinds; kind++) // longest first, since they have the fewest choices
        for (i32 ship = first_ship[kind]; ship < first_ship[kind + 1]; ship++)
            place(kind, ship);
    for (i32 at = 0; at < particles; at++)
        ahead[at] = 0;
    resample(particles, 1);
    for (i32 pair = 0; pair < it->swaps; pair++)
        swap_hits(swaps[2 * pair], swaps[2 * pair + 1]);
    for (i32 number = 0; number < it->sweeps; number++)
        sweep(shares);
    share_out(shares, expected);
    copy(fleets, now.fleets, 2ull * particles * ships);
    expected[no_ship] = log_partition;
    return answer(expected, 8ull * (no_ship + 2) + 2ull * particles * ships);
}

// --- listing fleets ---

static i32 made;

// Adds a fleet of this population to the next one, with one more ship.
static void extend(i32 at, i32 placement, i32 kind) {
    i32 to = made++;
    copy(next.fleets + to * ships, now.fleets + at * ships, 2 * ships);
    copy(next.left + to * kinds, now.left + at * kinds, kinds);
    meet(next.free + to * stride, now.free + at * stride, compatible + placement * stride);
    if (placement != no_ship)
        next.fleets[to * ships + first_ship[kind + 1] - next.left[to * kinds + kind]--] = placement;
}

// Ships of one length get ascending placements, so that each fleet is listed once.
static void rise(u8 *row, i32 kind, i32 placement) {
    for (i32 byte = first_byte[kind]; byte < placement / 8; byte++)
        row[byte] = 0;
    row[placement / 8] &= (1 << (7 - placement % 8)) - 1;
}

// Extends all fleets by a ship on a hit or in a rectangle, else by a ship of a kind. Returns whether
// there are at most `most`.
static int step(const u8 *on_hit, i32 only, i32 most) {
    i32 count = made;
    made = 0;
    for (i32 at = 0; at < count; at++) {
        if (on_hit ? is_covered(now.fleets + at * ships, on_hit) : !now.left[at * kinds + only]) {
            if (made == most) return 0;
            extend(at, no_ship, 0);
            continue;
        }
        for (i32 kind = on_hit ? 0 : only; kind < (on_hit ? kinds : only + 1); kind++)
            for (i32 byte = first_byte[kind]; byte < first_byte[kind + 1]; byte++) {
                if (!now.left[at * kinds + kind]) break;
                u32 open = now.free[at * stride + byte] & (on_hit ? on_hit[byte] : 255);
                for (; open; open &= open - 1) {
                    if (made == most) return 0;
                    i32 placement = 8 * byte + 7 - __builtin_ctz(open);
                    extend(at, placement, kind);
                    if (on_hit) drop_before(next.free + (made - 1) * stride, on_hit, placement);
                    else rise(next.free + (made - 1) * stride, kind, placement);
                }
            }
    }
    struct population spare = now;
    now = next, next = spare;
    return 1;
}

struct listing { i32 stride, kinds, ships, hits, whole, most, unused[2]; };

static const u8 *on_hits; // for each hit and rectangle, the placements that cover or reach it

static const struct listing *read_listing(void) {
    const struct listing *it = read(sizeof *it);
    stride = it->stride, kinds = it->kinds, ships = it->ships, no_ship = 8 * stride;
    compatible = read((u64)stride * (no_ship + 1));
    possible = read(stride);
    first_byte = read(4 * (kinds + 1));
    first_ship = read(4 * (kinds + 1));
    on_hits = read((u64)it->hits * stride);
    return it;
}

// Lists the fleets that cover all hits and rectangles, for the input at that address; unless `whole`, only their
// ships on hits. Answers their number, or -1 if there are too many, and the fleets.
u64 list(u32 address) {
    reading = (const u8 *)address;
    const struct listing *it = read_listing();
    i32 *count = take(16);
    u16 *fleets = take(2ull * ships * it->most);
    now = populate(it->most + 1), next = populate(it->most + 1);
    copy(now.free, possible, stride);
    for (i32 kind = 0; kind < kinds; kind++)
        now.left[kind] = first_ship[kind + 1] - first_ship[kind];
    for (i32 ship = 0; ship < ships; ship++)
        now.fleets[ship] = no_ship;
    made = 1;
    *count = -1;
    for (i32 hit = 0; hit < it->hits; hit++)
        if (!step(on_hits + hit * stride, 0, it->most)) return answer(count, 4);
    for (i32 kind = 0; kind < kinds && it->whole; kind++)
        for (i32 ship = first_ship[kind]; ship < first_ship[kind + 1]; ship++)
            if (!step(0, kind, it->most)) return answer(count, 4);
    *count = made;
    copy(fleets, now.fleets, 2ull * ships * made);
    return answer(count, 16 + 2ull * ships * made);
}

// --- counting fleets: depth first, and where the fewest placements are open ---

static i32 hits, ships_left, rows_left; // `rows_left` is the work that may still be done
static i32 *left_of;                    // for each kind, the number of ships not placed yet
static u16 *placed;                     // the ships placed so far, `ships` of them
static u64 *containing;                 // for each bit, the fleets that contain it as an earlier ship
static u64 *with_value; // at 256 * byte + value, the partial fleets whose last ship may lie there

static u64 count_below(const u8 *free);

// The fleets with a ship of that kind in one of the open placements.
static u64 count_each(const u8 *free, i32 kind, const u8 *on_hit) {
    u8 row[stride];
    u64 sum = 0;
    i32 ship = --ships_left;
    left_of[kind]--;
    for (i32 byte = first_byte[kind]; byte < first_byte[kind + 1]; byte++)
        for (u32 open = free[byte] & (on_hit ? on_hit[byte] : 255); open; open &= open - 1) {
            if (--rows_left < 0) return 0;
            i32 placement = 8 * byte + 7 - __builtin_ctz(open);
            meet(row, free, compatible + placement * stride);
            if (on_hit) drop_before(row, on_hit, placement);
            else rise(row, kind, placement);
            if (!left_of[kind])
                __builtin_memset(row + first_byte[kind], 0, first_byte[kind + 1] - first_byte[kind]);
            placed[ship] = placement;
            u64 fleets = count_below(row);
            containing[placement] += fleets;
            sum += fleets;
        }
    placed[ship] = no_ship;
    left_of[kind]++, ships_left++;
    return sum;
}

// The fleets that have the ships placed so far and the others in `free`, and cover all hits.
static u64 count_below(const u8 *free) {
    const u8 *narrowest = 0;
    i32 fewest = 8 * stride + 1;
    for (i32 hit = 0; hit < hits; hit++) {
        const u8 *on_hit = on_hits + hit * stride;
        if (is_covered(placed, on_hit)) continue;
        i32 open = 0;
        for (i32 byte = 0; byte < stride; byte += 8)
            open += __builtin_popcountll(*(u64 *)(free + byte) & *(u64 *)(on_hit + byte));
        if (open < fewest) fewest = open, narrowest = on_hit;
    }
    if (!fewest) return 0;
    if (!ships_left) return !narrowest;
    u64 sum = 0;
    if (narrowest) {
        for (i32 kind = 0; kind < kinds; kind++)
            if (left_of[kind]) sum += count_each(free, kind, narrowest);
        return sum;
    }
    i32 least = -1;
    fewest = 8 * stride;
    for (i32 kind = 0; kind < kinds; kind++) {
        if (!left_of[kind]) continue;
        i32 open = 0;
        for (i32 byte = first_byte[kind]; byte < first_byte[kind + 1]; byte++)
            open += __builtin_popcount(free[byte]);
        if (open < left_of[kind]) return 0;
        if (open < fewest) fewest = open, least = kind;
    }
    if (ships_left > 1) return count_each(free, least, 0);
    for (i32 byte = first_byte[least]; byte < first_byte[least + 1]; byte++)
        with_value[256 * byte + free[byte]]++;
    return fewest;
}

// Counts the fleets that cover all hits and rectangles, for the input at that address, with at most
// `most` rows of placements. Answers their number, or -1 if that takes more, and for each bit the
// number of fleets that contain it.
u64 count(u32 address) {
    reading = (const u8 *)address;
    const struct listing *it = read_listing();
    hits = it->hits, ships_left = ships, rows_left = it->most;
    left_of = take(4 * kinds);
    for (i32 kind = 0; kind < kinds; kind++)
        left_of[kind] = first_ship[kind + 1] - first_ship[kind];
    placed = take(2 * ships);
    for (i32 ship = 0; ship < ships; ship++)
        placed[ship] = no_ship;
    with_value = take(2048ull * stride);
    __builtin_memset(with_value, 0, 2048ull * stride);
    u64 *fleets = take(8ull * (no_ship + 1));
    __builtin_memset(fleets, 0, 8ull * (no_ship + 1));
    containing = fleets + 1;
    *fleets = count_below(possible);
    if (rows_left < 0) *fleets = -1;
    for (i32 bit = 0; bit < no_ship; bit++)
        for (i32 value = 0; value < 256; value++)
            if (value >> (7 - bit % 8) & 1)
                containing[bit] += with_value[256 * (bit / 8) + value];
    return answer(fleets, 8ull * (no_ship + 1));
}

// --- messages ---

struct shot { // the enemy's turns before it; its number as an open hit, and the wreck whose first
    i32 moves, cell, open, first, sunk; // hit it is, and that it sank, or -1
};
struct messages {
    f64 steer_probability, flee_probability, inverse_temperature;
    i32 placements, kinds, cells, longest, shots, open, wrecks, moves, moving, flees, flee_turns;
    i32 unused[3];
};

static const struct messages *in;
static const i32 *kind_of, *fore, *aft;
static const u8 *blocks, *conflicts;
static const f64 *prior;
static f64 *unhit, *hit, *rate, *may[2], *wishes[2], *leaving[2], *expected;
static u8 *blocked, *is_wounded, *is_open;

// An estimate of the sum of some values over the other movable ships: their means by the message.
static void of_the_others(const i32 *movable, const f64 *one, const f64 *other, f64 *others) {
    f64 mass[in->kinds], mean[in->kinds], all = 0;
    for (i32 kind = 0; kind < in->kinds; kind++)
        mass[kind] = 1e-300, mean[kind] = 0; // avoids 0 / 0 for a length without an unhit ship
    for (i32 x = 0; x < in->placements; x++) {
        mass[kind_of[x]] += unhit[x];
        mean[kind_of[x]] += unhit[x] * (one[x] + other[x]);
    }
    for (i32 kind = 0; kind < in->kinds; kind++)
        all += movable[kind] * (mean[kind] /= mass[kind]);
    for (i32 kind = 0; kind < in->kinds; kind++)
        others[kind] = all > mean[kind] ? all - mean[kind] : 0;
}

// Writes to `may` the legal moves, and to `rate` the probability of each in a turn, if moves are
// uniformly random.
static void set_rates(const i32 *movable) {
    f64 others[in->kinds];
    for (i32 x = 0; x < in->placements; x++) {
        may[0][x] = fore[x] < in->placements && !blocked[fore[x]];
        may[1][x] = aft[x] < in->placements && !blocked[aft[x]];
    }
    of_the_others(movable, may[0], may[1], others);
    for (i32 x = 0; x < in->placements; x++) {
        f64 moves = others[kind_of[x]] + may[0][x] + may[1][x];
        rate[x] = in->steer_probability / (moves > 1 ? moves : 1);
    }
}

// The expected number of movable ships on the cells of each placement. `prior` corrects for the
// room that ships of a fleet take from one another.
static void expect(const i32 *movable, const u8 *cells_of) {
    f64 found[in->kinds], ships[in->kinds], chances[in->cells + 1];
    for (i32 kind = 0; kind < in->kinds; kind++)
        found[kind] = 1e-300;
    for (i32 cell = 0; cell <= in->cells; cell++)
        chances[cell] = 0;
    for (i32 x = 0; x < in->placements; x++)
        found[kind_of[x]] += unhit[x] * prior[x];
    for (i32 kind = 0; kind < in->kinds; kind++)
        ships[kind] = movable[kind] / found[kind];
    for (i32 x = 0; x < in->placements; x++)
        for (i32 i = 0; i < in->longest; i++)
            chances[cells_of[x * in->longest + i]] += ships[kind_of[x]] * unhit[x] * prior[x];
    chances[in->cells] = 0;
    for (i32 x = 0; x < in->placements; x++) {
        expected[x] = 0;
        for (i32 i = 0; i < in->longest; i++)
            expected[x] += chances[cells_of[x * in->longest + i]];
    }
}

// The message after a turn in which the enemy may move one ship.
static void turn(const i32 *movable, const u8 *cells_of, int flees) {
    f64 others[in->kinds], random = flees ? 1 - in->flee_probability : 1;
    for (int way = 0; way < 2; way++)
        for (i32 x = 0; x < in->placements; x++)
            leaving[way][x] = random * rate[x] * may[way][x];
    if (flees) { // a fleeing ship leaves the cells where the enemy expects ships
        expect(movable, cells_of);
        for (int way = 0; way < 2; way++)
            for (i32 x = 0; x < in->placements; x++) {
                f64 change = may[way][x] ? expected[(way ? aft : fore)[x]] - expected[x] : 0;
                f64 power = -in->inverse_temperature * change;
                wishes[way][x] = may[way][x] ? exponential(power < 700 ? power : 700) : 0;
            }
        of_the_others(movable, wishes[0], wishes[1], others);
        for (i32 x = 0; x < in->placements; x++) {
            f64 all = 1 + others[kind_of[x]] + wishes[0][x] + wishes[1][x];
            f64 share = in->flee_probability / all;
            leaving[0][x] += share * wishes[0][x];
            leaving[1][x] += share * wishes[1][x];
        }
    }
    for (i32 x = 0; x < in->placements; x++) {
        f64 stay = 1 - leaving[0][x] - leaving[1][x];
        leaving[0][x] *= unhit[x];
        leaving[1][x] *= unhit[x];
        unhit[x] *= stay;
    }
    // A move aft reverses a move fore, so the same table gives the predecessors.
    for (i32 x = 0; x < in->placements; x++)
        unhit[x] = blocked[x] ? 0 : unhit[x] + leaving[0][aft[x]] + leaving[1][fore[x]];
}

// Writes to `blocked` the placements that ships with a hit rule out for an unhit ship.
static void block(void) {
    __builtin_memset(blocked, 0, in->placements);
    for (i32 open = 0; open < in->open; open++)
        for (i32 x = 0; is_open[open] && x < in->placements; x++)
            blocked[x] |= blocks[open * in->placements + x];
    for (i32 wreck = 0; wreck < in->wrecks; wreck++)
        for (i32 x = 0; is_wounded[wreck] && x < in->placements; x++)
            blocked[x] |= conflicts[wreck * in->placements + x];
}

// The forward messages for the input at that address. Answers the messages of ships without a hit,
// which may have moved, and of ships with a hit.
u64 forward(u32 address) {
    reading = (const u8 *)address;
    in = read(sizeof *in);
    i32 count = in->placements;
    kind_of = read(4 * count), fore = read(4 * count), aft = read(4 * count);
    const u8 *cells_of = read((u64)count * in->longest);
    const struct shot *shots = read(sizeof *shots * in->shots);
    blocks = read((u64)in->open * count), conflicts = read((u64)in->wrecks * count);
    prior = read(8 * count);
    const i32 *movable = read(0); // for each hit so far and kind, the number of ships that may move
    unhit = numbers(2 * count), hit = unhit + count;
    rate = numbers(count), expected = numbers(count);
    for (int way = 0; way < 2; way++) {
        may[way] = numbers(count), wishes[way] = numbers(count);
        leaving[way] = numbers(count + 1); // the last one stays 0, for off the board
    }
    blocked = flags(count), is_wounded = flags(in->wrecks), is_open = flags(in->open);
    for (i32 x = 0; x < count; x++)
        unhit[x] = 1;
    u16 *covering = take(2ull * count * in->longest); // the placements on a cell, cell by cell
    i32 start[in->cells + 3];
    __builtin_memset(start, 0, sizeof start);
    for (i32 i = 0; i < count * in->longest; i++)
        start[cells_of[i] + 2]++;
    for (i32 cell = 0; cell <= in->cells; cell++)
        start[cell + 2] += start[cell + 1];
    for (i32 i = 0; i < count * in->longest; i++)
        covering[start[cells_of[i] + 1]++] = i / in->longest;
    int is_set = 0;
    i32 moves = 0;
    for (i32 at = 0; at <= in->shots; at++) {
        const struct shot *shot = shots + at;
        for (i32 until = at < in->shots ? shot->moves : in->moves; moves < until; moves++) {
            if (!is_set) set_rates(movable), is_set = 1;
            turn(movable, cells_of, in->flees && moves >= in->moves - in->flee_turns);
        }
        if (at == in->shots) break;
        for (i32 i = start[shot->cell]; i < start[shot->cell + 1]; i++) {
            i32 x = covering[i];
            // A ship on an open hit passes from one message to the other, since it can't move
            // any more. Otherwise no ship afloat was hit there.
            hit[x] = shot->open >= 0 ? hit[x] + unhit[x] : 0;
            unhit[x] = 0;
        }
        if (shot->first >= 0) is_wounded[shot->first] = 1;
        if (shot->open >= 0) is_open[shot->open] = 1;
        if (shot->first >= 0 || shot->open >= 0) {
            block();
            for (i32 x = 0; x < count; x++)
                if (blocked[x]) unhit[x] = 0;
            movable += in->kinds, is_set = 0;
        }
        for (i32 wreck = 0; wreck < in->wrecks; wreck++)
            for (i32 x = 0; is_wounded[wreck] && x < count; x++)
                if (conflicts[wreck * count + x]) hit[x] = 0;
        if (shot->sunk >= 0 && in->moving) {
            // From now on ships may cross the wreck. If ships stay, its surroundings were empty
            // from the start, and so they stay blocked.
            is_wounded[shot->sunk] = 0;
            block();
            is_set = 0;
        }
    }
    return answer(unhit, 16ull * count);
}
