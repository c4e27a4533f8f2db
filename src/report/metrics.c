#include "report/metrics.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/model.h"
#include "device/waits.h"
#include "ptx/opcode.h"
#include "report/object.h"
#include "report/spot.h"

typedef struct CountMember {
    const char *name, *noun;
    size_t offset;
    unsigned uses;
} CountMember;

#define LAUNCH(name, uses, value)
#define BANKS(member, uses, noun)
#define SECTORS(member, uses, noun) {#member, noun, offsetof(SectorCounters, member), uses},
static const CountMember sector_members[] = {
#include "report/metrics.def"
    {NULL, NULL, 0, 0}};
#undef SECTORS
#undef BANKS
#define SECTORS(member, uses, noun)
#define BANKS(member, uses, noun) {#member, noun, offsetof(BankCounters, member), uses},
static const CountMember bank_members[] = {
#include "report/metrics.def"
    {NULL, NULL, 0, 0}};
#undef LAUNCH
#undef BANKS

/* A space by the place of its first operation's counters. */
typedef struct CountedSpace {
    const char *name;
    const CountMember *members;
    size_t offset, bytes; /* in Counters; of one operation */
    int n_ops;
} CountedSpace;

static const CountedSpace spaces[] = {
    {"global", sector_members, offsetof(Counters, global), sizeof(SectorCounters), COUNTER_OPS},
    {"shared", bank_members, offsetof(Counters, shared), sizeof(BankCounters), COUNTER_OPS},
    {"local", sector_members, offsetof(Counters, local), sizeof(SectorCounters), COUNTER_ATOMIC}, /* no atomics there */
};
enum { SPACES = sizeof spaces / sizeof *spaces };

static uint64_t count_at(const void *counters, const CountMember *member) {
    return *(const uint64_t *)((const char *)counters + member->offset);
}

static const void *counters_of(const MetricSource *of, const CountedSpace *space, int op) {
    return (const char *)of->counters + space->offset + (size_t)op * space->bytes;
}

/* Of all its operations; requests are the first member. */
static uint64_t requests_of(const MetricSource *of, const CountedSpace *space) {
    uint64_t requests = 0;
    for (int op = 0; op < space->n_ops; op++) requests += count_at(counters_of(of, space, op), space->members);
    return requests;
}

static double imbalance(const MetricSource *of, uint64_t most, uint64_t all) {
    const Launch *launch = &of->request->launch;
    const double warps = (double)launch_blocks(launch) * ceil((double)launch_threads(launch) / WARP_LANES);
    return all ? (double)most * warps / (double)all : NAN;
}

static uint64_t shuffles(const MetricSource *of) {
    const Program *program = of->request->launch.kernel->program;
    uint64_t sum = 0;
    for (uint32_t pc = 0; pc < of->counters->n_insns; pc++)
        if (program->insns[pc].op == OP_shfl) sum += of->counters->insns[pc].executed;
    return sum;
}

/* That asynchronous copies read: of lanes' copies, and different ones of each request. */
static SectorCounters copied(const MetricSource *of) {
    const Program *program = of->request->launch.kernel->program;
    SectorCounters sum = {0};
    for (uint32_t pc = 0; pc < of->counters->n_insns; pc++)
        if (program->insns[pc].op == OP_cp_async) counters_add_sectors(&sum, &of->counters->insns[pc].sectors);
    return sum;
}

static uint64_t async_bytes(const MetricSource *of) { return copied(of).bytes; }
static uint64_t async_unique_bytes(const MetricSource *of) { return copied(of).unique_bytes; }

/* The time of the same launch if instructions took none, and no warp had more of them. */
static double data_us(const MetricSource *of) {
    const Launch *launch = &of->request->launch;
    Counters counters = *of->counters;
    ModelInput input = {.profile = of->request->profile,
                        .counters = &counters,
                        .blocks = launch_blocks(launch),
                        .threads = launch_threads(launch),
                        .shared_bytes = (uint32_t)launch_shared(launch),
                        .waits = waits_find(launch->kernel, of->counters)};
    counters.instructions = counters.busiest_warp = 0;
    input.waits.chains = input.waits.slow = 0;
    return model_time(&input).time_us;
}

/* As JSON has it: whoever works out a goal from that comes to the same. */
static double as_shown(double time_us) {
    char text[32];
    snprintf(text, sizeof text, "%.*g", OBJECT_DIGITS, time_us);
    return strtod(text, NULL);
}

typedef struct LaunchMetric {
    const char *name;
    unsigned uses;
} LaunchMetric;

#define SECTORS(member, uses, noun)
#define BANKS(member, uses, noun)
#define LAUNCH(name, uses, value) {name, uses},
static const LaunchMetric launch_metrics[] = {
#include "report/metrics.def"
};
#undef LAUNCH
enum { LAUNCH_METRICS = sizeof launch_metrics / sizeof *launch_metrics };

