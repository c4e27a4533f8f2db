#include "operands.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* -- edges. The first sixteen of each are also combined in threes. */

static const uint64_t i16[] = {0,      1,      0xffff, 0x7fff, 0x8000, 2,      0xfffe, 3,      0x8001, 0x7ffe, 0x5555, 0xaaaa,
                               0x00ff, 0x0100, 0xff00, 10,     0x007f, 0x0080, 0xff80, 0xff7f, 0x0081, 0x4000, 0xc000, 0x3fff,
                               0x1234, 0xfedc, 7,      100,    0xff9c, 0x0fff, 0x1000, 0xf000, 0x0800, 0x7f00, 0x80ff, 0x00fe};
static const uint64_t i32[] = {0,          1,          0xffffffff, 0x7fffffff, 0x80000000, 2,          0xfffffffe, 0x80000001,
                               0x7ffffffe, 0xffff,     0x10000,    0x55555555, 0x80808080, 0x01234567, 10,         0xffff8000,
                               0xaaaaaaaa, 3,          0x8000,     0x7fff,     0xfffffff6, 0x7f7f7f7f, 0xff,       0x100,
                               0x80,       0x7f,       0xffffff80, 0xffffff7f, 0x7fffff,   0x800000,   0xffffff,   0x1000000,
                               0xff800000, 0xff7fffff, 0x1000001,  0x1000002,  0x1000003,  0xfeffffff, 0x7fffffc0, 0x7fffffbf,
                               0x7fffff80, 0xffffff00, 0x40000000, 0x3fffffff, 0xc0000000, 0xbfffffff, 0xff00ff00, 0x00ff00ff,
                               0xfedcba98, 0x76543210, 0x33333333, 0xcccccccc, 0x0f0f0f0f, 0xf0f0f0f0, 0x10001,    0x7fff7fff,
                               0x80008000, 0xffff0000, 0xfffeffff, 5,          7,          100,        1000,       0x87654321};
static const uint64_t i64[] = {0,
                               1,
                               UINT64_MAX,
                               INT64_MAX,
                               UINT64_C(1) << 63,
                               2,
                               UINT64_MAX - 1,
                               (UINT64_C(1) << 63) + 1,
                               INT64_MAX - 1,
                               0xffffffff,
                               UINT64_C(0x100000000),
                               0x80000000,
                               0x7fffffff,
                               UINT64_C(0x0123456789abcdef),
                               10,
                               UINT64_C(0xffffffff80000000),
                               UINT64_C(0xffffffff7fffffff),
                               UINT64_C(0xffffffff00000000),
                               UINT64_C(0x5555555555555555),
                               UINT64_C(0xaaaaaaaaaaaaaaaa),
                               3,
                               0xffff,
                               0x10000,
                               UINT64_MAX - 9,
                               0xff,
                               0x100,
                               UINT64_C(1) << 53,
                               (UINT64_C(1) << 53) + 1,
                               (UINT64_C(1) << 53) + 3,
                               (UINT64_C(1) << 53) - 1,
                               (UINT64_C(1) << 24) + 1,
                               (UINT64_C(1) << 24) + 3,
                               UINT64_C(0x7ffffffffffffc00),
                               UINT64_C(0x7ffffffffffffdff),
                               UINT64_C(0x7ffffffffffffe00),
                               UINT64_C(0xfffffffffffff800),
                               UINT64_C(0xfffffffffffffbff),
                               UINT64_C(0xfffffffffffffc00),
                               UINT64_C(0x7fffff4000000000),
                               UINT64_C(0x7fffffbfffffffff),
                               UINT64_C(0x7fffffc000000000),
                               UINT64_C(0x8000000000000400),
                               UINT64_C(0x8000000000000401),
                               UINT64_C(0x4000000000000000),
                               UINT64_C(0xc000000000000000),
                               UINT64_C(0x100000001),
                               UINT64_C(0xfffffffeffffffff),
                               UINT64_C(0xffffffffffff8000),
                               0x8000,
                               0x7fff,
                               0x80,
                               0x7f,
                               UINT64_C(0xffffffffffffff80),
                               UINT64_C(0xfedcba9876543210),
                               UINT64_C(0x8000008000000001),
                               UINT64_C(0x1000001000000),
                               5,
                               7,
                               1000,
                               UINT64_C(1) << 52,
                               UINT64_C(1) << 62,
                               UINT64_C(0x00ff00ff00ff00ff),
                               UINT64_C(0x8080808080808080),
                               UINT64_C(0xffe00000000003ff)};
