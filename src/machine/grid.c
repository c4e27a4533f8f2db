#include "machine/grid.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/block.h"
#include "machine/cluster.h"
#include "machine/deadlock.h"
#include "machine/effort.h"
#include "machine/hostwait.h"

enum {
    AHEAD = 32,               /* batches for each worker that may have begun while the one before them is not yet committed */
    WAKE_ROUNDS = 32,         /* between two looks at the parked blocks while others run */
    PATIENT_ROUNDS = 1 << 14, /* when no block ends in so many, they may be waiting for one that has not started */
    HOST_RUNS = 1 << 10,      /* of such blocks before the host goes on, where it may be the one that they wait for */
    SHARE_FIRST = 1 << 22,
    SHARE_AGAIN = 1 << 20, /* instructions until the host may go on beside blocks that do not wait, and then each time */
    IDLE_RUNS = 1 << 20, /* of blocks that poll and read nothing new, but are not parked since they count how long they wait */
};

/* A batch that has ended and waits to be committed after those before it. */
typedef struct Ended {
    bool ended;
    unsigned worker;
    uint64_t effort;
    Text output;
} Ended;

typedef struct Grid {
    const Launch *launch;
    const Machine *machine;
    const Code *code;
    uint64_t n_blocks, n_batches;
    unsigned workers; /* 0 until all have been started */
    uint64_t ahead;   /* batches that may have begun while the one before them is not yet committed */
    Ended *ended;     /* by number of the batch modulo that */
    uint64_t next_batch, next_commit;
    bool committing;  /* a worker is at it */
    unsigned waiting; /* workers that wait for a commit or have no more batches */
    Fault fault;
    FindingLog findings;
    uint64_t last_batch; /* the one with the fault: those after it are abandoned */
    Text output;
    uint64_t instructions, thread_instructions, busiest_warp, most_accesses, effort, prints;
    pthread_mutex_t lock; /* of all that changes during the launch; last_batch is also read without it */
    pthread_cond_t changed;
} Grid;

typedef struct CommitTicket {
    Grid *grid;
    uint64_t batch;
} CommitTicket;

/* A fault in an earlier batch has ended the launch. Batches before the faulting one are run to their end: they may have a fault as well. */
static bool grid_stopped(const Grid *grid, uint64_t batch) {
    return __atomic_load_n(&grid->last_batch, __ATOMIC_RELAXED) < batch;
}

static void output_commit(Text *total, const Text *output) {
    if (total->length > OUTPUT_BYTES_MOST) return;
    size_t room = OUTPUT_BYTES_MOST - total->length;
    text_add_bytes(total, text_string(output), output->length < room ? output->length : room);
    if (output->length > room)
        text_add(total, "\n(the kernel printed more than %d MiB: the rest is left out)\n", OUTPUT_BYTES_MOST >> 20);
}

static Observer **observers_of(const Machine *machine, unsigned worker) {
    return machine->observers ? machine->observers + (size_t)worker * machine->n_observers : NULL;
}

static Ended *ended_of(const Grid *grid, uint64_t batch) { return &grid->ended[batch % grid->ahead]; }

/* The fault of the first batch that has one counts, whichever comes first. The lock is held. */
static void grid_fail(Grid *grid, const Fault *fault, uint64_t batch) {
    if (batch < grid->last_batch) {
        grid->fault = *fault;
        __atomic_store_n(&grid->last_batch, batch, __ATOMIC_RELAXED);
    }
    pthread_cond_broadcast(&grid->changed);
}

/* The batches up to this one have cost so much more. The lock is held. */
static void grid_spend(Grid *grid, uint64_t effort, uint64_t batch) {
    uint64_t most = grid->launch->max_effort;
    Fault fault = {0};
    grid->effort += effort;
    if (!most || grid->effort <= most) return;
    effort_fault(&fault, most, NO_INSN);
    grid_fail(grid, &fault, batch);
}

