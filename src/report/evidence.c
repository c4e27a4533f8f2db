#include "report/evidence.h"

#include <fnmatch.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "report/object.h"

#define QUANTITIES(QUANTITY) QUANTITY(requests) QUANTITY(l1) QUANTITY(l2) QUANTITY(shared) QUANTITY(time)
enum {
#define QUANTITY(name) QUANTITY_##name,
    QUANTITIES(QUANTITY)
#undef QUANTITY
        QUANTITY_COUNT
};
static const char *const quantity_names[QUANTITY_COUNT] = {
#define QUANTITY(name) #name,
    QUANTITIES(QUANTITY)
#undef QUANTITY
};

static const double most_difference[QUANTITY_COUNT] = {
    [QUANTITY_l1] = 0.02, [QUANTITY_l2] = 0.1, [QUANTITY_shared] = 0.02, [QUANTITY_time] = 0.4};
static const double apart = 1.25; /* times that differ by less have no order */

typedef struct Known {
    const char *pattern, *reason;
    int quantity;
    bool used;
} Known;

typedef struct ComparedRun {
    const char *name;
    double measured_us, modelled_us;
    double difference[QUANTITY_COUNT]; /* of requests: 0 or 1; of time: the factor between the two, less 1 */
    bool held_out, optimised;
} ComparedRun;

typedef struct Evidence {
    Arena *arena;
    Known *known;
    size_t n_known;
    ComparedRun *runs;
    size_t n_runs;
} Evidence;

/* --- one run -------------------------------------------------------------------------------------------------------------- */

static uint32_t feed(uint32_t crc, uint8_t byte) {
    crc ^= (uint32_t)byte << 24;
    for (int bit = 0; bit < 8; bit++) crc = crc << 1 ^ (crc >> 31 ? UINT32_C(0x04c11db7) : 0);
    return crc;
}

static uint32_t checksum(const char *text) {
    uint32_t crc = 0;
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) crc = feed(crc, (uint8_t)text[i]);
    for (size_t left = length; left; left >>= 8) crc = feed(crc, (uint8_t)left);
    return ~crc;
}

/* What is under a path such as "global.load.sectors"; NULL where a key of it is absent. */
static const json_t *find(const json_t *run, const char *path) {
    char key[64]; /* Jansson finds keys by length from 2.14 on */
    for (size_t length; run && *path; path += length + (path[length] == '.')) {
        length = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        run = json_object_get(run, key);
    }
    return run;
}

static double number(const json_t *run, const char *path) { return json_number_value(find(run, path)); }

static double share(double difference, double of) { return difference != 0 ? fabs(difference) / of : 0; }

static double between(const json_t *a, const json_t *b, const char *path) {
    double x = number(a, path), y = number(b, path);
    return share(x - y, fmax(x, y));
}

/* Of the addresses, where that counter was read, else of the pipe. */
static double apart_in_wavefronts(const json_t *measured, const json_t *emulated, const char *path, const char *pipe) {
    double ours = number(emulated, path), read = number(measured, find(measured, path) ? path : pipe);
    return share(read - ours, fmax(read, ours));
}

/* PTX does not show what is executed of a kernel that was assembled without optimisation. */
static bool is_optimised(const json_t *emulated) {
    const char *arguments = json_string_value(json_object_get(emulated, "arguments"));
    return !arguments || !strstr(arguments, "--opt 0");
}