static const uint64_t f32[] = {
    0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0xff7fffff, 0x00800000,
    0x80800000, 0x00000001, 0x807fffff, 0x7f800001, 0x3f800001, 0xbf7fffff, 0x80000001, 0x007fffff, 0xffc12345, 0x7fffffff,
    0xffffffff, 0xff812345, 0x3f000000, 0xbf000000, 0x3fc00000, 0xbfc00000, 0x40200000, 0xc0200000, 0x3effffff, 0x3f000001,
    0x40000000, 0x40400000, 0x41200000, 0x4a800001, 0x4b000000, 0x4b800000, 0x4b800001, 0x4f000000, 0xcf000000, 0x4effffff,
    0x4f800000, 0x4f7fffff, 0x5f000000, 0xdf000000, 0x5f7fffff, 0x5f800000, 0x437f8000, 0x42ff0000, 0xc3008000, 0xc3000000,
    0x46fffe00, 0x477fff00, 0x477fe000, 0x477fefff, 0x477ff000, 0x38800000, 0x33800000, 0x33000000, 0x33000001, 0x3f801000,
    0x3f803000, 0x3f808000, 0x3f818000, 0x7e800000, 0x7f000000, 0x7e800001, 0xfe800001, 0x40490fdb, 0x501502f9, 0x3f7fffff,
    0x00000002, 0x00ffffff, 0x01000000, 0x7f7f8000, 0x7f7f7fff, 0xc77ff000, 0x387fc000, 0x387fe000, 0x387fffff, 0x47800000,
    0x43800000, 0xbf800001, 0xc7000000, 0xc7000100, 0xcf000001, 0x3fb504f3, 0x2f800000, 0x1f800000};
static const uint64_t f64[] = {0,
                               UINT64_C(0x8000000000000000),
                               UINT64_C(0x3ff0000000000000),
                               UINT64_C(0xbff0000000000000),
                               UINT64_C(0x7ff0000000000000),
                               UINT64_C(0xfff0000000000000),
                               UINT64_C(0x7ff8000000000000),
                               UINT64_C(0x7fefffffffffffff),
                               UINT64_C(0xffefffffffffffff),
                               UINT64_C(0x0010000000000000),
                               UINT64_C(0x8010000000000000),
                               1,
                               UINT64_C(0x800fffffffffffff),
                               UINT64_C(0x7ff0000000000001),
                               UINT64_C(0x3ff0000000000001),
                               UINT64_C(0xbfefffffffffffff),
                               UINT64_C(0x8000000000000001),
                               UINT64_C(0x000fffffffffffff),
                               UINT64_C(0xfff8123456789abc),
                               UINT64_C(0x7fffffffffffffff),
                               UINT64_C(0xffffffffffffffff),
                               UINT64_C(0xfff0123456789abc),
                               UINT64_C(0x3fe0000000000000),
                               UINT64_C(0xbfe0000000000000),
                               UINT64_C(0x3ff8000000000000),
                               UINT64_C(0xbff8000000000000),
                               UINT64_C(0x4004000000000000),
                               UINT64_C(0xc004000000000000),
                               UINT64_C(0x3fdfffffffffffff),
                               UINT64_C(0x3fe0000000000001),
                               UINT64_C(0x4000000000000000),
                               UINT64_C(0x4008000000000000),
                               UINT64_C(0x4024000000000000),
                               UINT64_C(0x4330000000000000),
                               UINT64_C(0x4340000000000001),
                               UINT64_C(0x4320000000000001),
                               UINT64_C(0x41dfffffffc00000),
                               UINT64_C(0x41e0000000000000),
                               UINT64_C(0xc1e0000000000000),
                               UINT64_C(0xc1e0000000100000),
                               UINT64_C(0x41dfffffffe00000),
                               UINT64_C(0x41efffffffe00000),
                               UINT64_C(0x41f0000000000000),
                               UINT64_C(0x43e0000000000000),
                               UINT64_C(0xc3e0000000000000),
                               UINT64_C(0x43dfffffffffffff),
                               UINT64_C(0x43f0000000000000),
                               UINT64_C(0x43efffffffffffff),
                               UINT64_C(0x47efffffe0000000),
                               UINT64_C(0x47efffffefffffff),
                               UINT64_C(0x47effffff0000000),
                               UINT64_C(0x3ff0000010000000),
                               UINT64_C(0x3ff0000030000000),
                               UINT64_C(0x3ff0000010000001),
                               UINT64_C(0x36a0000000000000),
                               UINT64_C(0x3690000000000000),
                               UINT64_C(0x3690000000000001),
                               UINT64_C(0x3810000000000000),
                               UINT64_C(0x380fffffe0000000),
                               UINT64_C(0x380ffffff0000000),
                               UINT64_C(0x3ff0020000000000),
                               UINT64_C(0x3ff0060000000000),
                               UINT64_C(0x40effe0000000000),
                               UINT64_C(0x40effdffffffffff),
                               UINT64_C(0x3e60000000000000),
                               UINT64_C(0x3e60000000000001),
                               UINT64_C(0x3ff0100000000000),
                               UINT64_C(0x47eff00000000000),
                               UINT64_C(0x7fe0000000000000),
                               UINT64_C(0x7fd0000000000001),
                               UINT64_C(0x0020000000000000),
                               UINT64_C(0x406fe00000000000),
                               UINT64_C(0x406ff00000000000),
                               UINT64_C(0x40dfffc000000000),
                               UINT64_C(0x40dfffe000000000),
                               UINT64_C(0xc0e0001000000000),
                               UINT64_C(0x400921fb54442d18),
                               UINT64_C(0x3fefffffffffffff)};
