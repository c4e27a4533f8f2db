#include "machine/tensorcopy.h"

#include <string.h>

#include "base/alloc.h"
#include "machine/bounds.h"
#include "machine/bulkcopy.h"
#include "machine/lanes.h"
#include "machine/tensormap.h"
#include "machine/warp_fault.h"
#include "ptx/opcode.h"

/* A box of a tensor. */
typedef struct TensorBox {
    TensorMap map;
    int64_t at[TENSOR_DIMENSIONS]; /* element of the tensor that it begins with */
    uint64_t rows;                 /* up to 2^32; once it is known to fit into shared memory, far fewer */
    uint32_t row_bytes, element_bytes;
    uint32_t pitch; /* of its rows in shared memory: with a swizzle no less than the swizzle's span (an H100) */
} TensorBox;

/* --- the map --- */

/* NULL: a map may not be there. */
static const uint8_t *map_bytes(const Warp *warp, uint64_t address) {
    const Launch *launch = warp->worker->launch;
    const uint64_t offset = address - WINDOW_PARAM, limit = launch->kernel->function->param_bytes;
    switch ((Space)window_space(address)) {
    case SPACE_PARAM: return offset <= limit && limit - offset >= TENSORMAP_BYTES ? launch->params + offset : NULL;
    case SPACE_GLOBAL:
    case SPACE_CONST: return block_host(warp->block, address, TENSORMAP_BYTES);
    case SPACE_SHARED:
    case SPACE_LOCAL:
    case SPACE_GENERIC:
    case SPACE_COUNT: break;
    }
    return NULL;
}

static bool no_map(Warp *warp, const Step *step, unsigned lane, uint64_t address, const char *what) {
    fault_hint(
        &warp->worker->fault,
        window_space(address) == SPACE_LOCAL
            ? "the kernel has copied its parameter: take it as const __grid_constant__ CUtensorMap; by clang, which copies it "
              "all the same, put the map into __constant__ memory"
            : "cuTensorMapEncodeTiled makes it; the kernel takes it as const __grid_constant__ CUtensorMap");
    return warp_fault(warp, lane, FAULT_invalid_call, step->pc, "lane %u of warp %u copies a tensor by the map at 0x%llx, %s",
                      lane, warp->place.warp, (unsigned long long)address, what);
}

static bool find_map(Warp *warp, const Step *step, unsigned lane, TensorMap *map) {
    const CopyPlace *place = &step->copy->map;
    warp_addresses(warp, place->slot, place->slot_bytes, place->offset, 1u << lane);
    const uint64_t address = warp->worker->access.addr[lane];
    const uint8_t *bytes = map_bytes(warp, address);
    if (!bytes) return no_map(warp, step, lane, address, "which is not in parameters, constant or global memory");
    if (address % TENSORMAP_ALIGN) return no_map(warp, step, lane, address, "which is not a multiple of 64");
    if (!tensormap_decode(bytes, map)) return no_map(warp, step, lane, address, "where no tensor map is");
    if (map->rank != step->insn->vec)
        return warp_fault(warp, lane, FAULT_invalid_call, step->pc,
                          "lane %u of warp %u copies a tensor of %u dimensions by a map of %u", lane, warp->place.warp,
                          step->insn->vec, map->rank);
    return true;
}

/* --- the box --- */

static TensorBox box_of(const Warp *warp, const Step *step, unsigned lane, const TensorMap *map) {
    TensorBox box = {.map = *map, .rows = 1, .element_bytes = type_bytes[tensormap_type(map->element)]};
    for (unsigned d = 0; d < map->rank; d++) {
        box.at[d] = (int32_t)((const uint32_t *)warp_at(warp, step->copy->at[d]))[lane];
        if (d) box.rows *= tensormap_count(map, d);
    }
    box.row_bytes = map->box[0] * box.element_bytes;
    box.pitch = box.row_bytes > tensormap_span(map) ? box.row_bytes : tensormap_span(map);
    return box;
}