/* Commits the batches that are next in order, unless another worker is doing so. The lock is held before and after, but not meanwhile. */
static void commit_ended(Grid *grid) {
    const Machine *machine = grid->machine;
    if (grid->committing) return;
    grid->committing = true;
    for (Ended *next; next = ended_of(grid, grid->next_commit), next->ended && !grid_stopped(grid, grid->next_commit);) {
        pthread_mutex_unlock(&grid->lock);
        OBSERVERS_NOTIFY(observers_of(machine, next->worker), machine->n_observers, on_batch_commit, grid->next_commit);
        output_commit(&grid->output, &next->output);
        text_free(&next->output);
        pthread_mutex_lock(&grid->lock);
        next->ended = false;
        grid_spend(grid, next->effort, grid->next_commit);
        grid->next_commit++;
        pthread_cond_broadcast(&grid->changed);
    }
    grid->committing = false;
}

/* True once so many batches have been committed; false when a fault in an earlier one than this batch has ended the launch. */
static bool grid_wait(Grid *grid, uint64_t committed, uint64_t batch) {
    pthread_mutex_lock(&grid->lock);
    grid->waiting++;
    if (grid->next_commit < committed) commit_ended(grid);
    while (grid->next_commit < committed && !grid_stopped(grid, batch)) pthread_cond_wait(&grid->changed, &grid->lock);
    grid->waiting--;
    pthread_mutex_unlock(&grid->lock);
    return !grid_stopped(grid, batch);
}

bool commit_wait(struct CommitTicket *ticket) { return !ticket || grid_wait(ticket->grid, ticket->batch, ticket->batch); }

/* The next batch for a worker, once it is not too far ahead of the commits; false when no more are to be run. */
static bool grid_enter(Grid *grid, uint64_t *batch) {
    uint64_t number = *batch = __atomic_fetch_add(&grid->next_batch, 1, __ATOMIC_RELAXED);
    return number < grid->n_batches && grid_wait(grid, number < grid->ahead ? 0 : number - grid->ahead + 1, number);
}

/* The first worker commits, so that the L2 cache's state stays with one processor; the others commit only when a worker waits. */
static void grid_leave(Grid *grid, uint64_t batch, unsigned index, Worker *worker) {
    pthread_mutex_lock(&grid->lock);
    *ended_of(grid, batch) = (Ended){.ended = true, .worker = index, .effort = worker->effort, .output = worker->output};
    worker->output = (Text){0};
    worker->effort = worker->ended_effort = 0;
    if (index == 0 || grid->waiting) commit_ended(grid);
    pthread_mutex_unlock(&grid->lock);
}

/* The blocks of one batch: every `stride`-th from `first`. At most `window` are open together. In launches with clusters all three count those. */
typedef struct Batch {
    uint64_t number, first, stride, count;
    uint32_t window;
    bool eager;    /* start another block after each round; else only when all that have started wait */
    bool together; /* start all at once */
} Batch;

/* Blocks may wait for each other, or are to be run in an order that spares no race between them. */
static bool one_batch(const Grid *grid) {
    const Launch *launch = grid->launch;
    return launch->kernel->reach.ordered || launch->cooperative || launch->schedule.kind != SCHEDULE_USUAL ||
           launch_cluster(launch) > 1;
}

/* Where there are none, blocks. */
static uint32_t clusters_resident(const Launch *launch, const Machine *machine) {
    const uint64_t most = (uint64_t)machine->sms * machine->resident / launch_cluster(launch);
    return most ? (uint32_t)most : 1;
}

static Batch batch_get(const Grid *grid, uint64_t number) {
    const Launch *launch = grid->launch;
    const Machine *machine = grid->machine;
    if (one_batch(grid))
        return (Batch){.number = 0,
                       .first = 0,
                       .stride = 1,
                       .count = grid->n_blocks / launch_cluster(launch),
                       .window = clusters_resident(launch, machine),
                       .eager = launch->cooperative || launch->schedule.kind != SCHEDULE_USUAL,
                       .together = launch->cooperative || launch->schedule.kind != SCHEDULE_USUAL};
    uint64_t wave = number / machine->sms, sm = number % machine->sms, first = wave * machine->sms * machine->resident + sm,
             count = 0;
    if (first < grid->n_blocks) count = (grid->n_blocks - first + machine->sms - 1) / machine->sms;
    if (count > machine->resident) count = machine->resident;
    return (Batch){
        .number = number, .first = first, .stride = machine->sms, .count = count, .window = machine->resident, .eager = true};
}