static const uint64_t f16[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x7bff, 0xfbff, 0x0400, 0x8400,
                               0x0001, 0x83ff, 0x7c01, 0x3c01, 0xbbff, 0x8001, 0x03ff, 0xfe55, 0x7fff, 0xffff, 0xfc55,
                               0x3800, 0xb800, 0x3e00, 0xbe00, 0x4100, 0xc100, 0x37ff, 0x3801, 0x4000, 0x4200, 0x4900,
                               0x6400, 0x6801, 0x7800, 0xf800, 0x7bfe, 0x57f8, 0x5bfc, 0xd808, 0x77ff, 0x0002, 0x0200,
                               0x07ff, 0x0800, 0x1400, 0x13ff, 0x1c00, 0x9401, 0x3bff, 0x3dff};
static const uint64_t bf16[] = {0,      0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 0x7f7f, 0xff7f, 0x0080, 0x8080,
                                0x0001, 0x807f, 0x7f81, 0x3f81, 0xbf7f, 0x8001, 0x007f, 0xffd5, 0x7fff, 0xffff, 0xff95,
                                0x3f00, 0xbf00, 0x3fc0, 0xbfc0, 0x4020, 0xc020, 0x3eff, 0x3f01, 0x4000, 0x4040, 0x4120,
                                0x4300, 0x4380, 0x7f00, 0xff00, 0x7f7e, 0x4f00, 0xcf00, 0x4f80, 0x5f00, 0x0002, 0x0040,
                                0x00ff, 0x0100, 0x2000, 0x1fff, 0x2f80, 0xa001, 0x3f7f, 0x3fbf};
static const uint64_t counts[] = {
    0,   1, 31, 32,      33,  63, 64,     65,     0xffffffff, 0x80000000, 255, 256, 8,  16, 15, 17, 7,  30,   2,  24, 127, 128,
    129, 5, 62, 0x10001, 257, 66, 0x8000, 0xffff, 0x7fffffff, 0xfffffffe, 48,  12,  34, 9,  23, 25, 47, 0x20, 29, 61, 6,   3};
static const uint64_t clamps[] = {0x1f,   0,      0x1c1f, 0x181f, 0x101f, 0x1e1f, 0x1f1f, 0x1c00,     0x1800,
                                  0x1000, 0x1e00, 0x1c03, 0x000f, 0x0007, 0x1f00, 0x0410, 0xffffffff, 0xe0e0e0ff};
static const uint64_t flags[] = {0, 1};