static ComparedRun compare(const char *name, const json_t *measured, const json_t *emulated) {
    static const char *const requests[] = {"global.load.requests", "global.load.sectors", "global.store.requests",
                                           "global.store.sectors"};
    ComparedRun run = {.name = name,
                       .measured_us = number(measured, "device_us"),
                       .modelled_us = number(emulated, "model.time_us"),
                       .held_out = checksum(name) % 3 == 0,
                       .optimised = is_optimised(emulated)};
    double *difference = run.difference;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (number(measured, requests[i]) != number(emulated, requests[i])) difference[QUANTITY_requests] = 1;
    difference[QUANTITY_l1] =
        share(number(measured, "global.load.l1_hit_sectors") - number(emulated, "global.load.l1_hit_sectors"),
              fmax(1, number(measured, "global.load.sectors")));
    difference[QUANTITY_l2] = between(measured, emulated, "l2.read_sectors");
    difference[QUANTITY_shared] =
        fmax(apart_in_wavefronts(measured, emulated, "shared.load.wavefronts", "shared.load.pipe_wavefronts"),
             apart_in_wavefronts(measured, emulated, "shared.store.wavefronts", "shared.store.pipe_wavefronts"));
    difference[QUANTITY_time] = fmax(run.measured_us / run.modelled_us, run.modelled_us / run.measured_us) - 1;
    return run;
}

static bool agrees(const ComparedRun *run, int quantity) { return run->difference[quantity] <= most_difference[quantity]; }

/* The first entry that says why the run differs. */
static Known *known_of(const Evidence *evidence, const ComparedRun *run, int quantity) {
    for (size_t i = 0; i < evidence->n_known; i++)
        if (evidence->known[i].quantity == quantity && fnmatch(evidence->known[i].pattern, run->name, 0) == 0)
            return &evidence->known[i];
    return NULL;
}

/* --- the texts ------------------------------------------------------------------------------------------------------------ */

static bool read_known(Evidence *evidence, const char *differences, Diag *diag) {
    char *text = arena_copy(evidence->arena, differences, strlen(differences));
    uint32_t number = 1;
    for (char *line = text, *next; line; line = next, number++) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        char *state, *pattern = strtok_r(line, " \t\r", &state);
        if (!pattern || *pattern == '#') continue;
        char *quantity = strtok_r(NULL, " \t\r", &state), *reason = strtok_r(NULL, "\r", &state);
        Known known = {.pattern = pattern, .reason = reason ? reason : "", .quantity = -1};
        for (int q = 0; quantity && q < QUANTITY_COUNT; q++)
            if (strcmp(quantity, quantity_names[q]) == 0) known.quantity = q;
        if (known.quantity < 0 || !*known.reason) {
            diag_say(diag, "line %u of the known differences is not PATTERN QUANTITY REASON", number);
            return diag_hint(diag, "quantities are requests, l1, l2, shared and time");
        }
        ARENA_ADD(evidence->arena, evidence->known, evidence->n_known) = known;
    }
    return true;
}

static json_t *read_record(const char *text, const char *what, Diag *diag) {
    json_error_t error;
    json_t *record = json_loads(text, 0, &error);
    if (json_is_object(json_object_get(record, "runs"))) return record;
    diag_say(diag, "the %s record cannot be read: %s", what, record ? "it has no runs" : error.text);
    json_decref(record);
    return NULL;
}

/* Runs without the hardware's counters are left out; those that were not emulated make it fail. */
static bool read_runs(Evidence *evidence, const json_t *measured, const json_t *emulated, Diag *diag) {
    const char *name;
    json_t *run;
    json_object_foreach(json_object_get(measured, "runs"), name, run) {
        const json_t *other = json_object_get(json_object_get(emulated, "runs"), name);
        const char *mine = json_string_value(json_object_get(run, "arguments")),
                   *its = json_string_value(json_object_get(other, "arguments"));
        if (!json_object_get(run, "device_us")) continue;
        if (!mine || !its || strcmp(mine, its) != 0)
            return diag_say(diag, "%s was %s", name, other ? "emulated with other arguments" : "not emulated");
        ARENA_ADD(evidence->arena, evidence->runs, evidence->n_runs) = compare(name, run, other);
    }
    return true;
}

/* --- the result ----------------------------------------------------------------------------------------------------------- */