static Block *worker_block(Worker *worker, uint32_t block_slot) {
    if (block_slot >= worker->block_capacity) {
        uint32_t capacity = block_slot + 8;
        worker->blocks = alloc_resize(worker->blocks, capacity, sizeof *worker->blocks);
        memset(worker->blocks + worker->block_capacity, 0, (capacity - worker->block_capacity) * sizeof *worker->blocks);
        worker->block_capacity = capacity;
    }
    if (!worker->blocks[block_slot]) worker->blocks[block_slot] = block_new(worker, block_slot);
    return worker->blocks[block_slot];
}

/* The blocks that have started and not ended, by block slot: first those that run, then those that are parked; behind them the free slots. */
typedef struct Window {
    uint32_t *block_slots;
    uint32_t size, awake, open;
    uint64_t started;         /* blocks of the grid, so far */
    uint64_t idle_runs, look; /* of blocks that are awake since something went on; at how many the host may go on */
    uint64_t share;           /* likewise of the worker's effort */
} Window;

/* Moves one entry to another index; those between make room. */
static void window_move(Window *window, uint32_t from, uint32_t to) {
    uint32_t *slots = window->block_slots, moved = slots[from];
    if (from < to)
        memmove(slots + from, slots + from + 1, (to - from) * sizeof *slots);
    else
        memmove(slots + to + 1, slots + to, (from - to) * sizeof *slots);
    slots[to] = moved;
}

/* False with a fault when there is no memory for it. */
static bool window_start_block(Window *window, Worker *worker, uint64_t index, Cluster *cluster) {
    Block *block = worker_block(worker, window->block_slots[window->open]);
    if (!block) return false;
    window_move(window, window->open++, window->awake++);
    block_start(block, index, cluster);
    return true;
}

/* The block with this number, or all blocks of the cluster with this number. */
static bool window_start(Window *window, Worker *worker, uint64_t number) {
    const Launch *launch = worker->launch;
    const uint32_t count = (uint32_t)launch_cluster(launch);
    if (count == 1) return window_start_block(window, worker, number, NULL);
    for (uint32_t rank = 0; rank < count; rank++)
        if (!worker_block(worker, window->block_slots[window->open + rank])) return false;
    Cluster *cluster = cluster_new(count);
    for (uint32_t rank = 0; rank < count; rank++)
        window_start_block(window, worker, cluster_block(launch, number, rank), cluster);
    return true;
}

/* What running each block that is awake once has led to. */
typedef struct RoundEnd {
    bool fault, ended, progress, only_polls;
} RoundEnd;

/* False when an observer has found a fault. */
static bool block_ended(Worker *worker, const Block *block) {
    bool fine = true;
    for (uint32_t o = 0; o < worker->n_observers; o++) {
        const Observer *observer = worker->observers[o];
        if (observer->on_block_end) fine &= observer->on_block_end(observer->self, &block->warps[0].place, &worker->fault);
    }
    return fine;
}

static RoundEnd window_run(Window *window, Worker *worker) {
    RoundEnd round = {.only_polls = true};
    for (uint32_t i = 0; i < window->awake && !round.fault;) {
        Block *block = worker->blocks[window->block_slots[i]];
        BlockEnd end = block_run(block);
        round.fault = end == BLOCK_FAULT;
        round.ended |= end == BLOCK_DONE;
        round.progress |= end == BLOCK_DONE || end == BLOCK_YIELDED;
        round.only_polls &= end == BLOCK_SPINS || end == BLOCK_PARKED;
        if (end != BLOCK_DONE && end != BLOCK_PARKED) {
            i++;
            continue;
        }
        window_move(window, i, window->open - 1);
        window->awake--;
        if (end == BLOCK_PARKED) continue;
        window->open--;
        effort_block_ended(worker);
        if (worker->sight) __atomic_fetch_add(&worker->sight->ended, 1, __ATOMIC_RELAXED);
        round.fault |= !block_ended(worker, block);
    }
    return round;
}

