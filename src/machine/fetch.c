#include "machine/fetch.h"

#include <string.h>

#include "machine/alu_lanes.h"
#include "machine/defined.h"
#include "machine/lanes.h"
#include "machine/loadstore.h"
#include "machine/sampling.h"
#include "machine/shadow.h"
#include "machine/warp_fault.h"
#include "ptx/opcode.h"

_Static_assert((int)TEXEL_BYTES_MOST == (int)ASYNC_COPY_BYTES_MOST, "texels go where copies do");

/* --- objects --- */

static bool is_of_surfaces(const Step *step) { return step->exec == EXEC_SURFACE || step->insn->op == OP_suq; }

static bool no_object(Warp *warp, const Step *step, unsigned lane, uint64_t handle) {
    const bool surface = is_of_surfaces(step);
    const TextureTable *table = warp->worker->launch->textures;
    const bool other = textures_find(table, handle, !surface), gone = table && handle && handle <= table->handles;
    fault_hint(&warp->worker->fault,
               other  ? "cudaCreate%sObject makes what this reads: is the other object meant?"
               : gone ? "is cudaDestroy%sObject called before the kernel has ended?"
                      : "cudaCreate%sObject gives what the kernel must be given: is its status looked at?",
               surface ? "Surface" : "Texture");
    return warp_fault(warp, lane, FAULT_out_of_bounds, step->pc, "lane %u of warp %u uses %s object %llu, which %s", lane,
                      warp->place.warp, surface ? "surface" : "texture", (unsigned long long)handle,
                      other  ? "is one of the other kind"
                      : gone ? "has been destroyed"
                             : "there is not");
}

/* The object of the first of the lanes, and in *same those of them that have it too; NULL after a fault. */
static const Texture *object_of(Warp *warp, const Step *step, uint32_t lanes, uint32_t *same) {
    const uint64_t *handles = warp_at(warp, step->s[0]);
    const unsigned first = lanes_first(lanes);
    const Texture *object = textures_find(warp->worker->launch->textures, handles[first], is_of_surfaces(step));
    if (!object) no_object(warp, step, first, handles[first]);
    *same = lanes_equal64(handles, handles[first], lanes);
    return object;
}

/* An instruction of layers needs an object that has them, and the other way round. */
static bool geometry_fits(Warp *warp, const Step *step, const Texture *of, unsigned lane) {
    const bool layered = geometry_layered(step->insn->geometry);
    if (layered == (of->layers > 0)) return true;
    fault_hint(&warp->worker->fault,
               "cudaArrayLayered makes an array of layers, which functions with Layered in their name read");
    return warp_fault(warp, lane, FAULT_unsupported, step->pc,
                      "lane %u of warp %u names %s layer of %s object %llu, which has %s", lane, warp->place.warp,
                      layered ? "a" : "no", of->is_surface ? "surface" : "texture", (unsigned long long)of->handle,
                      layered ? "none" : "some");
}

/* --- texels --- */

/* What the lanes of one object fetch. */
typedef struct Fetch {
    const Texture *texture;
    AxisTaps taps[WARP_LANES][TEXTURE_AXES];
    uint32_t layer[WARP_LANES];
    unsigned dimensions; /* in which there are two taps */
    uint32_t undefined;  /* lanes that read an undefined bit */
    Origin origin;       /* of one */
    Texel corners[1 << TEXTURE_AXES][WARP_LANES];
} Fetch;

static void texel_in(Warp *warp, const Step *step, const Resolved *at) {
    (void)step;
    const unsigned bytes = warp->worker->access.bytes;
    EACH_ACTIVE_LANE(l, at->lanes) memcpy(warp->worker->copied[l], resolved_at(at, l), bytes);
}

static void note_undefined(const Warp *warp, uint32_t lanes, unsigned bytes, Fetch *fetch) {
    const Undefined *undefined = &warp->worker->undefined;
    if (!undefined->any) return;
    EACH_ACTIVE_LANE(l, lanes) {
        if (memcmp(undefined->bits + l * bytes, lanes_defined.bytes, bytes) == 0) continue;
        fetch->undefined |= 1u << l;
        fetch->origin = undefined->origin;
    }
}

/* Puts the addresses of these lanes into the worker's access. */
static void set_addresses(Warp *warp, const uint64_t *addresses, uint32_t lanes) {
    memcpy(warp->worker->access.addr, addresses, sizeof warp->worker->access.addr);
    if (lanes != LANES_ALL) lanes_fill64(warp->worker->access.addr, addresses[lanes_first(lanes)], ~lanes);
}