/* Where row r of the box would begin in global memory. False: it is out of the tensor's bounds. */
static bool row_begins(const TensorBox *box, uint32_t r, uint64_t *address) {
    const TensorMap *map = &box->map;
    bool inside = true;
    *address = map->address + (uint64_t)box->at[0] * box->element_bytes;
    for (unsigned d = 1; d < map->rank; d++) {
        const uint32_t count = tensormap_count(map, d);
        const int64_t at = box->at[d] + (int64_t)(r % count) * map->step[d];
        inside &= at >= 0 && (uint64_t)at < map->size[d];
        *address += (uint64_t)at * map->stride[d];
        r /= count;
    }
    return inside;
}

/* Of the elements from `first` of a row on, within this many, those that the tensor has. */
static uint32_t elements_inside(const TensorBox *box, uint32_t first, uint32_t count) {
    uint32_t inside = 0;
    for (uint32_t i = 0; i < count; i++) {
        const int64_t at = box->at[0] + first + i;
        inside |= (uint32_t)(at >= 0 && (uint64_t)at < box->map.size[0]) << i;
    }
    return inside;
}

/* What stands where the tensor has nothing: zero, or the NaN that the map asks for, as an H100 has it for f32 and f64. */
static void fill_of(const TensorMap *map, uint8_t fill[BULK_UNIT]) {
    memset(fill, 0, BULK_UNIT);
    for (unsigned i = 0; map->fill && i < BULK_UNIT; i++) fill[i] = i % 2 ? 0x7f : 0xf7;
}

/* 16 bytes in both memories; bit i of inside: the tensor has the unit's element i. */
typedef struct TensorUnit {
    uint64_t shared, global;
    uint32_t inside;
} TensorUnit;

/* What is stored of the unit's elements, where the tensor has some: an H200 stores, and adds up, all 16 bytes, up to 15 behind the row's end. Where the
 * allocation ends there, which a GPU rounds up, nobody can see the others. */
static uint32_t elements_stored(const Warp *warp, uint32_t element_bytes, TensorUnit unit) {
    uint32_t stored = unit.inside;
    for (uint32_t i = 0; unit.inside && i < BULK_UNIT / element_bytes; i++)
        stored |= (uint32_t)(block_host(warp->block, unit.global + (uint64_t)i * element_bytes, element_bytes) != NULL) << i;
    return stored;
}

/* 16 bytes of shared memory and what of global memory they stand for. */
static bool copy_unit(Warp *warp, const Step *step, const Bulk *bulk, const TensorBox *box, TensorUnit unit) {
    const uint64_t shared = unit.shared, global = unit.global;
    const uint32_t elements = BULK_UNIT / box->element_bytes, all = (1u << elements) - 1;
    const bool outwards = bulk->to_space == SPACE_GLOBAL;
    const uint32_t inside = outwards && unit.inside != all ? elements_stored(warp, box->element_bytes, unit) : unit.inside;
    if (inside == all && global % BULK_UNIT == 0)
        return outwards ? bulk_move(warp, step, bulk, global, shared, BULK_UNIT)
                        : bulk_move(warp, step, bulk, shared, global, BULK_UNIT);
    uint8_t fill[BULK_UNIT];
    fill_of(&box->map, fill);
    if (!inside) return outwards || bulk_fill(warp, step, bulk, shared, fill, BULK_UNIT);
    for (uint32_t i = 0; i < elements; i++) {
        const uint8_t bytes = (uint8_t)box->element_bytes;
        const uint64_t here = shared + (uint64_t)i * bytes, there = global + (uint64_t)i * bytes;
        const bool is_inside = inside >> i & 1;
        const bool fine = !is_inside ? outwards || bulk_fill(warp, step, bulk, here, fill, bytes)
                          : outwards ? bulk_move(warp, step, bulk, there, here, bytes)
                                     : bulk_move(warp, step, bulk, here, there, bytes);
        if (!fine) return false;
    }
    return true;
}