static bool window_wake(Window *window, Worker *worker) {
    uint32_t before = window->awake;
    for (uint32_t i = before; i < window->open; i++)
        if (block_wakes(worker->blocks[window->block_slots[i]])) window_move(window, i, window->awake++);
    return window->awake > before;
}

/* No block can go on: perhaps lanes that wait to reconverge with others can, and the others then too. */
static bool window_release(Window *window, Worker *worker) {
    for (uint32_t i = 0; i < window->open; i++) {
        if (!block_release(worker->blocks[window->block_slots[i]])) continue;
        if (i >= window->awake) window_move(window, i, window->awake++);
        return true;
    }
    return false;
}

/* After a round in which nothing went on: who can goes on. False with a fault where nobody will. Those that count how long they wait may give up
 * themselves, whether there is hope or not. */
static bool window_wait(Window *window, Worker *worker) {
    const bool counts = window->awake && window->idle_runs <= IDLE_RUNS;
    if (!window->idle_runs) window->look = HOST_RUNS;
    if (!window->open || (counts && (!worker->launch->host || window->idle_runs < window->look))) return true;
    if (!counts && window_release(window, worker)) return true;
    const Waiting waiting = {window->block_slots, window->open, window->started, window->awake ? IDLE_RUNS : 0};
    switch (hostwait_ended(worker, &waiting)) {
    case AWAITED_MAY_BE:
        window->idle_runs = 0;
        window_wake(window, worker);
        return true;
    case AWAITED_NO_MORE: return false;
    case AWAITED_NEVER: break;
    }
    window->look = hostwait_first(worker, &waiting) ? UINT64_MAX : window->look + HOST_RUNS;
    return counts || deadlock_report(worker, &waiting);
}

/* Blocks that go on and on, and look at what the host may set, such as a flag that ends them: it goes on as well. False: the launch does not. */
static bool window_share(Window *window, Worker *worker) {
    if (!worker->launch->host || worker->effort < window->share) return true;
    const AwaitedEnd end = hostwait_share(worker, &(Waiting){window->block_slots, window->open, window->started, 1});
    window->share = worker->effort + SHARE_AGAIN;
    return end != AWAITED_NO_MORE;
}

/* False after a fault, or where the launch is to end. */
static bool batch_run(Grid *grid, Worker *worker, const Batch *batch) {
    const uint32_t together = (uint32_t)launch_cluster(grid->launch);
    Window window = {.size = (batch->window < batch->count ? batch->window : (uint32_t)batch->count) * together,
                     .share = SHARE_FIRST};
    window.block_slots = alloc_bytes((window.size + 1) * sizeof *window.block_slots);
    for (uint32_t i = 0; i < window.size; i++) window.block_slots[i] = i;
    uint64_t next = 0, long_rounds = 0;
    bool fine = true;
    for (uint64_t rounds = 1; fine && (window.open || next < batch->count) && !grid_stopped(grid, batch->number); rounds++) {
        RoundEnd round = window_run(&window, worker);
        if (round.fault) {
            fine = false;
            break;
        }
        long_rounds = round.ended ? 0 : long_rounds + 1;
        bool eager = batch->eager || !window.open || round.only_polls || long_rounds > PATIENT_ROUNDS;
        while (eager && next < batch->count && window.open + together <= window.size) {
            const uint64_t nth = schedule_pick(&grid->launch->schedule, grid->launch->schedule.seed, batch->count, next++);
            fine = window_start(&window, worker, batch->first + nth * batch->stride);
            if (!fine) break;
            round.progress = true;
            eager = batch->together;
        }
        if (!fine) break;
        if ((!window.awake || rounds % WAKE_ROUNDS == 0) && window_wake(&window, worker)) round.progress = true;
        window.started = next * together;
        window.idle_runs = round.progress ? 0 : window.idle_runs + window.awake;
        fine = window_wait(&window, worker) && window_share(&window, worker);
    }
    for (uint32_t i = 0; !fine && i < window.open; i++) block_ended(worker, worker->blocks[window.block_slots[i]]);
    free(window.block_slots);
    return fine;
}

typedef struct Task {
    Grid *grid;
    unsigned index; /* of the worker */
} Task;

