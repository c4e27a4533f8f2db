#include "machine/grid.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "machine/warp.h"

enum {
    AHEAD = 32,               /* batches for each worker that may have begun while the one before them is not yet committed */
    WAKE_ROUNDS = 32,         /* how often parked blocks are looked at while others run */
    PATIENT_ROUNDS = 1 << 14, /* when no block ends in so many, they may wait for one that has not started */
    IDLE_TURNS = 1 << 20,     /* of blocks that hear nothing new, though not all are parked: they count how long they wait */
};

/* A batch that has ended and waits for its turn to be committed. */
typedef struct Ended {
    bool ended;
    unsigned worker;
    Text output;
} Ended;

typedef struct Grid {
    const Launch *launch;
    const Code *code;
    uint64_t n_blocks, n_batches;
    unsigned workers; /* 0 until all have been started */
    uint64_t ahead;   /* batches that may have begun while the one before them is not yet committed */
    Ended *ended;     /* by number of the batch modulo that */
    uint64_t next_batch, next_commit;
    bool committing;  /* a worker is about it */
    unsigned waiting; /* workers that wait for a commit or have no more batches */
    Fault fault;
    uint64_t last_batch; /* the one with the fault: those behind it are given up */
    Text output;
    uint64_t instructions, thread_instructions, busiest_warp;
    pthread_mutex_t lock; /* of all that changes during the launch; last_batch is also read without it */
    pthread_cond_t changed;
} Grid;

typedef struct Turn {
    Grid *grid;
    uint64_t batch;
} Turn;

/* A fault ended the launch before this batch. Batches before that one are run to their end: they may have a fault as well. */
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

static Ended *ended_of(const Grid *grid, uint64_t batch) { return &grid->ended[batch % grid->ahead]; }

/* Commits the batches whose turn it is, unless another worker is about it. Called and left with the lock held, which is open meanwhile. */
static void commit_ended(Grid *grid) {
    const Launch *launch = grid->launch;
    if (grid->committing) return;
    grid->committing = true;
    for (Ended *next; next = ended_of(grid, grid->next_commit), next->ended && !grid_stopped(grid, grid->next_commit);) {
        pthread_mutex_unlock(&grid->lock);
        for (uint32_t o = 0; o < launch->n_observers; o++) {
            const Observer *observer = launch->observers[(size_t)next->worker * launch->n_observers + o];
            if (observer->on_batch_commit) observer->on_batch_commit(observer->self, grid->next_commit);
        }
        output_commit(&grid->output, &next->output);
        text_free(&next->output);
        pthread_mutex_lock(&grid->lock);
        next->ended = false;
        grid->next_commit++;
        pthread_cond_broadcast(&grid->changed);
    }
    grid->committing = false;
}

/* True once so many batches have been committed; false when a fault stopped the launch before this batch. */
static bool grid_wait(Grid *grid, uint64_t committed, uint64_t batch) {
    pthread_mutex_lock(&grid->lock);
    grid->waiting++;
    if (grid->next_commit < committed) commit_ended(grid);
    while (grid->next_commit < committed && !grid_stopped(grid, batch)) pthread_cond_wait(&grid->changed, &grid->lock);
    grid->waiting--;
    pthread_mutex_unlock(&grid->lock);
    return !grid_stopped(grid, batch);
}

bool turn_wait(struct Turn *turn) { return !turn || grid_wait(turn->grid, turn->batch, turn->batch); }

/* Gives the next batch to a worker, when it is not too far ahead; false when none is to be run any more. */
static bool grid_enter(Grid *grid, uint64_t *batch) {
    uint64_t number = *batch = __atomic_fetch_add(&grid->next_batch, 1, __ATOMIC_RELAXED);
    return number < grid->n_batches && grid_wait(grid, number < grid->ahead ? 0 : number - grid->ahead + 1, number);
}

/* The first worker commits, so that the L2 cache's state stays with one processor; the others only where somebody waits. */
static void grid_leave(Grid *grid, uint64_t batch, unsigned worker, Text *output) {
    pthread_mutex_lock(&grid->lock);
    *ended_of(grid, batch) = (Ended){.ended = true, .worker = worker, .output = *output};
    *output = (Text){0};
    if (worker == 0 || grid->waiting) commit_ended(grid);
    pthread_mutex_unlock(&grid->lock);
}