/* Row after row; runs[r]: what of row r global memory has. */
static bool copy_rows(Warp *warp, const Step *step, const Bulk *bulk, const TensorBox *box) {
    const uint64_t place = bulk->to_space == SPACE_GLOBAL ? bulk->from : bulk->to;
    const uint32_t elements = BULK_UNIT / box->element_bytes;
    for (uint32_t r = 0; r < box->rows; r++) {
        uint64_t global;
        const bool is_inside = row_begins(box, r, &global);
        for (uint32_t done = 0; done < box->row_bytes; done += BULK_UNIT) {
            const uint32_t inside = is_inside ? elements_inside(box, done / box->element_bytes, elements) : 0;
            const uint64_t shared = tensormap_swizzled(&box->map, place + (uint64_t)r * box->pitch + done);
            if (!copy_unit(warp, step, bulk, box, (TensorUnit){shared, global + done, inside})) return false;
        }
    }
    return true;
}

static uint32_t runs_of(const TensorBox *box, BulkRun *runs) {
    const int64_t last = (int64_t)box->map.size[0], end = box->at[0] + box->map.box[0];
    const int64_t begin = box->at[0] < 0 ? 0 : box->at[0], stop = end < last ? end : last;
    uint32_t count = 0;
    for (uint32_t r = 0; begin < stop && r < box->rows; r++) {
        uint64_t address;
        if (!row_begins(box, r, &address)) continue;
        runs[count++] = (BulkRun){address + (uint64_t)(begin - box->at[0]) * box->element_bytes,
                                  (uint32_t)(stop - begin) * box->element_bytes};
    }
    return count;
}

/* --- what is wrong with it --- */

static bool is_placed(Warp *warp, const Step *step, const Bulk *bulk, const TensorBox *box) {
    const bool outwards = bulk->to_space == SPACE_GLOBAL;
    const uint64_t place = outwards ? bulk->from : bulk->to, bytes = box->rows * box->pitch;
    if (place % TENSOR_PLACE_ALIGN) {
        fault_hint(&warp->worker->fault, "a box begins at a multiple of %d in shared memory: __align__(%d)", TENSOR_PLACE_ALIGN,
                   TENSOR_PLACE_ALIGN);
        return warp_fault(
            warp, bulk->lane, FAULT_misaligned, step->pc,
            "lane %u of warp %u copies a box of a tensor %s byte 0x%llx of shared memory, which is not a multiple of %d",
            bulk->lane, warp->place.warp, outwards ? "from" : "to", (unsigned long long)place, TENSOR_PLACE_ALIGN);
    }
    if (bytes <= warp->block->shared_bytes) return true;
    fault_hint(&warp->worker->fault, "the map's box says how many bytes a copy has, whatever the array that it goes to");
    return warp_fault(warp, bulk->lane, FAULT_out_of_bounds, step->pc,
                      "lane %u of warp %u copies a box of %llu bytes, and the block has %u bytes of shared memory", bulk->lane,
                      warp->place.warp, (unsigned long long)bytes, warp->block->shared_bytes);
}

/* An H100 ends the launch by an illegal instruction. */
static bool begins_unit(Warp *warp, const Step *step, unsigned lane, const TensorBox *box) {
    const int64_t begin = box->at[0] * (int64_t)box->element_bytes;
    if (begin % BULK_UNIT == 0) return true;
    fault_hint(&warp->worker->fault,
               "a box begins at a multiple of %u of these elements in dimension 0, as the tensor itself does",
               BULK_UNIT / box->element_bytes);
    return warp_fault(
        warp, lane, FAULT_misaligned, step->pc,
        "lane %u of warp %u copies a box that begins with element %lld of dimension 0, at byte %lld of a row, which "
        "is not a multiple of %d",
        lane, warp->place.warp, (long long)box->at[0], (long long)begin, BULK_UNIT);
}