static const struct {
    const uint64_t *values;
    unsigned count;
} edge_lists[LISTS] = {
    [LIST_I16] = {i16, COUNT(i16)},        [LIST_I32] = {i32, COUNT(i32)},    [LIST_I64] = {i64, COUNT(i64)},
    [LIST_F16] = {f16, COUNT(f16)},        [LIST_BF16] = {bf16, COUNT(bf16)}, [LIST_F32] = {f32, COUNT(f32)},
    [LIST_F64] = {f64, COUNT(f64)},        [LIST_F16X2] = {f16, COUNT(f16)},  [LIST_BF16X2] = {bf16, COUNT(bf16)},
    [LIST_I16X2] = {i16, COUNT(i16)},      [LIST_PRED] = {flags, 2},          [LIST_COUNT] = {counts, COUNT(counts)},
    [LIST_CLAMP] = {clamps, COUNT(clamps)}};

static unsigned edges_count(List list) {
    switch (list) {
    case LIST_I8: return 256;
    case LIST_LANE: return 32;
    case LIST_OFFSET: return 70;
    case LIST_FEW:
    case LIST_FEW64: return 4;
    case LIST_MEMBERS: return 1;
    default: return edge_lists[list].count;
    }
}

static uint64_t edge(List list, unsigned index) {
    index %= edges_count(list);
    switch (list) {
    case LIST_I8: return index ^ 0x80;
    case LIST_LANE: return index;
    case LIST_OFFSET: return (uint32_t)(index - 35);
    case LIST_FEW: return i32[index];
    case LIST_FEW64: return i64[index + 9];
    case LIST_MEMBERS: return 0;
    case LIST_F16X2:
    case LIST_BF16X2:
    case LIST_I16X2: {
        const unsigned count = edges_count(list);
        return edge_lists[list].values[index] | edge_lists[list].values[(index * 7 + 3 + index / 16) % count] << 16;
    }
    default: return edge_lists[list].values[index];
    }
}

