#include "observe/origins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/access.h"
#include "machine/lanes.h"

/* The last load by this instruction that brought in undefined bits. */
typedef struct Load {
    Place place;
    const Allocation *in;
    uint8_t space, kind, bytes;
    bool told;
    Writer writer;  /* of what the first of the lanes read */
    uint32_t lanes; /* that read such bits */
    uint64_t addr[WARP_LANES];
    uint8_t nth[WARP_LANES]; /* the first byte of the access that was never written */
} Load;

struct Origins {
    const Kernel *kernel;
    uint32_t n_insns;
    Load **loads; /* by pc; NULL: none so far */
};

Origins *origins_new(const Kernel *kernel) {
    Origins *origins = alloc_zeroed(1, sizeof *origins);
    origins->kernel = kernel;
    origins->n_insns = kernel->program->n_insns;
    origins->loads = alloc_zeroed(origins->n_insns + 1, sizeof *origins->loads);
    return origins;
}

void origins_free(Origins *origins) {
    if (!origins) return;
    for (uint32_t pc = 0; pc < origins->n_insns; pc++) free(origins->loads[pc]);
    free(origins->loads);
    free(origins);
}

static void load_add(Load *load, const Access *access, const Allocation *in, Gap gap) {
    const unsigned lane = gap.lane;
    if (!load->lanes) load->writer = gap.writer;
    load->in = in;
    load->space = access->space;
    load->kind = access->kind;
    load->bytes = access->bytes;
    load->lanes |= 1u << lane;
    load->addr[lane] = access->space == SPACE_LOCAL ? access->local[lane] : access->addr[lane] - (in ? in->address : 0);
    load->nth[lane] = (uint8_t)gap.nth;
}

/* Whether neighbouring lanes leave nothing between them: then they read an array's elements, and no members of structures. */
static bool is_dense(const Access *access) {
    const uint32_t first = lanes_first(access->active), others = access->active & (access->active - 1);
    const uint64_t *addr = access->space == SPACE_LOCAL ? access->local : access->addr;
    return others && addr[lanes_first(others)] == addr[first] + access->bytes;
}

void origins_add(Origins *origins, const Place *place, const Access *access, const Allocation *in, Gap gap) {
    Undefined *undefined = access->undefined;
    Load **load = &origins->loads[access->pc];
    if (!*load) *load = alloc_zeroed(1, sizeof **load);
    if (!undefined->any) {
        memset(undefined->bits, 0, (size_t)access->bytes * WARP_LANES);
        undefined->any = true;
        const bool piece = origins->kernel->traits[access->pc] & TRAIT_PIECE;
        undefined->origin = (Origin){.pc = access->pc, .kind = ORIGIN_MEMORY, .padding = piece && !is_dense(access)};
        **load = (Load){.place = *place};
    }
    undefined->origin.padding &= gap.follows;
    memset(undefined->bits + gap.lane * access->bytes + gap.nth, gap.bits, gap.bytes);
    if (!((*load)->lanes >> gap.lane & 1) || gap.nth < (*load)->nth[gap.lane]) load_add(*load, access, in, gap);
}

void origins_drop(Origins *origins, uint32_t pc) {
    if (pc < origins->n_insns && origins->loads[pc]) origins->loads[pc]->told = true;
}

void origins_hint_shared(Fault *fault, Writer writer) {
    static const char *const hints[] = {
        [WRITER_UNKNOWN] =
            "does another warp write it? Then a __syncthreads() is missing before this read. Shared memory starts with "
            "arbitrary values in every block: write each element before it is read",
        [WRITER_OF_CLUSTER] =
            "does another warp write it, or another block? Then a __syncthreads(), or a cluster.sync(), is missing before this "
            "read. Shared memory starts with arbitrary values in every block: write each element before it is read",
        [WRITER_LATER] =
            "is a __syncthreads() missing between the write and this read? Shared memory starts with arbitrary values in "
            "every block: write each element before it is read",
        [WRITER_NONE] =
            "no thread of the block writes it before this read, and shared memory starts with arbitrary values in every "
            "block: is the index another one than that of the writes, or do they leave it out?",
        [WRITER_PEER] =
            "it is another block's, where no thread has written it so far: does that block clear it, with a cluster.sync() "
            "behind? Shared memory starts with arbitrary values in every block"};
    fault_hint(fault, "%s", hints[writer]);
}

static void say(const Load *load, const Place *place, uint32_t pc, unsigned lane, Fault *fault) {
    static const char *const hints[SPACE_COUNT] = {
        [SPACE_GLOBAL] = "fill the buffer before the launch (cudaMemcpy, cudaMemset), or write it in the kernel first",
        [SPACE_LOCAL] = "a local array or variable is read before anything is assigned to it: initialise it"};
    const unsigned long long at = load->addr[lane], byte = at + load->nth[lane];
    char where[160];
    if (load->space == SPACE_GLOBAL)
        snprintf(where, sizeof where, "at '%.100s'+%llu", load->in->name, at);
    else
        snprintf(where, sizeof where, "of %s memory at byte %llu", space_names[load->space], at);
    fault_set(fault, FAULT_uninitialized, pc, "lane %u of warp %u %s %u byte%s %s, where byte %llu was never written", lane,
              place->warp, access_verb(load->kind), load->bytes, plural_s(load->bytes), where, byte);
    if (load->space == SPACE_GLOBAL) {
        fault->address = load->in->address + byte;
        fault->bytes = load->bytes;
    }
    if (load->space == SPACE_SHARED)
        origins_hint_shared(fault, load->writer);
    else
        fault_hint(fault, "%s", hints[load->space]);
    fault_blame(fault, place, lane);
}

void origins_fault(const Origins *origins, const Place *place, const ValueUse *use, Fault *fault) {
    const uint32_t pc = use->origin.pc;
    if (use->origin.kind == ORIGIN_REGISTER) {
        fault_set(fault, FAULT_uninitialized, pc, "lane %u of warp %u uses a variable here that nothing has been assigned to",
                  use->lane, place->warp);
        fault_hint(fault, "give it a value where it is declared: a sum begins with `float sum = 0.0f;`");
        fault_blame(fault, place, use->lane);
    } else {
        const Load *load = pc < origins->n_insns ? origins->loads[pc] : NULL;
        if (!load || load->told) return;
        bool own = load->place.block == place->block && load->place.warp == place->warp && load->lanes >> use->lane & 1;
        say(load, &load->place, pc, own ? use->lane : lanes_first(load->lanes), fault);
    }
    if (use->pc != pc) fault->other_pc = use->pc;
}

void origins_fault_now(const Place *place, const Access *access, const Allocation *in, Gap gap, Fault *fault) {
    Load load = {.place = *place};
    load_add(&load, access, in, gap);
    say(&load, place, access->pc, gap.lane, fault);
}
