#include "runtime/replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { MEMOS = 64 }; /* kept; the least recently used are dropped */

static void memo_free(Memo *memo) {
    free(memo->work.params);
    free(memo->touched);
    sparse_free(&memo->counts);
    free(memo);
}

void replay_forget(Context *context) {
    for (Memo *memo = context->memos, *next; memo; memo = next) {
        next = memo->next;
        memo_free(memo);
    }
    context->memos = NULL;
}

static bool same_launch(const KernelWork *a, const KernelWork *b) {
    return a->kernel == b->kernel && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 && a->shared_bytes == b->shared_bytes &&
           a->cooperative == b->cooperative && a->launcher == b->launcher &&
           memcmp(a->cluster, b->cluster, sizeof a->cluster) == 0 &&
           memcmp(a->params, b->params, a->kernel->function->param_bytes) == 0;
}

static bool unchanged(const Context *context, const Memo *memo) {
    for (size_t i = 0; i < memo->count; i++) {
        const Allocation *allocation = memory_find(context->memory, memo->touched[i].address);
        if (!allocation || allocation->address != memo->touched[i].address || allocation->version != memo->touched[i].version)
            return false;
    }
    return true;
}

Memo *replay_find(Context *context, const KernelWork *work) {
    for (Memo **at = &context->memos; *at; at = &(*at)->next) {
        Memo *memo = *at;
        if (!same_launch(&memo->work, work)) continue;
        *at = memo->next;
        if (!unchanged(context, memo)) {
            memo_free(memo);
            return NULL;
        }
        memo->next = context->memos;
        context->memos = memo;
        return memo;
    }
    return NULL;
}

void replay_watch(Context *context) {
    for (size_t i = 0; i < memory_count(context->memory); i++) {
        Allocation *allocation = memory_at(context->memory, i);
        allocation->read = allocation->written = false;
    }
}

/* The allocations that the launch touched, or NULL when one of them forbids a replay. The caller frees. */
static Touched *list_touched(const Context *context, size_t *count) {
    Touched *touched = alloc_zeroed(memory_count(context->memory) + 1, sizeof *touched);
    *count = 0;
    for (size_t i = 0; i < memory_count(context->memory); i++) {
        const Allocation *allocation = memory_at(context->memory, i);
        if (!allocation->read && !allocation->written) continue;
        if (allocation->unified || (allocation->read && allocation->written)) {
            free(touched);
            return NULL;
        }
        touched[(*count)++] = (Touched){allocation->address, allocation->version};
    }
    return touched;
}

void replay_wrote(Context *context) {
    for (size_t i = 0; i < memory_count(context->memory); i++) {
        Allocation *allocation = memory_at(context->memory, i);
        allocation->version += allocation->written;
    }
}

void replay_remember(Context *context, const KernelWork *work, const LaunchResult *result, struct LaunchGroup *group) {
    replay_wrote(context);
    bool wrong = result->fault.kind != FAULT_none || result->strayed;
    for (size_t i = 0; i < result->findings.count; i++)
        wrong |= !fault_kinds[result->findings.items[i].fault.kind].replays || result->findings.on_fault == ON_FAULT_GO_ON;
    if (!context->options.replay || wrong || result->output.length) return;
    const Kernel *known = image_known(work->kernel);
    if (known->reads_clock || known->textured) return; /* objects may be others by then */
    size_t count, bytes = work->kernel->function->param_bytes;
    Touched *touched = list_touched(context, &count);
    if (!touched) return;
    Memo *memo = alloc_bytes(sizeof *memo);
    uint8_t *params = alloc_bytes(bytes + 1);
    memcpy(params, work->params, bytes);
    *memo = (Memo){.next = context->memos,
                   .work = *work,
                   .touched = touched,
                   .count = count,
                   .counts = sparse_of(result->counters),
                   .model = result->model,
                   .threads = result->threads,
                   .group = group};
    memo->work.params = params;
    memo->work.nested = NULL;
    context->memos = memo;
    unsigned kept = 1;
    for (Memo *last = memo; last->next; last = last->next)
        if (++kept > MEMOS) {
            memo_free(last->next);
            last->next = NULL;
            break;
        }
}
