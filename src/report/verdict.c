#include "report/verdict.h"

#include <inttypes.h>

#include "report/layout.h"
#include "report/pattern.h"
#include "report/plain.h"

static uint64_t distance(int64_t stride) { return stride < 0 ? -(uint64_t)stride : (uint64_t)stride; }

/* "every lane reads the same address" */
static void add_same(const Access *access, Text *out) {
    text_add(out, "%s lane %s the same address", access->active == LANES_ALL ? "every" : "every active",
             access_verb(access->kind));
}

/* --- sectors --- */

/* " a request"; an element of local memory wider than 4 bytes is a request for each of its words. */
static void add_each(const Access *access, Text *out) {
    if (access->space == SPACE_LOCAL && access->bytes > 4)
        text_add(out, " in %u requests", access->bytes / 4);
    else
        text_add(out, " a request");
}

/* Why evenly spaced lanes take more sectors than their bytes would fill. */
static void explain_stride(const Access *access, const Pattern *pattern, Text *out) {
    uint64_t apart = distance(pattern->stride);
    if (apart > access->bytes) {
        text_add(out, "lanes are %s bytes apart", plain_number(apart).text);
        if (apart < SECTOR_BYTES) text_add(out, " and use %u of them", access->bytes);
    } else if (pattern->holes) {
        text_add(out, "inactive lanes leave gaps between the bytes used");
    } else {
        text_add(out, "the first byte is %u past a 32-byte boundary", (unsigned)(pattern->low % SECTOR_BYTES));
    }
}

static void explain_runs(const Access *access, const Pattern *pattern, Text *out) {
    Plain jump = plain_number(distance(pattern->jump));
    uint64_t apart = distance(pattern->stride), phase = pattern->low % SECTOR_BYTES;
    if (!pattern->stride) {
        text_add(out, pattern->run == 2 ? "each pair of lanes uses" : "every %u lanes use", pattern->run);
        text_add(out, " the same %u bytes, the next %u are %s bytes away", access->bytes, pattern->run, jump.text);
    } else if (apart == access->bytes && phase && pattern->run * apart % SECTOR_BYTES == 0 &&
               pattern->jump % SECTOR_BYTES == 0) {
        text_add(out, "runs of %u lanes start %u bytes past a 32-byte boundary", pattern->run, (unsigned)phase);
    } else {
        text_add(out, "runs of %u lanes are %s bytes apart", pattern->run, jump.text);
        if (apart > access->bytes) text_add(out, ", the lanes of a run %s", plain_number(apart).text);
    }
}

/* Word w of lane l stands at (w * 32 + l) * 4 of a warp's local memory. */
static void explain_local(const Pattern *pattern, Text *out) {
    bool same = pattern->kind == PATTERN_SINGLE || (pattern->kind == PATTERN_STRIDE && pattern->stride == BANK_BYTES);
    text_add(out, same ? "local memory is interleaved, 4 bytes a lane, and not all lanes are active"
                       : "the lanes use different elements of local memory, which is interleaved, 4 bytes a lane");
}

static void explain_sectors(const Access *access, const Pattern *pattern, Text *out) {
    if (access->space == SPACE_LOCAL) {
        explain_local(pattern, out);
        return;
    }
    switch (pattern->kind) {
    case PATTERN_STRIDE: explain_stride(access, pattern, out); break;
    case PATTERN_RUNS: explain_runs(access, pattern, out); break;
    case PATTERN_SINGLE:
    case PATTERN_SAME:
    case PATTERN_SCATTERED: text_add(out, "the addresses are scattered over %s bytes", plain_number(pattern->span).text); break;
    }
}

static uint32_t least_sectors(const SectorLayout *layout) { return (layout->unique_bytes + SECTOR_BYTES - 1) / SECTOR_BYTES; }

static void add_fine_sectors(const Access *access, const Pattern *pattern, const SectorLayout *layout, Text *out) {
    bool simple = pattern->kind == PATTERN_SAME || pattern->kind == PATTERN_SINGLE;
    text_add(out, "fine: ");
    if (pattern->kind == PATTERN_SAME) add_same(access, out);
    if (pattern->kind == PATTERN_SINGLE)
        text_add(out, "one lane %s %u byte%s", access_verb(access->kind), access->bytes, access->bytes == 1 ? "" : "s");
    if (simple) text_add(out, ": ");
    plain_count(out, layout->counted, "sector");
    if (simple) return;
    add_each(access, out);
    text_add(out, ", the fewest that hold its %u bytes", layout->unique_bytes);
}

/* Atomics of several lanes on one address. */
static void explain_serialised(const Access *access, const Pattern *pattern, const SectorLayout *layout, Text *out) {
    uint32_t transfers = 0;
    for (uint32_t i = 0; i < layout->n_sectors; i++)
        transfers = layout->sector[i].transfers > transfers ? layout->sector[i].transfers : transfers;
    if (pattern->kind == PATTERN_SAME)
        add_same(access, out);
    else
        text_add(out, "up to %u lanes update the same address", transfers);
    text_add(out, ", in turn");
}