static json_t *run_object(const Evidence *evidence, const ComparedRun *run, json_t *unknown) {
    const double *difference = run->difference;
    json_t *known = json_object(),
           *object = json_pack("{sb sb so so so so so so}", "held_out", run->held_out, "optimised", run->optimised,
                               "measured_us", object_real(run->measured_us), "modelled_us", object_real(run->modelled_us),
                               "ratio", object_real(run->modelled_us / run->measured_us), "l1_difference",
                               object_real(difference[QUANTITY_l1]), "l2_difference", object_real(difference[QUANTITY_l2]),
                               "shared_difference", object_real(difference[QUANTITY_shared]));
    for (int q = 0; q < QUANTITY_COUNT; q++) {
        object_set(object, quantity_names[q], json_boolean(agrees(run, q)));
        if (agrees(run, q)) continue;
        Known *reason = known_of(evidence, run, q);
        if (reason) {
            object_set(known, quantity_names[q], json_string(reason->reason));
            reason->used = true;
        } else {
            json_array_append_new(unknown, json_sprintf("%s %s", run->name, quantity_names[q]));
        }
    }
    object_set(object, "known", known);
    return object;
}

/* Error and order of the optimised runs, of those held out alone or of all. */
static json_t *times_object(const Evidence *evidence, bool held_out_alone) {
    double logs = 0, pairs = 0, right = 0, count = 0;
    for (size_t i = 0; i < evidence->n_runs; i++) {
        const ComparedRun *a = &evidence->runs[i];
        if (!a->optimised || (held_out_alone && !a->held_out)) continue;
        logs += log(1 + a->difference[QUANTITY_time]);
        count++;
        for (size_t j = 0; j < i; j++) {
            const ComparedRun *b = &evidence->runs[j];
            if (!b->optimised || (held_out_alone && !b->held_out)) continue;
            if (fmax(a->measured_us, b->measured_us) <= apart * fmin(a->measured_us, b->measured_us)) continue;
            pairs++;
            right += (a->measured_us > b->measured_us) == (a->modelled_us > b->modelled_us) && a->modelled_us != b->modelled_us;
        }
    }
    return json_pack("{sI so sI so}", "runs", (json_int_t)count, "error", object_real(count > 0 ? exp(logs / count) - 1 : 0),
                     "pairs", (json_int_t)pairs, "order", object_real(pairs > 0 ? right / pairs : 1));
}

/* Returns how many differences are unknown. */
static size_t write_result(const Evidence *evidence, Text *out) {
    json_t *runs = json_object(), *agree = json_object(), *unknown = json_array(), *idle = json_array();
    for (size_t i = 0; i < evidence->n_runs; i++)
        object_set(runs, evidence->runs[i].name, run_object(evidence, &evidence->runs[i], unknown));
    for (int q = 0; q < QUANTITY_COUNT; q++) {
        json_int_t count = 0;
        for (size_t i = 0; i < evidence->n_runs; i++) count += agrees(&evidence->runs[i], q);
        object_set(agree, quantity_names[q], json_integer(count));
    }
    for (size_t i = 0; i < evidence->n_known; i++)
        if (!evidence->known[i].used) json_array_append_new(idle, json_string(evidence->known[i].pattern));
    const size_t count = json_array_size(unknown);
    object_print(json_pack("{so so sI so so so so}", "runs", runs, "agree", agree, "count", (json_int_t)evidence->n_runs,
                           "held_out", times_object(evidence, true), "all", times_object(evidence, false), "unknown", unknown,
                           "idle", idle),
                 1, out);
    return count;
}

bool evidence_compare(const char *measured, const char *emulated, const char *differences, Text *out, size_t *unknown,
                      Diag *diag) {
    Evidence evidence = {.arena = arena_new()};
    json_t *hardware = read_record(measured, "measured", diag),
           *counts = hardware ? read_record(emulated, "emulated", diag) : NULL;
    bool good = counts && read_known(&evidence, differences, diag) && read_runs(&evidence, hardware, counts, diag);
    if (good) *unknown = write_result(&evidence, out);
    json_decref(hardware);
    json_decref(counts);
    arena_free(evidence.arena);
    return good;
}
