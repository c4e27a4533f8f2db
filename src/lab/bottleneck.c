#include "lab/bottleneck.h"

#include <math.h>

#include "device/model.h"
#include "device/waits.h"
#include "report/plain.h"

/* A measured run, for who asks about it. */
typedef struct Measured {
    const Profile *profile;
    const RunResult *of;
    const Launch *launch;
    const Counters *counters;
    double blocks, warps; /* of the launch */
    uint32_t threads;     /* of a block */
} Measured;

static Measured run_of(const Lab *lab, uint32_t run) {
    const RunResult *of = &lab->runs[run];
    const Launch *launch = &of->kept->request.launch;
    const uint32_t threads = launch_threads(launch);
    const double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    return (Measured){
        lab->profile, of, launch, of->kept->result.counters, blocks, blocks * ((threads + WARP_LANES - 1) / WARP_LANES),
        threads};
}

static uint64_t copy_bytes(const RunResult *run) { return (run->reads + run->writes) / 2; }

static uint64_t conflicts_of(const Counters *counters) {
    uint64_t conflicts = 0;
    for (int op = 0; op < COUNTER_OPS; op++) conflicts += counters->shared[op].bank_conflicts;
    return conflicts;
}

static uint64_t wavefronts_of(const Counters *counters) {
    uint64_t wavefronts = 0;
    for (int op = 0; op < COUNTER_OPS; op++) wavefronts += counters->shared[op].wavefronts;
    return wavefronts;
}

/* What warps would wait if no lanes met in a bank. */
static double latency_without_conflicts(const Measured *run) {
    Counters counters = *run->counters;
    for (int op = 0; op < COUNTER_OPS; op++) counters.shared[op].wavefronts -= counters.shared[op].bank_conflicts;
    const ModelInput input = {.profile = run->profile,
                              .counters = &counters,
                              .blocks = (uint64_t)run->blocks,
                              .threads = run->threads,
                              .shared_bytes = (uint32_t)launch_shared(run->launch),
                              .waits = waits_find(run->launch->kernel, run->counters)};
    return model_time(&input).bound_us[BOUND_latency];
}

/* Whether bank conflicts are a tenth of it, or more. */
static bool by_conflicts(const Measured *run, const Bottleneck *found) {
    const uint64_t conflicts = conflicts_of(run->counters);
    if (found->bound == BOUND_shared) return conflicts * 10 >= wavefronts_of(run->counters);
    return found->bound == BOUND_latency && conflicts && latency_without_conflicts(run) < 0.9 * found->us;
}

Bottleneck bottleneck_of(const Lab *lab, uint32_t index) {
    const Measured run = run_of(lab, index);
    const Model *model = &run.of->kept->result.model;
    const Model copy = copy_bytes(run.of) ? model_copy(run.profile, copy_bytes(run.of)) : (Model){0};
    Bottleneck found = {.bound = BOUND_launch};
    double most = 0;
    for (int bound = 0; bound < BOUND_launch; bound++) {
        const double us = model->bound_us[bound], copy_us = copy.bound_us[bound], more = us * us - copy_us * copy_us;
        if (more <= most) continue;
        most = more;
        found = (Bottleneck){(ModelBound)bound, us, copy_us, false};
    }
    found.conflicts = by_conflicts(&run, &found);
    return found;
}

void bottleneck_say(const Lab *lab, uint32_t run, Text *out) {
    const RunResult *of = &lab->runs[run];
    const Bottleneck found = bottleneck_of(lab, run);
    text_add(out, "Modelled: %.1f us", of->kept->result.model.time_us);
    if (copy_bytes(of)) text_add(out, ", a copy %.1f us", model_copy_time_us(lab->profile, copy_bytes(of)));
    if (found.bound == BOUND_launch) return;
    text_add(out, copy_bytes(of) ? ". Most of the difference: %s" : ", limited by %s",
             found.conflicts && found.bound == BOUND_latency ? "latency, in which bank conflicts have a part"
                                                             : model_bound_texts[found.bound]);
    if (copy_bytes(of)) text_add(out, " (%.1f us alone, a copy's %.1f)", found.us, found.copy_us);
}

/* --- what is to be done --------------------------------------------------------------------------------------------------- */

static double each(double all, double of) { return of > 0 ? all / of : 0; }