/* The texel of a corner: of a second tap of weight 0 nothing is read. */
static bool fetch_corner(Warp *warp, const Step *step, Fetch *fetch, unsigned corner, uint32_t lanes) {
    const Texture *texture = fetch->texture;
    const unsigned bytes = texel_bytes(texture);
    uint64_t addresses[WARP_LANES] = {0};
    uint32_t reads = 0;
    EACH_ACTIVE_LANE(l, lanes) {
        uint64_t at[TEXTURE_AXES];
        bool outside = false, counts = true;
        for (unsigned axis = 0; axis < TEXTURE_AXES; axis++) {
            const AxisTaps *taps = &fetch->taps[l][axis];
            const unsigned which = corner >> axis & 1;
            at[axis] = taps->index[which];
            outside |= taps->outside[which];
            counts &= !which || taps->weight || step->insn->op == OP_tld4;
        }
        addresses[l] = texture->address + (texture->layers ? fetch->layer[l] : at[2]) * texture->slice +
                       at[1] * texture->pitch + at[0] * bytes;
        reads |= (uint32_t)(!outside && counts) << l;
        fetch->corners[corner][l] = texel_border(texture);
    }
    if (!reads) return true;
    set_addresses(warp, addresses, reads);
    warp->worker->undefined.any = false;
    if (!warp_access(warp, step, (Transfer){SPACE_GLOBAL, ACCESS_LOAD, (uint8_t)bytes, reads, NULL, texel_in})) return false;
    note_undefined(warp, reads, bytes, fetch);
    EACH_ACTIVE_LANE(l, reads) fetch->corners[corner][l] = texel_decode(texture, warp->worker->copied[l]);
    return true;
}

static void find_taps(Warp *warp, const Step *step, Fetch *fetch, uint32_t lanes) {
    const Insn *insn = step->insn;
    const bool layered = geometry_layered(insn->geometry), by_index = insn->type2 == TYPE_s32;
    const unsigned named = geometry_dimensions(insn->geometry);
    const bool two = !by_index && (insn->op == OP_tld4 || fetch->texture->filters);
    const Slot *coordinates = step->data + step->vec;
    /* An H100 filters a line as the first row of a plane: half of what is above its middle is another row, or the border. */
    const unsigned axes = two && named == 1 ? 2 : named;
    fetch->dimensions = two ? axes : 0;
    EACH_ACTIVE_LANE(l, lanes) {
        if (layered) fetch->layer[l] = layer_find(fetch->texture, ((const int32_t *)warp_at(warp, coordinates[0]))[l]);
        for (unsigned axis = 0; axis < TEXTURE_AXES; axis++) {
            AxisTaps *taps = &fetch->taps[l][axis];
            if (axis >= axes)
                *taps = (AxisTaps){0};
            else if (axis >= named)
                *taps = axis_find(fetch->texture, axis, 0, true);
            else if (by_index)
                *taps = axis_index(fetch->texture, axis, ((const int32_t *)warp_at(warp, coordinates[axis + layered]))[l]);
            else
                *taps = axis_find(fetch->texture, axis, ((const float *)warp_at(warp, coordinates[axis + layered]))[l], two);
        }
    }
}

/* tld4: one channel of the four corners, round the cell from below on the left (PTX ISA, "tld4"). */
static Texel gather(const Step *step, const Fetch *fetch, unsigned lane) {
    static const uint8_t order[TEXEL_CHANNELS] = {2, 3, 1, 0};
    const unsigned channel = step->insn->variant - TLD4_R;
    Texel texel;
    for (unsigned i = 0; i < TEXEL_CHANNELS; i++) texel.bits[i] = fetch->corners[order[i]][lane].bits[channel];
    return texel;
}

static Texel sample(const Step *step, const Fetch *fetch, unsigned lane) {
    if (step->insn->op == OP_tld4) return gather(step, fetch, lane);
    if (!fetch->dimensions) return fetch->corners[0][lane];
    Texel corners[1 << TEXTURE_AXES];
    for (unsigned corner = 0; corner < 1u << fetch->dimensions; corner++) corners[corner] = fetch->corners[corner][lane];
    return texels_filter(fetch->taps[lane], fetch->dimensions, corners);
}