static bool sector_sentence(const Sample *sample, Text *out) {
    const Access *access = &sample->access;
    Pattern pattern = pattern_find(access);
    SectorLayout layout;
    layout_sectors(sample, &layout);
    uint32_t least = least_sectors(&layout), touched = 0;
    if (layout.counted <= least) {
        add_fine_sectors(access, &pattern, &layout, out);
        return true;
    }
    for (uint32_t i = 0; i < layout.n_sectors; i++) touched += layout.sector[i].bytes != 0;
    plain_count(out, layout.counted, "sector");
    add_each(access, out);
    text_add(out, ", %u would do: ", least);
    if (layout.whole_lines) text_add(out, "lines of 128 bytes are moved whole%s", touched > least ? ", and " : "");
    if (touched > least) explain_sectors(access, &pattern, out);
    if (layout.counted > layout.n_sectors) {
        if (touched > least) text_add(out, ", and ");
        explain_serialised(access, &pattern, &layout, out);
    }
    return false;
}

/* --- banks --- */

/* The bank busy in most wavefronts of one group of lanes, that group, and in how many. */
typedef struct Crowd {
    uint32_t bank, group, words;
} Crowd;

static Crowd find_crowd(const BankLayout *layout) {
    Crowd worst = {0, 0, 0};
    for (uint32_t first = 0, end; first < layout->n_rows; first = end) {
        uint32_t words[BANKS] = {0}, group = layout->row[first].group;
        for (end = first; end < layout->n_rows && layout->row[end].group == group; end++)
            for (uint32_t bank = 0; bank < BANKS; bank++) words[bank] += layout->row[end].lanes[bank] != 0;
        for (uint32_t bank = 0; bank < BANKS; bank++)
            if (words[bank] > worst.words) worst = (Crowd){bank, group, words[bank]};
    }
    return worst;
}

/* The banks that any lane touches, as a set. */
static uint32_t banks_used(const BankLayout *layout) {
    uint32_t used = 0;
    for (uint32_t row = 0; row < layout->n_rows; row++)
        for (uint32_t bank = 0; bank < BANKS; bank++) used |= (uint32_t)(layout->row[row].lanes[bank] != 0) << bank;
    return used;
}

static const char *group_name(uint32_t group) {
    switch (__builtin_popcount(group)) {
    case 4: return "every 4";
    case 8: return "each quarter-warp";
    case 16: return "each half-warp";
    }
    return "them";
}

static void explain_banks(const Access *access, const Pattern *pattern, const BankLayout *layout, Text *out) {
    Crowd crowd = find_crowd(layout);
    uint32_t used = banks_used(layout), count = (uint32_t)__builtin_popcount(used),
             words = access->bytes > 4 ? access->bytes / 4 : 1;
    if (pattern->kind == PATTERN_STRIDE && !pattern->holes) {
        text_add(out, "lanes are %s bytes apart, ", plain_number(distance(pattern->stride)).text);
        if (count == 1)
            text_add(out, "all in bank %u", crowd.bank);
        else if (count == words)
            text_add(out, "all in banks %u to %u", crowd.bank, crowd.bank + words - 1);
        else
            text_add(out, "so that %u of %s meet in bank %u", crowd.words, group_name(crowd.group), crowd.bank);
        return;
    }
    uint32_t lanes = 0;
    for (uint32_t row = 0; row < layout->n_rows; row++)
        if (layout->row[row].group == crowd.group) lanes |= layout->row[row].lanes[crowd.bank];
    bool atomic = access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION;
    if (atomic && pattern->kind == PATTERN_SAME) {
        add_same(access, out);
        text_add(out, ", in turn");
        return;
    }
    text_add(out, "lanes ");
    plain_lanes(out, lanes, 30);
    if (atomic)
        text_add(out, " update words of bank %u, in turn", crowd.bank);
    else
        text_add(out, " want %u different words of bank %u", crowd.words, crowd.bank);
}

static bool bank_sentence(const Sample *sample, Text *out) {
    const Access *access = &sample->access;
    Pattern pattern = pattern_find(access);
    BankLayout layout;
    layout_banks(access, &layout);
    uint32_t wavefronts = layout.n_rows * layout.row_wavefronts;
    if (wavefronts > layout.least) {
        plain_count(out, wavefronts, "wavefront");
        text_add(out, " a request, %u would do: ", layout.least);
        explain_banks(access, &pattern, &layout, out);
        return false;
    }
    text_add(out, "fine: ");
    if (pattern.kind == PATTERN_SAME) {
        add_same(access, out);
        text_add(out, ": ");
    }
    plain_count(out, wavefronts, "wavefront");
    if (pattern.kind == PATTERN_SAME) return true;
    text_add(out, " a request, the fewest ");
    if (layout.least > 1)
        text_add(out, "for %u-byte elements", access->bytes);
    else
        text_add(out, "possible");
    return true;
}

/* --- both --- */

bool verdict_sentence(const Sample *sample, Text *out) {
    return sample->access.space == SPACE_SHARED ? bank_sentence(sample, out) : sector_sentence(sample, out);
}