/* How far batches may run ahead depends on how many workers there are. */
static void grid_begin(Grid *grid) {
    pthread_mutex_lock(&grid->lock);
    while (!grid->workers) pthread_cond_wait(&grid->changed, &grid->lock);
    pthread_mutex_unlock(&grid->lock);
}

static void add_executed(const Worker *worker) {
    int64_t running = 0;
    for (uint32_t s = 0; s < worker->code->n_steps; s++) {
        const Step *step = &worker->code->steps[s];
        running += worker->begun[s];
        for (uint32_t before = 0; before < step->weight; before++) /* those that it stands for stand just before it */
            worker->machine->executed[step->pc - before] += (uint64_t)running;
    }
}

static void *worker_main(void *argument) {
    const Task *task = argument;
    Grid *grid = task->grid;
    grid_begin(grid);
    const Launch *launch = grid->launch;
    const Machine *machine = grid->machine;
    Worker worker = {.launch = launch, .machine = machine, .code = grid->code, .n_observers = machine->n_observers};
    worker.observers = observers_of(machine, task->index);
    worker.access.undefined = &worker.undefined;
    worker.scheduled = launch->schedule.kind != SCHEDULE_USUAL;
    worker.drawn = launch->schedule.seed;
    worker.findings = (FindingLog){.program = launch->kernel->program, .on_fault = launch->on_fault};
    worker.recent = alloc_zeroed(launch->kernel->program->n_insns + 1, sizeof *worker.recent);
    worker.begun = alloc_zeroed(grid->code->n_steps + 1, sizeof *worker.begun);
    if (launch->sights) worker.sight = &launch->sights[task->index % SIGHTS];
    CommitTicket ticket = {.grid = grid};
    for (uint64_t number; grid_enter(grid, &number);) {
        ticket.batch = number;
        for (uint32_t o = 0; o < worker.n_observers; o++) worker.observers[o]->ticket = &ticket;
        OBSERVERS_NOTIFY(worker.observers, worker.n_observers, on_batch_begin, number);
        Batch batch = batch_get(grid, number);
        if (!batch_run(grid, &worker, &batch)) {
            pthread_mutex_lock(&grid->lock);
            grid_fail(grid, &worker.fault, number);
            pthread_mutex_unlock(&grid->lock);
        }
        OBSERVERS_NOTIFY(worker.observers, worker.n_observers, on_batch_end, number);
        grid_leave(grid, number, task->index, &worker);
    }
    if (worker.sight) __atomic_store_n(&worker.sight->pc, NO_INSN, __ATOMIC_RELAXED);
    for (uint32_t o = 0; o < worker.n_observers; o++) worker.observers[o]->ticket = NULL;
    pthread_mutex_lock(&grid->lock);
    grid->waiting++;
    commit_ended(grid);
    findings_merge(&grid->findings, &worker.findings);
    grid->instructions += worker.instructions;
    grid->thread_instructions += worker.thread_instructions;
    grid->prints += worker.prints;
    if (worker.busiest_warp > grid->busiest_warp) grid->busiest_warp = worker.busiest_warp;
    if (worker.most_accesses > grid->most_accesses) grid->most_accesses = worker.most_accesses;
    if (machine->executed) add_executed(&worker);
    pthread_mutex_unlock(&grid->lock);
    for (uint32_t b = 0; b < worker.block_capacity; b++) block_free(worker.blocks[b]);
    free(worker.blocks);
    free(worker.recent);
    free(worker.begun);
    text_free(&worker.output);
    findings_free(&worker.findings);
    return NULL;
}

