/* Undefined bits of memory that was written (observe/overlay.h): who leaves them, who takes them, and what becomes of them. */
#include "observe/overlay.h"

#include <string.h>

#include "parsed.h"

static Program *program;
static Origins *origins;
static Memory *memory;
static Undefined undefined;
static Place place;
static uint32_t dim[3] = {32, 1, 1};

static void begin(void) {
    program = parsed(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<9>; .reg .b64 %d;\n"
        "ld.global.u32 %r1, [%d]; st.global.u32 [%d], %r1; st.shared.u32 [%r2], %r1; ld.shared.u32 %r3, [%r2];\nret;\n}\n");
    origins = origins_new(prepared(program, "k"));
    memory = memory_new();
    place = (Place){.threads = 32, .block_dim = dim};
}

static void end(void) {
    origins_free(origins);
    memory_free(memory);
    program_free(program);
}

/* One lane's: bits of each of its bytes, NULL: none is undefined. What a load finds. */
static Access access_of(uint8_t space, AccessKind kind, unsigned lane, uint64_t address, unsigned bytes, const uint8_t *bits) {
    Access access = {
        .pc = kind == ACCESS_STORE, .space = space, .kind = (uint8_t)kind, .bytes = (uint8_t)bytes, .active = 1u << lane};
    access.addr[lane] = address;
    undefined.any = bits;
    undefined.origin = (Origin){.pc = 1, .kind = ORIGIN_REGISTER};
    memset(undefined.bits, 0, sizeof undefined.bits);
    if (bits) memcpy(undefined.bits + lane * bytes, bits, bytes);
    access.undefined = &undefined;
    return access;
}

/* A lane's undefined bits after it has loaded. */
static void finds(unsigned lane, unsigned bytes, const uint8_t *bits) {
    for (unsigned b = 0; b < bytes; b++) {
        const uint8_t found = undefined.any ? undefined.bits[lane * bytes + b] : 0;
        ck_assert_msg(found == bits[b], "byte %u: %x, not %x", b, found, bits[b]);
    }
}

#define BITS(...) ((const uint8_t[]){__VA_ARGS__})

START_TEST(what_is_stored_undefined_in_global_memory_is_loaded_so)
{
    Allocation *out = memory_allocate(memory, 256, "out", false), *other = memory_allocate(memory, 256, "other", false);
    Access access = access_of(SPACE_GLOBAL, ACCESS_STORE, 3, out->address + 8, 4, BITS(0, 0xff, 0x0f, 0));
    overlay_global(memory, origins, &place, &access);
    ck_assert(out->undefined && !other->undefined);
    access = access_of(SPACE_GLOBAL, ACCESS_LOAD, 5, out->address + 8, 4, NULL);
    overlay_global(memory, origins, &place, &access);
    finds(5, 4, BITS(0, 0xff, 0x0f, 0));
    access = access_of(SPACE_GLOBAL, ACCESS_LOAD, 5, out->address + 6, 4, NULL); /* the bytes beside */
    overlay_global(memory, origins, &place, &access);
    finds(5, 4, BITS(0, 0, 0, 0xff));
    access = access_of(SPACE_GLOBAL, ACCESS_STORE, 3, out->address + 9, 1, NULL); /* one byte is defined now */
    overlay_global(memory, origins, &place, &access);
    access = access_of(SPACE_GLOBAL, ACCESS_LOAD, 5, out->address + 8, 4, NULL);
    overlay_global(memory, origins, &place, &access);
    finds(5, 4, BITS(0, 0, 0x0f, 0));
    access = access_of(SPACE_GLOBAL, ACCESS_ATOMIC, 3, out->address + 8, 4, NULL); /* it defines what it writes */
    overlay_global(memory, origins, &place, &access);
    access = access_of(SPACE_GLOBAL, ACCESS_LOAD, 5, out->address + 8, 4, NULL);
    overlay_global(memory, origins, &place, &access);
    finds(5, 4, BITS(0, 0, 0, 0));
    access = access_of(SPACE_GLOBAL, ACCESS_LOAD, 5, other->address + 8, 4, NULL);
    overlay_global(memory, origins, &place, &access);
    finds(5, 4, BITS(0, 0, 0, 0));
}
END_TEST