/* A result is undefined as a whole. */
static void put_shadow(Warp *warp, const Step *step, const Fetch *fetch, uint32_t lanes) {
    if (!fetch->undefined && !warp->watched) return;
    Lanes bits;
    lanes_fill_undefined(&bits, 4, fetch->undefined);
    shadow_of(warp);
    for (unsigned i = 0; i < step->vec; i++)
        if (step->data[i] != NO_SLOT)
            shadow_put(warp, step->data[i], 4, &bits, lanes, fetch->undefined ? fetch->origin : (Origin){0});
}

static bool fetch_lanes(Warp *warp, const Step *step, const Texture *texture, uint32_t lanes) {
    Fetch fetch = {.texture = texture};
    find_taps(warp, step, &fetch, lanes);
    for (unsigned corner = 0; corner < 1u << fetch.dimensions; corner++)
        if (!fetch_corner(warp, step, &fetch, corner, lanes)) return false;
    EACH_ACTIVE_LANE(l, lanes) {
        const Texel texel = sample(step, &fetch, l);
        for (unsigned i = 0; i < step->vec; i++)
            if (step->data[i] != NO_SLOT) ((uint32_t *)warp_at(warp, step->data[i]))[l] = texel.bits[i];
    }
    put_shadow(warp, step, &fetch, lanes);
    return true;
}

bool warp_texture(Warp *warp, const Step *step, uint32_t active) {
    warp->read_global = true;
    for (uint32_t left = active, lanes; left; left &= ~lanes) {
        const Texture *texture = object_of(warp, step, left, &lanes);
        if (!texture || !geometry_fits(warp, step, texture, lanes_first(lanes))) return false;
        if (!fetch_lanes(warp, step, texture, lanes)) return false;
    }
    return true;
}

/* --- surfaces --- */

/* A lane's byte of its row, its row, and its slice or layer. */
typedef struct SurfacePoint {
    int64_t at[TEXTURE_AXES];
} SurfacePoint;

static SurfacePoint point_of(const Warp *warp, const Step *step, unsigned lane) {
    const uint8_t geometry = step->insn->geometry;
    const bool layered = geometry_layered(geometry);
    const Slot *coordinates = step->data + step->vec;
    SurfacePoint point = {{0}};
    for (unsigned axis = 0; axis < geometry_dimensions(geometry); axis++)
        point.at[axis] = ((const int32_t *)warp_at(warp, coordinates[axis + layered]))[lane];
    if (layered) point.at[2] = ((const int32_t *)warp_at(warp, coordinates[0]))[lane];
    return point;
}

/* The largest that is inside, by axis; x in bytes. */
static SurfacePoint point_last(const Step *step, const Texture *surface) {
    const int64_t row = (int64_t)surface->extent[0] * texel_bytes(surface);
    return (SurfacePoint){{row - step->whole, (int64_t)surface->extent[1] - 1,
                           (int64_t)(surface->layers ? surface->layers : surface->extent[2]) - 1}};
}

static bool outside_surface(Warp *warp, const Step *step, const Texture *surface, unsigned lane) {
    const SurfacePoint point = point_of(warp, step, lane);
    const uint32_t row = surface->extent[0] * texel_bytes(surface);
    const bool by_x = point.at[0] < 0 || point.at[0] > point_last(step, surface).at[0];
    fault_hint(&warp->worker->fault, by_x ? "x counts bytes: x * sizeof(T)? And is a guard missing?"
                                          : "is a guard missing? cudaBoundaryModeClamp and cudaBoundaryModeZero let it pass");
    return warp_fault(
        warp, lane, FAULT_out_of_bounds, step->pc,
        "lane %u of warp %u %s %u byte%s at byte %lld of row %lld, slice %lld of surface object %llu: %u bytes, %u "
        "rows, %u slices",
        lane, warp->place.warp, step->insn->n_dst ? "reads" : "writes", step->whole, plural_s(step->whole),
        (long long)point.at[0], (long long)point.at[1], (long long)point.at[2], (unsigned long long)surface->handle, row,
        surface->extent[1], surface->layers ? surface->layers : surface->extent[2]);
}