/* Starts as many of the threads as the host allows; the calling one is the first. */
static void grid_work(Grid *grid, unsigned threads) {
    FREED pthread_t *handles = alloc_zeroed(threads, sizeof *handles);
    FREED Task *tasks = alloc_zeroed(threads, sizeof *tasks);
    unsigned started = 1;
    for (unsigned t = 0; t < threads; t++) tasks[t] = (Task){grid, t};
    while (started < threads && !pthread_create(&handles[started], NULL, worker_main, &tasks[started])) started++;
    pthread_mutex_lock(&grid->lock);
    grid->workers = started;
    grid->ahead = started * AHEAD; /* but one SM's run one after the other */
    if (grid->ahead > grid->machine->sms) grid->ahead = grid->machine->sms;
    grid->ended = alloc_zeroed(grid->ahead, sizeof *grid->ended);
    pthread_cond_broadcast(&grid->changed);
    pthread_mutex_unlock(&grid->lock);
    worker_main(&tasks[0]);
    for (unsigned t = 1; t < started; t++) pthread_join(handles[t], NULL);
    for (uint64_t e = 0; e < grid->ahead; e++) text_free(&grid->ended[e].output);
    free(grid->ended);
}

uint32_t grid_registers(const Kernel *kernel, const struct Module *module) {
    Diag diag = {0};
    FREED uint8_t *params = alloc_zeroed(1, kernel->function->param_bytes + 1);
    Code *code = code_new(kernel, module, params, (CodeWanted){0}, &diag);
    uint32_t registers = 0;
    for (uint32_t f = 0; code && f < code->n_functions; f++) {
        uint32_t own = code->functions[f].frame_slots_bytes / (4 * WARP_LANES);
        if (own > registers) registers = own;
    }
    code_free(code);
    return registers;
}

bool grid_run(const Launch *launch, const Machine *machine, LaunchOutcome *outcome, Diag *diag) {
    *outcome = (LaunchOutcome){0};
    Code *code = code_new(launch->kernel, launch->module, launch->params,
                          (CodeWanted){.traced = machine->traced, .clustered = launch_cluster(launch) > 1}, diag);
    if (!code) return false;
    code_stack(code, launch->stack_bytes);
    if (launch_shared(launch) > machine->shared_limit) {
        const char *name = launch->kernel->function->name;
        const uint32_t declared = launch->kernel->reach.shared_static;
        if (launch->shared_bytes)
            diag_say(diag, "'%s' needs %llu bytes of shared memory for a block (%u static, %u dynamic); the device has %u",
                     name, (unsigned long long)launch_shared(launch), declared, launch->shared_bytes, machine->shared_limit);
        else
            diag_say(diag,
                     "'%s' needs %u bytes of shared memory for the arrays that it declares; on any device these may take %u",
                     name, declared, machine->shared_limit);
        diag_hint(diag, launch->shared_bytes ? "use smaller tiles, or a device with more (--device)" : "use smaller tiles");
        code_free(code);
        return false;
    }
    if (!effort_starts_fit(launch, code, &outcome->fault)) {
        code_free(code);
        return true;
    }
    Grid grid = {.findings = {.program = launch->kernel->program, .on_fault = launch->on_fault},
                 .launch = launch,
                 .machine = machine,
                 .code = code,
                 .last_batch = UINT64_MAX};
    grid.n_blocks = launch_blocks(launch);
    uint64_t wave = (uint64_t)machine->sms * machine->resident, waves = (grid.n_blocks + wave - 1) / wave;
    uint64_t last = grid.n_blocks - (waves - 1) * wave, idle = last < machine->sms ? machine->sms - last : 0;
    grid.n_batches =
        one_batch(&grid) ? 1 : waves * machine->sms - idle; /* SMs that get no block of the last wave come last in it */
    uint64_t most = grid.n_batches < machine->sms ? grid.n_batches : machine->sms;
    unsigned threads = launch->threads < most ? launch->threads : (unsigned)most;
    pthread_mutex_init(&grid.lock, NULL);
    pthread_cond_init(&grid.changed, NULL);
    grid_work(&grid, threads);
    pthread_cond_destroy(&grid.changed);
    pthread_mutex_destroy(&grid.lock);
    outcome->threads = grid.workers;
    outcome->instructions = grid.instructions;
    outcome->thread_instructions = grid.thread_instructions;
    outcome->busiest_warp = grid.busiest_warp;
    outcome->most_accesses = grid.most_accesses;
    outcome->effort = grid.effort;
    outcome->prints = grid.prints;
    outcome->fault = grid.fault;
    findings_sort(&grid.findings);
    outcome->findings = grid.findings;
    outcome->output = grid.output;
    code_free(code);
    return true;
}