/* What device memory does that a copy of these bytes would not: more bytes, rows opened more often, or bursts. */
static void advise_memory(const Measured *run, Text *out) {
    enum { ROW_BYTES = 1024 }; /* of which a copy opens one each */
    const Counters *counters = run->counters;
    const double read = each((double)counters->dram_read_bytes, (double)run->of->reads);
    const double rows = each((double)counters->dram_rows * ROW_BYTES, (double)run->of->reads);
    if (run->of->reads && read > 1.1)
        text_add(out, "Device memory is read %.1f times as much as is needed: load each sector once, and all of it.", read);
    else if (run->of->reads && rows > 1.5)
        text_add(out,
                 "Device memory opens its rows %.1f times as often as for a copy: let a block take longer pieces of each row, "
                 "and let blocks "
                 "that run at the same time be neighbours.",
                 rows);
    else
        text_add(out, "Device memory has gaps where blocks load, wait at a barrier and store: more of them on an SM, or more "
                      "loads of each "
                      "thread at once, fill these.");
}

static void advise_lines(const Measured *run, bool stores, Text *out) {
    const SectorCounters *of = &run->counters->global[stores ? COUNTER_STORE : COUNTER_LOAD];
    text_add(out, "A request to %s touches %.1f lines of 128 bytes: let neighbouring lanes take neighbouring elements",
             stores ? "store" : "load", each((double)of->lines, (double)of->requests));
    text_add(out, stores ? "." : ", and load once what several threads or iterations need.");
}

static void advise_shared(const Measured *run, const Bottleneck *found, Text *out) {
    if (found->conflicts)
        text_add(out,
                 "Of the wavefronts of shared memory %.0f%% are bank conflicts: let the lanes of a warp meet different banks.",
                 100 * each((double)conflicts_of(run->counters), (double)wavefronts_of(run->counters)));
    else
        text_add(out,
                 "Shared memory is asked too often: move 16 bytes a lane, and keep in registers what one thread needs again.");
}

static void advise_instructions(const Measured *run, Text *out) {
    const double bytes = (double)(run->of->reads + run->of->writes);
    if (bytes > 0)
        text_add(out, "A warp executes %.0f instructions for every 128 bytes that must be moved: ",
                 each((double)run->counters->instructions * 128, bytes));
    text_add(out, "%s more bytes a lane, unrolled loops and indices that are worked out ahead of them need fewer.",
             bytes > 0 ? "wider accesses," : "Fewer instructions: wider accesses,");
}

/* Whether the loads of a warp are in flight together already, and many: then warps are what is missing. */
static bool advise_warps(const Measured *run, Text *out) {
    enum { MANY_LOADS = 4, WARPS_MOST = 64 };
    const Waits waits = waits_find(run->launch->kernel, run->counters);
    const double trips = each(waits.l1 + waits.beyond, run->warps);
    const double loads = each((double)run->counters->global[COUNTER_LOAD].requests, run->warps) / fmax(1, trips);
    const double fit = profile_resident_blocks(run->profile, run->threads, (uint32_t)launch_shared(run->launch));
    const double resident = fmin(fit, ceil(run->blocks / run->profile->sms)) * run->warps / run->blocks;
    if (trips > 1.5 || loads < MANY_LOADS || resident * 2 > WARPS_MOST) return false;
    text_add(out, "A warp has %.0f loads in flight at once already; what is missing is warps: ", loads);
    text_add(out, "an SM has %.0f at a time, of the %d that it can hold. ", resident, WARPS_MOST);
    if (ceil(run->blocks / run->profile->sms) > fit)
        text_add(out, "The shared memory of a block lets no more than %.0f run on an SM: let it take less.", fit);
    else
        text_add(out, "Let each block take less, so that there are more of them, or have more threads.");
    return true;
}

bool bottleneck_advise(const Lab *lab, uint32_t index, Text *out) {
    const Measured run = run_of(lab, index);
    const Bottleneck found = bottleneck_of(lab, index);
    if (found.conflicts) return advise_shared(&run, &found, out), true;
    switch (found.bound) {
    case BOUND_dram: return advise_memory(&run, out), true;
    case BOUND_stores: return advise_lines(&run, true, out), true;
    case BOUND_l1: return advise_lines(&run, false, out), true;
    case BOUND_shared: return advise_shared(&run, &found, out), true;
    case BOUND_issue: return advise_instructions(&run, out), true;
    case BOUND_atomics:
        text_add(out, "Atomic operations wait for each other: let fewer of them meet in a word, or add up in registers first.");
        return true;
    case BOUND_slow:
        text_add(out, "Divisions, special functions or doubles take the time: divide by numbers that the compiler knows, and "
                      "ahead of loops.");
        return true;
    case BOUND_blocks:
        text_add(out, "Starting %s blocks of %u threads takes longer than their work: let each block do more.",
                 plain_number((uint64_t)run.blocks).text, run.threads);
        return true;
    case BOUND_latency: return advise_warps(&run, out);
    case BOUND_launch:
    case BOUND_COUNT: break;
    }
    return false;
}