/* Lanes in two allocations, one of which has an overlay, and one in none. */
START_TEST(each_lane_is_looked_up_in_its_own_allocation)
{
    Allocation *out = memory_allocate(memory, 256, "out", false), *other = memory_allocate(memory, 256, "other", false);
    Access access = access_of(SPACE_GLOBAL, ACCESS_STORE, 0, other->address + 4, 4, BITS(0xff, 0xff, 0xff, 0xff));
    overlay_global(memory, origins, &place, &access);
    access = access_of(SPACE_GLOBAL, ACCESS_LOAD, 0, out->address + 4, 4, NULL);
    access.active = 0xf;
    access.addr[1] = other->address + 4, access.addr[2] = UINT64_MAX - 3, access.addr[3] = out->address;
    overlay_global(memory, origins, &place, &access);
    finds(0, 4, BITS(0, 0, 0, 0));
    finds(1, 4, BITS(0xff, 0xff, 0xff, 0xff));
    finds(3, 4, BITS(0, 0, 0, 0));
}
END_TEST

static SharedOverlay overlay;

static void share(AccessKind kind, uint64_t address, const uint8_t *bits) {
    const Access access = access_of(SPACE_SHARED, kind, 2, address, 4, bits);
    shared_overlay_access(&overlay, origins, &place, &access);
}

static const uint8_t none[4], all[4] = {0xff, 0xff, 0xff, 0xff};

START_TEST(shared_memory_keeps_where_its_bits_come_from)
{
    overlay = (SharedOverlay){0};
    shared_overlay_block(&overlay, 64);
    share(ACCESS_STORE, 8, NULL);
    ck_assert(!overlay.bits); /* it costs nothing before it must */
    share(ACCESS_STORE, 8, all);
    share(ACCESS_LOAD, 8, NULL);
    finds(2, 4, all);
    ck_assert(undefined.origin.kind == ORIGIN_REGISTER && undefined.origin.pc == 1);
    share(ACCESS_LOAD, 4, NULL);
    finds(2, 4, none);
    share(ACCESS_STORE, 8, NULL);
    share(ACCESS_LOAD, 8, NULL);
    finds(2, 4, none);
    shared_overlay_free(&overlay);
}
END_TEST

/* Blocks come one after the other into its place, with more memory or less: none finds what another has left, and each has room to its last byte. */
START_TEST(a_block_finds_nothing_of_the_one_before)
{
    static const uint32_t sizes[] = {64, 64, 4096, 128, 4096, 8192, 0, 64};
    overlay = (SharedOverlay){0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        shared_overlay_block(&overlay, sizes[i]);
        ck_assert(!overlay.any);
        for (uint64_t at = 0; at + 4 <= sizes[i]; at += sizes[i] - 4) {
            share(ACCESS_LOAD, at, NULL);
            finds(2, 4, none);
        }
        for (uint64_t at = 0; at + 4 <= sizes[i]; at += sizes[i] - 4) {
            share(ACCESS_STORE, at, all);
            ck_assert_uint_ge(overlay.bytes, sizes[i]);
            share(ACCESS_LOAD, at, NULL);
            finds(2, 4, all);
        }
    }
    shared_overlay_block(&overlay, 64); /* and whoever writes undefined bits elsewhere */
    share(ACCESS_STORE, 8, all);
    share(ACCESS_LOAD, 0, NULL);
    finds(2, 4, none);
    shared_overlay_free(&overlay);
}
END_TEST

SUITE_WITH("overlay", begin, end, what_is_stored_undefined_in_global_memory_is_loaded_so,
           each_lane_is_looked_up_in_its_own_allocation, shared_memory_keeps_where_its_bits_come_from,
           a_block_finds_nothing_of_the_one_before)