/* A load gets zeros from before the tensor. Where a write begins there, an H200 ends the launch by an illegal instruction; behind the tensor's end it leaves out. */
static bool writes_from_inside(Warp *warp, const Step *step, unsigned lane, const TensorBox *box) {
    for (unsigned d = 0; d < box->map.rank; d++) {
        if (box->at[d] >= 0) continue;
        fault_hint(&warp->worker->fault, "a box that is written may end outside of its tensor, and must begin inside");
        return warp_fault(warp, lane, FAULT_invalid_call, step->pc,
                          "lane %u of warp %u writes a box that begins before its tensor, at %lld in dimension %u", lane,
                          warp->place.warp, (long long)box->at[d], d);
    }
    return true;
}

static bool is_reduced(Warp *warp, const Step *step, unsigned lane, Type type) {
    Insn insn = *step->insn;
    const bool bits = insn.variant == ATOM_AND || insn.variant == ATOM_OR || insn.variant == ATOM_XOR;
    const bool is_float = type_kinds[type] == KIND_FLOAT;
    insn.type = (uint8_t)(!bits || is_float ? type : type_bytes[type] == 8 ? TYPE_b64 : TYPE_b32);
    if (type_bytes[type] >= 2 && bulk_reduces(&insn, SPACE_GLOBAL)) return true;
    return warp_fault(warp, lane, FAULT_invalid_call, step->pc,
                      "lane %u of warp %u reduces a tensor of .%s by an operation that this type does not have", lane,
                      warp->place.warp, type_names[type]);
}

/* --- the copy --- */

/* The box is found again for each block that gets it, which costs little beside its copy. */
static bool copy_box(Warp *warp, const Step *step, Bulk *bulk) {
    TensorMap map;
    if (!find_map(warp, step, bulk->lane, &map)) return false;
    const TensorBox box = box_of(warp, step, bulk->lane, &map);
    const Type type = tensormap_type(map.element);
    if (!begins_unit(warp, step, bulk->lane, &box) || !is_placed(warp, step, bulk, &box) ||
        (bulk->to_space == SPACE_GLOBAL && !writes_from_inside(warp, step, bulk->lane, &box)) ||
        (bulk->reduces && !is_reduced(warp, step, bulk->lane, type)))
        return false;
    Insn insn = *step->insn;
    Step typed = *step;
    insn.type = (uint8_t)type;
    typed.insn = &insn;
    typed.bytes = type_bytes[type];
    if (!copy_rows(warp, &typed, bulk, &box)) return false;
    FREED BulkRun *runs = alloc_zeroed(box.rows, sizeof *runs);
    bulk->n_runs = runs_of(&box, runs);
    bulk->runs = runs;
    bulk->bytes = (uint32_t)(box.rows * box.row_bytes);
    return bulk_done(warp, step, bulk);
}

static bool run_lane(Warp *warp, const Step *step, unsigned lane) {
    const Insn *insn = step->insn;
    const AsyncCopy *copy = step->copy;
    const bool outwards = insn->flags & INSN_FROM_SHARED;
    TensorMap map;
    Bulk bulk = {.lane = lane,
                 .to_space = insn->space,
                 .from_space = outwards ? SPACE_SHARED : SPACE_GLOBAL,
                 .reduces = insn->variant <= ATOM_DEC,
                 .tied = !outwards};
    if (insn->variant == BULK_PREFETCH) return find_map(warp, step, lane, &map);
    if (outwards) bulk.from = bulk_place(warp, &copy->from, SPACE_SHARED, &bulk);
    bulk.peer = false; /* of what is written, and of its mbarrier */
    if (!outwards) bulk.to = bulk_place(warp, &copy->to, SPACE_SHARED, &bulk);
    if (!outwards) bulk.barrier = bulk_place(warp, &copy->barrier, SPACE_SHARED, &bulk);
    return bulk_each_block(warp, step, &bulk, copy_box);
}

bool warp_tensor(Warp *warp, const Step *step, uint32_t active) {
    warp->read_global = warp->changed = true;
    EACH_ACTIVE_LANE(l, active) {
        if (!run_lane(warp, step, l)) return false;
    }
    return true;
}