uint64_t operand_hash(uint64_t seed) { /* splitmix64 */
    seed += UINT64_C(0x9e3779b97f4a7c15);
    seed = (seed ^ seed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    seed = (seed ^ seed >> 27) * UINT64_C(0x94d049bb133111eb);
    return seed ^ seed >> 31;
}

void operand_immediate(List list, Type type, const char *seed, char *text, size_t bytes) {
    uint64_t hash = 0;
    for (; *seed; seed++) hash = operand_hash(hash ^ (uint8_t)*seed);
    const uint64_t value = edge(list, (unsigned)(hash % edges_count(list)));
    if (type == TYPE_f32)
        snprintf(text, bytes, "0f%08" PRIX64, value);
    else if (type == TYPE_f64)
        snprintf(text, bytes, "0d%016" PRIX64, value);
    else if (type_kinds[type] == KIND_SIGNED && type_bytes[type] == 8)
        snprintf(text, bytes, "%" PRId64, (int64_t)value);
    else if (type_kinds[type] == KIND_SIGNED && type_bytes[type] == 4)
        snprintf(text, bytes, "%" PRId32, (int32_t)value);
    else if (type_kinds[type] == KIND_SIGNED && type_bytes[type] == 2)
        snprintf(text, bytes, "%d", (int16_t)value);
    else
        snprintf(text, bytes, "%" PRIu64, value);
}

/* -- lanes */

static bool is_warp(const Line *line) {
    for (unsigned s = 0; s < line->n_sources; s++)
        if (line->lists[s] == LIST_MEMBERS) return true;
    return false;
}

static bool is_small(List list) { return list == LIST_I16 || list == LIST_F16 || list == LIST_BF16; }

/* Edges that are combined: in pairs 64 of each, in threes 16. */
static unsigned combined(const Line *line, unsigned source) {
    const unsigned count = edges_count((List)line->lists[source]), n = line->n_sources;
    const unsigned most = n == 1 ? 256 : n == 2 ? 64 : source < 3 ? 16 : 1;
    return count < most ? count : most;
}

uint32_t operands_lanes(const Line *line, uint32_t *edges) {
    *edges = 1;
    for (unsigned s = 0; s < line->n_sources; s++) *edges *= combined(line, s);
    if (line->immediate) return *edges = line->n_sources == 1 ? 0 : 512, 1024;
    if (is_warp(line)) return *edges = 0, 4096;
    if (line->n_sources == 1 && is_small((List)line->lists[0])) return *edges = 65536, 65536 + 4096;
    return line->n_sources == 1 && line->lists[0] == LIST_I8 ? 1024 : line->n_sources == 2 ? 8192 : 10240;
}

static uint64_t random_value(List list, uint64_t hash) {
    switch (list) {
    case LIST_I16: return hash >> (hash & 7);
    case LIST_I32: return (uint32_t)hash >> (hash >> 40 & 31);
    case LIST_I64: return hash >> (hash >> 3 & 63);
    case LIST_F32: { /* half of them of exponents around 1 */
        const uint32_t near = (uint32_t)((hash & 0x807fffff) | (127 - 12 + (hash >> 40) % 40) << 23);
        return hash >> 63 ? near : (uint32_t)hash;
    }
    case LIST_F64: {
        const uint64_t near = (hash & UINT64_C(0x800fffffffffffff)) | (1023 - 12 + (operand_hash(hash) >> 8) % 72) << 52;
        return operand_hash(hash) & 1 ? near : hash;
    }
    case LIST_COUNT: return hash % 80;
    case LIST_PRED:
    case LIST_LANE:
    case LIST_OFFSET:
    case LIST_CLAMP:
    case LIST_MEMBERS:
    case LIST_FEW:
    case LIST_FEW64: return edge(list, (unsigned)(hash >> 7) & 0xffff);
    default: return hash;
    }
}

/* A third operand that takes the product of the first two away, but for its last bits. */
static uint64_t near_product(List list, uint64_t a, uint64_t b, uint64_t hash) {
    if (list == LIST_F32) {
        float x, y, p;
        const uint32_t a32 = (uint32_t)a, b32 = (uint32_t)b;
        memcpy(&x, &a32, 4);
        memcpy(&y, &b32, 4);
        p = -(x * y);
        uint32_t bits;
        memcpy(&bits, &p, 4);
        return bits + (uint32_t)(hash % 3) - 1;
    }
    double x, y, p;
    memcpy(&x, &a, 8);
    memcpy(&y, &b, 8);
    p = -(x * y);
    uint64_t bits;
    memcpy(&bits, &p, 8);
    return bits + hash % 3 - 1;
}

/* Beyond the combined edges: random ones, edges among them, and values close to the first operand's. */
static uint64_t mixed_value(const Line *line, unsigned source, const uint64_t *values, uint32_t lanes, uint32_t lane) {
    const List list = (List)line->lists[source];
    const uint64_t hash = operand_hash((uint64_t)lane << 16 | source << 8 | list), kind = operand_hash(hash) % 8;
    if (kind < 2 && line->n_sources > 1) return edge(list, (unsigned)(hash >> 20));
    if (kind < 4 && source && list == line->lists[0] && list != LIST_PRED) {
        const uint64_t first = values[lane], top = UINT64_C(1) << (line->source_width[0] == 'h'   ? 15
                                                                   : line->source_width[0] == 'q' ? 63
                                                                                                  : 31);
        if (source == 2 && (list == LIST_F32 || list == LIST_F64)) return near_product(list, first, values[lanes + lane], hash);
        return kind == 2 ? first + hash % 7 - 3 : first ^ top ^ (hash & hash >> 8 & hash >> 16 & 0xff);
    }
    return random_value(list, hash);
}

void operands_fill(const Line *line, uint32_t lanes, uint64_t *values) {
    uint32_t edges;
    operands_lanes(line, &edges);
    uint32_t step = 1;
    for (unsigned s = 0; s < line->n_sources; s++) {
        const List list = (List)line->lists[s];
        for (uint32_t i = 0; i < lanes; i++) {
            uint64_t value = i >= edges                               ? mixed_value(line, s, values, lanes, i)
                             : line->immediate                        ? edge(list, i + 7 * s)
                             : is_small(list) && line->n_sources == 1 ? i
                                                                      : edge(list, i / step % combined(line, s));
            const bool narrow = list == LIST_I8, half = is_small(list),
                       wide = list == LIST_I64 || list == LIST_F64 || list == LIST_FEW64;
            const uint64_t garbage = operand_hash(i ^ UINT64_C(0x5555) << 32);
            if (!wide)
                value = narrow ? (value & 0xff) | garbage << 8
                        : half ? (value & 0xffff) | garbage << 16
                               : (value & 0xffffffff) | garbage << 32;
            values[(size_t)s * lanes + i] = value;
        }
        step *= combined(line, s);
    }
}