/* The blocks of one batch: every `stride`-th from `first`. At most `window` are open together. */
typedef struct Batch {
    uint64_t number, first, stride, count;
    uint32_t window;
    bool eager;    /* start another block when all that have started have had a turn; else only when all of them wait */
    bool together; /* start all at once */
} Batch;

static bool one_batch(const Grid *grid) { return grid->code->ordered || grid->launch->cooperative; }

static Batch batch_get(const Grid *grid, uint64_t number) {
    const Launch *launch = grid->launch;
    if (one_batch(grid))
        return (Batch){.number = 0,
                       .first = 0,
                       .stride = 1,
                       .count = grid->n_blocks,
                       .window = launch->sms * launch->resident,
                       .eager = launch->cooperative,
                       .together = launch->cooperative};
    uint64_t wave = number / launch->sms, sm = number % launch->sms, first = wave * launch->sms * launch->resident + sm,
             count = 0;
    if (first < grid->n_blocks) count = (grid->n_blocks - first + launch->sms - 1) / launch->sms;
    if (count > launch->resident) count = launch->resident;
    return (Batch){
        .number = number, .first = first, .stride = launch->sms, .count = count, .window = launch->resident, .eager = true};
}

static Block *worker_block(Worker *worker, uint32_t slot) {
    if (slot >= worker->block_capacity) {
        uint32_t capacity = slot + 8;
        worker->blocks = realloc(worker->blocks, capacity * sizeof *worker->blocks);
        if (!worker->blocks) abort();
        memset(worker->blocks + worker->block_capacity, 0, (capacity - worker->block_capacity) * sizeof *worker->blocks);
        worker->block_capacity = capacity;
    }
    if (!worker->blocks[slot]) worker->blocks[slot] = block_new(worker, slot);
    return worker->blocks[slot];
}

static void block_end(Worker *worker, const Block *block) {
    for (uint32_t o = 0; o < worker->n_observers; o++) {
        const Observer *observer = worker->observers[o];
        if (observer->on_block_end) observer->on_block_end(observer->self, &block->warps[0].place);
    }
}

/* The blocks that have started and not ended, by slot: first those that run, then those that are parked; behind them free slots. */
typedef struct Window {
    uint32_t *slots;
    uint32_t size, awake, open;
} Window;

/* Moves the slot at one place to another; those between make room. */
static void window_move(Window *window, uint32_t from, uint32_t to) {
    uint32_t *slots = window->slots, slot = slots[from];
    if (from < to)
        memmove(slots + from, slots + from + 1, (to - from) * sizeof *slots);
    else
        memmove(slots + to + 1, slots + to, (from - to) * sizeof *slots);
    slots[to] = slot;
}

static void window_start(Window *window, Worker *worker, uint64_t index) {
    Block *block = worker_block(worker, window->slots[window->open]);
    window_move(window, window->open++, window->awake++);
    block_start(block, index);
}

/* One turn for each block that is awake. */
typedef struct Round {
    bool fault, ended, progress, only_listening;
} Round;

static Round window_run(Window *window, Worker *worker) {
    Round round = {.only_listening = true};
    for (uint32_t i = 0; i < window->awake && !round.fault;) {
        Block *block = worker->blocks[window->slots[i]];
        BlockEnd end = block_run(block);
        round.fault = end == BLOCK_FAULT;
        round.ended |= end == BLOCK_DONE;
        round.progress |= end == BLOCK_DONE || end == BLOCK_YIELDED;
        round.only_listening &= end == BLOCK_SPINS || end == BLOCK_PARKED;
        if (end != BLOCK_DONE && end != BLOCK_PARKED) {
            i++;
            continue;
        }
        window_move(window, i, window->open - 1);
        window->awake--;
        if (end == BLOCK_PARKED) continue;
        window->open--;
        block_end(worker, block);
    }
    return round;
}

