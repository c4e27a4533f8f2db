/* patterns.h: reads h200-patterns.csv and h200-masks.csv: in every row one warp's access pattern and the counters that an H200 showed. */
#pragma once

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/access.h"

typedef struct Pattern {
    char name[64]; /* kind/bytes/label */
    char kind[12]; /* gather, scatter, sgather, sscatter */
    uint32_t bytes, lanes;
    uint64_t index[WARP_LANES]; /* element of each lane */
    uint64_t load_sectors, store_sectors;
    uint64_t load_wavefronts, store_wavefronts, load_conflicts, store_conflicts;
} Pattern;

static inline uint64_t pattern_column(char **field, const char *header, const char *name) {
    size_t column = 0, length = strlen(name);
    for (const char *at = header; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL, column++)
        if (!strncmp(at, name, length) && !strncmp(at + length, ".sum", 4)) return strtoull(field[column], NULL, 10);
    ck_abort_msg("no column %s", name);
}

/* Splits a csv line in place; commas within double quotes do not separate. */
static inline void pattern_split(char *line, char **field, size_t limit) {
    size_t n = 0;
    for (char *at = line; n < limit; n++) {
        char *end = *at == '"' ? strchr(++at, '"') : at + strcspn(at, ",\n");
        field[n] = at;
        at = *end == '"' ? end + 1 : end;
        *end = '\0';
        if (at == end && n + 1 < limit)
            at++;
        else if (*at == ',')
            at++;
        else if (at != end)
            break;
    }
}

static inline void pattern_parse(Pattern *pattern, char *line, const char *header) {
    char *field[24] = {0};
    pattern_split(line, field, 21);
    unsigned bytes = 0;
    ck_assert_int_eq(sscanf(field[0], "%11[a-z]/%u/", pattern->kind, &bytes), 2);
    pattern->bytes = bytes;
    const char *at = strrchr(field[0], '/');
    snprintf(pattern->name, sizeof pattern->name, "%.*s", (int)(at - field[0]), field[0]);
    for (pattern->lanes = 0; *at; pattern->lanes++) {
        ck_assert_uint_lt(pattern->lanes, WARP_LANES);
        char *end;
        pattern->index[pattern->lanes] = strtoull(at + 1, &end, 10);
        at = end;
    }
    pattern->load_sectors = pattern_column(field, header, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld");
    pattern->store_sectors = pattern_column(field, header, "l1tex__t_sectors_pipe_lsu_mem_global_op_st");
    pattern->load_wavefronts = pattern_column(field, header, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld");
    pattern->store_wavefronts = pattern_column(field, header, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st");
    pattern->load_conflicts = pattern_column(field, header, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld");
    pattern->store_conflicts = pattern_column(field, header, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st");
}

/* All rows of the file; the caller frees. */
static inline Pattern *patterns_read(size_t *count) {
    FILE *file = fopen("tests/hardware/h200-patterns.csv", "r");
    ck_assert_msg(file != NULL, "tests run from the repository's root");
    static char header[4096], line[8192];
    ck_assert_ptr_nonnull(fgets(header, sizeof header, file));
    Pattern *patterns = NULL;
    *count = 0;
    while (fgets(line, sizeof line, file)) {
        patterns = realloc(patterns, (*count + 1) * sizeof *patterns);
        ck_assert_ptr_nonnull(patterns);
        pattern_parse(&patterns[(*count)++], line, header);
    }
    fclose(file);
    return patterns;
}

/* The pattern's gather or scatter as an access to memory at `base`. */
static inline Access pattern_access(const Pattern *pattern, Space space, AccessKind kind, uint64_t base) {
    Access access = {.space = (uint8_t)space, .kind = (uint8_t)kind, .bytes = (uint8_t)pattern->bytes};
    access.active = pattern->lanes == WARP_LANES ? LANES_ALL : (1u << pattern->lanes) - 1;
    for (uint32_t i = 0; i < pattern->lanes; i++) access.addr[i] = base + pattern->index[i] * pattern->bytes;
    return access;
}

typedef struct Masked {
    char kind[24], pattern[16];
    Access access; /* addresses from 0 on */
    unsigned sectors, wavefronts, conflicts;
} Masked;

static inline AccessKind masked_kind(const char *kind) {
    if (!strcmp(kind, "gload") || !strcmp(kind, "sload")) return ACCESS_LOAD;
    if (!strcmp(kind, "gstore") || !strcmp(kind, "sstore")) return ACCESS_STORE;
    return !strncmp(kind, "gred", 4) || !strncmp(kind, "satom_red", 9) ? ACCESS_REDUCTION : ACCESS_ATOMIC;
}

/* Calls check for all rows of h200-masks.csv of global ('g') or shared ('s') memory; returns how many there were. */
static inline size_t masked_each(char memory, void (*check)(const Masked *row)) {
    FILE *file = fopen("tests/hardware/h200-masks.csv", "r");
    ck_assert_msg(file != NULL, "tests run from the repository's root");
    static char line[1024];
    size_t count = 0;
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        if (line[0] != memory) continue;
        Masked row = {0};
        unsigned bytes, mask;
        int used = 0;
        ck_assert_int_eq(sscanf(line, "%23[^,],%u,%x,%15[^,],%n", row.kind, &bytes, &mask, row.pattern, &used), 4);
        const char *at = line + used;
        ck_assert_int_ge(memory == 'g' ? sscanf(at, "%u,,,%n", &row.sectors, &used)
                                       : sscanf(at, ",%u,%u,%n", &row.wavefronts, &row.conflicts, &used),
                         1);
        row.access = (Access){.space = memory == 'g' ? SPACE_GLOBAL : SPACE_SHARED,
                              .kind = (uint8_t)masked_kind(row.kind),
                              .service = strncmp(row.kind, "satom_cas", 9) == 0 ? SERVICE_SWAP : SERVICE_EACH,
                              .bytes = (uint8_t)bytes,
                              .active = mask};
        char *number = line + (at - line) + used;
        for (int i = 0; i < WARP_LANES; i++) row.access.addr[i] = strtoull(number, &number, 10) * bytes;
        check(&row);
        count++;
    }
    fclose(file);
    return count;
}