/* Where the lanes access it, and which of them do: not those that are outside where these read zeros and write nothing. False after a fault. */
static bool surface_places(Warp *warp, const Step *step, const Texture *surface, uint32_t *lanes, uint64_t *addresses) {
    const SurfacePoint last = point_last(step, surface);
    const uint8_t mode = step->insn->variant;
    EACH_ACTIVE_LANE(l, *lanes) {
        SurfacePoint point = point_of(warp, step, l);
        bool outside = false;
        for (unsigned axis = 0; axis < TEXTURE_AXES; axis++) {
            int64_t *at = &point.at[axis];
            outside |= *at < 0 || *at > last.at[axis];
            *at = *at > last.at[axis] ? last.at[axis] : *at;
            *at = *at < 0 ? 0 : *at;
        }
        if (outside && mode == SURFACE_TRAP) return outside_surface(warp, step, surface, l);
        if (outside && mode == SURFACE_ZERO) *lanes &= ~(1u << l);
        addresses[l] = surface->address + (uint64_t)point.at[2] * surface->slice + (uint64_t)point.at[1] * surface->pitch +
                       (uint64_t)point.at[0];
    }
    return true;
}

static void elements_out(Warp *warp, const Step *step, const Resolved *at) {
    EACH_ACTIVE_LANE(l, at->lanes) memcpy(resolved_at(at, l), warp->worker->packed + l * step->whole, step->whole);
}

static bool surface_store(Warp *warp, const Step *step, uint32_t lanes, const uint64_t *addresses) {
    uint8_t *packed = warp->worker->packed;
    warp->changed = true;
    if (!lanes) return true;
    for (unsigned i = 0; i < step->vec; i++) {
        const uint8_t *slot = warp_at(warp, step->data[i]);
        for (unsigned l = 0; l < WARP_LANES; l++)
            memcpy(packed + l * step->whole + i * step->bytes, slot + l * step->lane_bytes, step->bytes);
    }
    set_addresses(warp, addresses, lanes);
    if (!warp->watched) warp->worker->undefined.any = false;
    return warp_access(warp, step, (Transfer){SPACE_GLOBAL, ACCESS_STORE, step->whole, lanes, packed, elements_out});
}

static bool surface_load(Warp *warp, const Step *step, uint32_t lanes, uint32_t inside, const uint64_t *addresses) {
    Worker *worker = warp->worker;
    memset(worker->copied, 0, sizeof worker->copied);
    worker->undefined.any = false;
    if (inside) {
        set_addresses(warp, addresses, inside);
        if (!warp_access(warp, step, (Transfer){SPACE_GLOBAL, ACCESS_LOAD, step->whole, inside, NULL, texel_in})) return false;
    }
    for (unsigned i = 0; i < step->vec; i++) {
        if (step->data[i] == NO_SLOT) continue;
        uint8_t *slot = warp_at(warp, step->data[i]);
        EACH_ACTIVE_LANE(l, lanes) {
            memset(slot + l * step->lane_bytes, 0, step->lane_bytes);
            memcpy(slot + l * step->lane_bytes, worker->copied[l] + i * step->bytes, step->bytes);
        }
        if (warp->watched) shadow_define(warp, step->data[i], step->lane_bytes, lanes & ~inside);
    }
    defined_loaded(warp, step, inside);
    return true;
}

bool warp_surface(Warp *warp, const Step *step, uint32_t active) {
    const bool loads = step->insn->n_dst;
    if (loads) warp->read_global = true;
    for (uint32_t left = active, lanes; left; left &= ~lanes) {
        const Texture *surface = object_of(warp, step, left, &lanes);
        uint64_t addresses[WARP_LANES] = {0};
        uint32_t inside = lanes;
        if (!surface || !geometry_fits(warp, step, surface, lanes_first(lanes))) return false;
        if (!surface_places(warp, step, surface, &inside, addresses)) return false;
        if (!(loads ? surface_load(warp, step, lanes, inside, addresses) : surface_store(warp, step, inside, addresses)))
            return false;
    }
    return true;
}

/* --- questions --- */

static uint32_t answer(const Texture *of, uint8_t query) {
    if (query == QUERY_LAYERS) return of->layers;
    const unsigned axis = query - QUERY_WIDTH;
    return axis < of->dimensions ? of->extent[axis] : 0;
}

bool warp_texture_query(Warp *warp, const Step *step, uint32_t active) {
    for (uint32_t left = active, lanes; left; left &= ~lanes) {
        const Texture *of = object_of(warp, step, left, &lanes);
        if (!of) return false;
        lanes_fill32(warp_at(warp, step->d), answer(of, step->insn->variant), lanes);
    }
    return true;
}