static bool window_wake(Window *window, Worker *worker) {
    uint32_t before = window->awake;
    for (uint32_t i = before; i < window->open; i++)
        if (block_wakes(worker->blocks[window->slots[i]])) window_move(window, i, window->awake++);
    return window->awake > before;
}

/* Nothing goes on: perhaps lanes that wait to meet others can help them. */
static bool window_release(Window *window, Worker *worker) {
    for (uint32_t i = 0; i < window->open; i++) {
        if (!block_release(worker->blocks[window->slots[i]])) continue;
        if (i >= window->awake) window_move(window, i, window->awake++);
        return true;
    }
    return false;
}

/* False after a fault. */
static bool batch_run(Grid *grid, Worker *worker, const Batch *batch) {
    Window window = {.size = batch->window < batch->count ? batch->window : (uint32_t)batch->count};
    window.slots = malloc((window.size + 1) * sizeof *window.slots);
    if (!window.slots) abort();
    for (uint32_t i = 0; i < window.size; i++) window.slots[i] = i;
    uint64_t next = 0, idle_turns = 0, long_rounds = 0;
    bool fine = true;
    for (uint64_t rounds = 1; fine && (window.open || next < batch->count) && !grid_stopped(grid, batch->number); rounds++) {
        Round round = window_run(&window, worker);
        if (round.fault) {
            fine = false;
            break;
        }
        long_rounds = round.ended ? 0 : long_rounds + 1;
        bool eager = batch->eager || !window.open || round.only_listening || long_rounds > PATIENT_ROUNDS;
        while (eager && next < batch->count && window.open < window.size) {
            window_start(&window, worker, batch->first + next++ * batch->stride);
            round.progress = true;
            eager = batch->together;
        }
        if ((!window.awake || rounds % WAKE_ROUNDS == 0) && window_wake(&window, worker)) round.progress = true;
        idle_turns = round.progress ? 0 : idle_turns + window.awake;
        if (!window.open || (window.awake && idle_turns <= IDLE_TURNS) || window_release(&window, worker)) continue;
        fine = deadlock_report(worker, &(Waiting){window.slots, window.open, next, window.awake ? IDLE_TURNS : 0});
    }
    free(window.slots);
    return fine;
}