/* By index, as launch_metrics has them. */
static double launch_value(const MetricSource *of, int index) {
    int i = 0;
#define LAUNCH(name, uses, value) \
    if (i++ == index) return (double)(value);
#include "report/metrics.def"
    return NAN;
}

MetricSource metrics_of(const LaunchRequest *request, const LaunchResult *result) {
    return (MetricSource){request, result, result->counters};
}

static void set_member(json_t *object, const CountMember *member, const void *counters, unsigned use) {
    const uint64_t count = count_at(counters, member);
    if ((member->uses & use) == use && (count || !(member->uses & IF_ANY))) object_number(object, member->name, count);
}

static void set_space(json_t *object, const MetricSource *of, const CountedSpace *space, MetricUse use) {
    if (!requests_of(of, space)) return;
    json_t *ops = json_object();
    for (int op = 0; op < space->n_ops; op++) {
        json_t *counts = json_object();
        for (const CountMember *member = space->members; member->name; member++)
            set_member(counts, member, counters_of(of, space, op), use);
        object_set(ops, spot_op_names[op], counts);
    }
    object_set(object, space->name, ops);
}

/* Those of the whole launch whose names have a dot, or have none: l2.read_sectors becomes a member of l2. */
static void set_launch(json_t *object, const MetricSource *of, MetricUse use, bool dotted) {
    for (int i = 0; i < LAUNCH_METRICS; i++) {
        const char *name = launch_metrics[i].name, *dot = strchr(name, '.');
        if (!(launch_metrics[i].uses & use) || (dot != NULL) != dotted) continue;
        const double value = launch_value(of, i);
        char group[32];
        snprintf(group, sizeof group, "%.*s", dot ? (int)(dot - name) : 0, name);
        if (value > 0 || !(launch_metrics[i].uses & IF_ANY))
            object_number(object_inner(object, group), dot ? dot + 1 : name, (uint64_t)value);
    }
}

void metrics_set(json_t *object, const MetricSource *of, MetricUse use) {
    set_launch(object, of, use, false);
    for (int s = 0; s < SPACES; s++) set_space(object, of, &spaces[s], use);
    set_launch(object, of, use, true);
}

void metrics_set_line(json_t *object, const SourceLine *line) {
    const bool shared = line->space == SPACE_SHARED;
    const void *counters = shared ? (const void *)&line->banks : &line->sectors;
    for (const CountMember *member = shared ? bank_members : sector_members; member->name; member++)
        if (line->op == COUNTER_LOAD || !(member->uses & OF_LOADS)) set_member(object, member, counters, IN_LINE);
}

/* The member of this name; counters: as the members have them. */
static bool find_member(const CountMember *members, const void *counters, const char *name, double *value) {
    for (const CountMember *member = members; member->name; member++) {
        if (strcmp(member->name, name) != 0) continue;
        *value = (double)count_at(counters, member);
        return *value != 0 || !(member->uses & IF_ANY);
    }
    return false;
}

bool metrics_find(const MetricSource *of, const char *name, double *value) {
    for (int i = 0; i < LAUNCH_METRICS; i++) {
        if (strcmp(launch_metrics[i].name, name) != 0) continue;
        *value = launch_value(of, i);
        return !isnan(*value) && (*value > 0 || !(launch_metrics[i].uses & IF_ANY));
    }
    for (const CountedSpace *space = spaces; space < spaces + SPACES; space++) {
        for (int op = 0; op < space->n_ops; op++) {
            char prefix[32];
            const int length = snprintf(prefix, sizeof prefix, "%s.%s.", space->name, spot_op_names[op]);
            if (strncmp(name, prefix, (size_t)length) == 0)
                return requests_of(of, space) && find_member(space->members, counters_of(of, space, op), name + length, value);
        }
    }
    return false;
}

bool metrics_counts(const char *name) {
    for (const CountedSpace *space = spaces; space < spaces + SPACES; space++) {
        for (int op = 0; op < space->n_ops; op++) {
            char prefix[32];
            const size_t length = (size_t)snprintf(prefix, sizeof prefix, "%s.%s.", space->name, spot_op_names[op]);
            if (strncmp(name, prefix, length) != 0) continue;
            for (const CountMember *member = space->members; member->name; member++)
                if (strcmp(member->name, name + length) == 0) return true;
        }
    }
    return false;
}

double metrics_member(const char *member, const SectorCounters *sectors, const BankCounters *banks) {
    double of_sectors = 0, of_banks = 0;
    find_member(sector_members, sectors, member, &of_sectors);
    find_member(bank_members, banks, member, &of_banks);
    return of_sectors + of_banks;
}

const char *metrics_noun(bool shared, bool loads, size_t *at, const char **noun) {
    for (const CountMember *member = (shared ? bank_members : sector_members) + *at; member->name; member++) {
        ++*at;
        *noun = member->noun;
        if (*member->noun && (loads || !(member->uses & OF_LOADS))) return member->name;
    }
    return NULL;
}