/* The fault of the first batch that has one counts, whichever comes first. */
static void grid_fail(Grid *grid, const Fault *fault, uint64_t batch) {
    pthread_mutex_lock(&grid->lock);
    if (batch < grid->last_batch) {
        grid->fault = *fault;
        __atomic_store_n(&grid->last_batch, batch, __ATOMIC_RELAXED);
    }
    pthread_cond_broadcast(&grid->changed);
    pthread_mutex_unlock(&grid->lock);
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

static void *worker_main(void *argument) {
    const Task *task = argument;
    Grid *grid = task->grid;
    grid_begin(grid);
    const Launch *launch = grid->launch;
    Worker worker = {.launch = launch, .code = grid->code, .n_observers = launch->n_observers};
    worker.observers = launch->observers ? launch->observers + (size_t)task->index * launch->n_observers : NULL;
    worker.recent = calloc(launch->program->n_insns + 1, sizeof *worker.recent);
    if (!worker.recent) abort();
    Turn turn = {.grid = grid};
    for (uint64_t number; grid_enter(grid, &number);) {
        turn.batch = number;
        for (uint32_t o = 0; o < worker.n_observers; o++) {
            worker.observers[o]->turn = &turn;
            if (worker.observers[o]->on_batch_begin) worker.observers[o]->on_batch_begin(worker.observers[o]->self, number);
        }
        Batch batch = batch_get(grid, number);
        if (!batch_run(grid, &worker, &batch)) grid_fail(grid, &worker.fault, number);
        for (uint32_t o = 0; o < worker.n_observers; o++)
            if (worker.observers[o]->on_batch_end) worker.observers[o]->on_batch_end(worker.observers[o]->self, number);
        grid_leave(grid, number, task->index, &worker.output);
    }
    for (uint32_t o = 0; o < worker.n_observers; o++) worker.observers[o]->turn = NULL;
    pthread_mutex_lock(&grid->lock);
    grid->waiting++;
    commit_ended(grid);
    grid->instructions += worker.instructions;
    grid->thread_instructions += worker.thread_instructions;
    if (worker.busiest_warp > grid->busiest_warp) grid->busiest_warp = worker.busiest_warp;
    pthread_mutex_unlock(&grid->lock);
    for (uint32_t b = 0; b < worker.block_capacity; b++) block_free(worker.blocks[b]);
    free(worker.blocks);
    free(worker.recent);
    text_free(&worker.output);
    return NULL;
}

/* Starts as many of the threads as the host allows; the calling one is the first. */
static void grid_work(Grid *grid, unsigned threads) {
    pthread_t *handles = calloc(threads, sizeof *handles);
    Task *tasks = calloc(threads, sizeof *tasks);
    if (!handles || !tasks) abort();
    unsigned started = 1;
    for (unsigned t = 0; t < threads; t++) tasks[t] = (Task){grid, t};
    while (started < threads && !pthread_create(&handles[started], NULL, worker_main, &tasks[started])) started++;
    pthread_mutex_lock(&grid->lock);
    grid->workers = started;
    grid->ahead = started * AHEAD; /* but an SM's go one after the other */
    if (grid->ahead > grid->launch->sms) grid->ahead = grid->launch->sms;
    grid->ended = calloc(grid->ahead, sizeof *grid->ended);
    if (!grid->ended) abort();
    pthread_cond_broadcast(&grid->changed);
    pthread_mutex_unlock(&grid->lock);
    worker_main(&tasks[0]);
    for (unsigned t = 1; t < started; t++) pthread_join(handles[t], NULL);
    for (uint64_t e = 0; e < grid->ahead; e++) text_free(&grid->ended[e].output);
    free(grid->ended);
    free(handles);
    free(tasks);
}

uint32_t grid_registers(const Program *program, const Function *kernel, const struct Module *module) {
    Diag diag = {0};
    uint8_t *params = calloc(1, kernel->param_bytes + 1);
    if (!params) abort();
    Code *code = code_new(program, kernel, module, params, &diag);
    uint32_t registers = 0;
    for (uint32_t f = 0; code && f < code->n_functions; f++) {
        uint32_t own = code->functions[f].frame_slots_bytes / (4 * WARP_LANES);
        if (own > registers) registers = own;
    }
    code_free(code);
    free(params);
    return registers;
}

uint32_t grid_static_shared(const Program *program, const Function *kernel) { return code_static_shared(program, kernel); }

bool grid_run(const Launch *launch, LaunchOutcome *outcome, Diag *diag) {
    *outcome = (LaunchOutcome){0};
    Code *code = code_new(launch->program, launch->kernel, launch->module, launch->params, diag);
    if (!code) return false;
    if ((uint64_t)code->shared_static + launch->shared_dynamic > launch->shared_limit) {
        diag_error(diag, "", 0, 0,
                   "'%s' needs %llu bytes of shared memory for a block (%u static, %u dynamic); the device has %u",
                   launch->kernel->name, (unsigned long long)code->shared_static + launch->shared_dynamic, code->shared_static,
                   launch->shared_dynamic, launch->shared_limit);
        diag_hint(diag, "use smaller tiles, or a device with more (--device)");
        code_free(code);
        return false;
    }
    Grid grid = {.launch = launch, .code = code, .last_batch = UINT64_MAX};
    grid.n_blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    uint64_t wave = (uint64_t)launch->sms * launch->resident, waves = (grid.n_blocks + wave - 1) / wave;
    uint64_t last = grid.n_blocks - (waves - 1) * wave, idle = last < launch->sms ? launch->sms - last : 0;
    grid.n_batches =
        one_batch(&grid) ? 1 : waves * launch->sms - idle; /* SMs that get no block of the last wave come last in it */
    uint64_t most = grid.n_batches < launch->sms ? grid.n_batches : launch->sms;
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
    outcome->fault = grid.fault;
    outcome->output = grid.output;
    code_free(code);
    return true;
}
