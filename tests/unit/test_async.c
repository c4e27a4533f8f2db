/* Asynchronous copies whose shared memory is touched before somebody has waited for them (observe/async_check.h): of each row exactly the steps with a '!'
 * behind them are told. By hand from the PTX ISA: cp.async, cp.async.mbarrier.arrive, cp.async.bulk, the asynchronous proxy. */
#include "observe/async_check.h"

#include <string.h>

#include "parsed.h"
#include "ptx/opcode.h"

/* A step. T: a thread, 0 to 9 lanes of warp 0, a to f those of warp 1; W: a word of shared memory; M: an mbarrier.
 *   rW sW       lane 9 of warp 0 reads, stores           cTW       copies the word            mT        commits
 *   wTN ZT      waits for all but N groups, for all      aTM       ties what it has begun to the phase that is going on
 *   tMN         somebody has waited until N phases of the mbarrier were over
 *   bWM oW      a bulk copy into four words, on the mbarrier, in its first phase; out of them   k gN GN  commits these, waits for all but N (.read)
 *   xW yW f     a bulk copy's reading, its writing of four words; a fence of its proxy          n  another block    e  the block ends */
static const char *const rows[] = {
    /* groups */
    "c00 r0!",
    "c00 s0!",
    "c00 r1",
    "c00 Z0 r0 s0",
    "c00 Z1 r0!",
    "c00 Za r0!",
    "ca0 Za r0",
    "ca0 Z0 r0!",
    "c00 Z0 c00 r0!",
    "c00 m0 w00 r0",
    "c00 w00 r0!",
    "c00 m1 w00 r0!",
    "c00 m0 w10 r0!",
    "c00 m0 w01 r0!",
    "c00 m0 c01 m0 w01 r0 r1!",
    "c00 m0 c01 m0 w00 r0 r1",
    "c00 m0 m0 w01 r0",
    "c00 m0 c00 w00 r0!",
    "c00 c11 Z0 r0 r1!",
    "c00 m0 c01 Z0 r0 r1",
    /* mbarriers */
    "c00 a00 t01 r0",
    "c00 a00 t00 r0!",
    "c00 a00 t11 r0!",
    "c00 t01 r0!",
    "c00 a10 t01 r0!",
    "c00 aa0 t01 r0!",
    "c00 c01 a00 t01 r0 r1",
    "c00 a00 c01 t01 r0 r1!",
    "c00 a00 c01 a01 t11 r0 r1",
    "c00 a00 c01 a01 t01 r0 r1!",
    "c00 a00 c11 a11 t11 r1 r0!",
    "c00 a00 Z0 r0",
    "c00 a00 m0 w00 r0",
    /* bulk copies in */
    "b00 r0!",
    "b00 r3!",
    "b00 r4",
    "b00 t01 r0",
    "b00 t00 r0!",
    "b00 t11 r0!",
    "b00 Z0 r0!",
    "b00 k g0 r0!",
    "b00 k G0 r0!",
    "c04 a00 b00 t01 r0 r4",
    "c04 b00 a00 t01 r0 r4",
    "c04 b01 t11 r0 r4!",
    /* and out */
    "o0 r0",
    "o0 s0!",
    "o0 s3!",
    "o0 s4",
    "o0 g0 s0!",
    "o0 k g0 s0",
    "o0 k G0 s0",
    "o0 k g1 s0!",
    "o0 k o4 k g1 s0 s4!",
    "o0 m0 w00 s0!",
    "o0 Z0 s0!",
    "c00 k g0 r0!",
    "o0 t01 s0!",
    /* at the block's end */
    "c00 e",
    "b00 e!",
    "b00 t01 e",
    "o0 e!",
    "o0 k e!",
    "o0 k g0 e",
    "e",
    /* what is stored goes another way than what is copied */
    "s0 x0!",
    "s3 x0!",
    "s4 x0",
    "x0",
    "s0 f x0",
    "f s0 x0!",
    "s0 f s0 x0!",
    "s0 f s1 x0!",
    "s0 y0 x0",
    "y0 s0 x0!",
    "r0 x0",
    "s0 y0",
    /* another block */
    "c00 n r0",
    "s0 n x0",
    "c00 m0 n c00 w00 r0!",
    "b00 n r0",
    "b00 n e",
};

enum { LOADS, STORES, COPIES, BULK, OTHER };

static const char text[] = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<9>; .reg .b64 "
                           "%d; .shared .align 16 .b32 tile[64];\n"
                           "ld.shared.u32 %r1, [tile]; st.shared.u32 [tile], %r1; cp.async.ca.shared.global [tile], [%d], 4;\n"
                           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d], 16, [tile+128]; "
                           "cp.async.wait_all;\nret;\n}\n";
static Program *program;
static AsyncCheck *check;
static FindingLog nothing;
static uint32_t dim[3] = {64, 1, 1};
static Fault fault;

static void begin(void) {
    program = parsed(text);
    check = async_check_new(prepared(program, "k"), &nothing);
    async_check_block(check, 0, 512);
    fault = (Fault){0};
}

static void end(void) {
    async_check_free(check);
    program_free(program);
}

static Place place_of(char thread) { return (Place){.warp = thread >= 'a', .threads = 64, .block_dim = dim}; }
static unsigned lane_of(char thread) { return (unsigned)(thread >= 'a' ? thread - 'a' : thread - '0'); }
static unsigned digit(char digit) { return (unsigned)(digit - '0'); }

static bool touch(uint32_t pc, AccessKind kind, char thread, unsigned word, unsigned bytes) {
    Access access = {
        .pc = pc, .space = SPACE_SHARED, .kind = (uint8_t)kind, .bytes = (uint8_t)bytes, .active = 1u << lane_of(thread)};
    const Place place = place_of(thread);
    access.addr[lane_of(thread)] = 4 * word;
    return async_check_access(check, &place, &access, &fault);
}

static bool tell(uint8_t variant, char thread, AsyncEvent event) {
    const Place place = place_of(thread);
    event.variant = variant;
    event.lanes = 1u << lane_of(thread);
    if (!event.pc) event.pc = OTHER;
    async_check_event(check, NULL, &place, &event);
    return true;
}

static bool ends(void) {
    const Place place = place_of('0');
    return async_check_block_end(check, &place, &fault);
}

static AsyncEvent bulk(bool in, unsigned word, unsigned barrier) {
    return (AsyncEvent){.pc = BULK,
                        .to = in ? 4 * word : 0x1000,
                        .from = in ? 0x1000 : 4 * word,
                        .bytes = 16,
                        .tied = in,
                        .to_space = in ? SPACE_SHARED : SPACE_GLOBAL,
                        .from_space = in ? SPACE_GLOBAL : SPACE_SHARED,
                        .barrier = 128 + 8 * barrier};
}

static bool step(const char *at) {
    switch (at[0]) {
    case 'r': return touch(LOADS, ACCESS_LOAD, '9', digit(at[1]), 4);
    case 's': return touch(STORES, ACCESS_STORE, '9', digit(at[1]), 4);
    case 'c': return touch(COPIES, ACCESS_STORE, at[1], digit(at[2]), 4);
    case 'x': return touch(BULK, ACCESS_LOAD, '0', digit(at[1]), 16);
    case 'y': return touch(BULK, ACCESS_STORE, '0', digit(at[1]), 16);
    case 'm': return tell(CP_ASYNC_COMMIT, at[1], (AsyncEvent){0});
    case 'w': return tell(CP_ASYNC_WAIT_GROUP, at[1], (AsyncEvent){.left = digit(at[2])});
    case 'Z': return tell(CP_ASYNC_WAIT_ALL, at[1], (AsyncEvent){0});
    case 'a': return tell(CP_ASYNC_ARRIVE, at[1], (AsyncEvent){.barrier = 128 + 8 * digit(at[2])});
    case 't': return tell(MBARRIER_TEST_WAIT, '7', (AsyncEvent){.barrier = 128 + 8 * digit(at[1]), .phase = digit(at[2])});
    case 'b': return tell(BULK_COPY, '0', bulk(true, digit(at[1]), digit(at[2])));
    case 'o': return tell(BULK_COPY, '0', bulk(false, digit(at[1]), 0));
    case 'k': return tell(BULK_COMMIT, '0', (AsyncEvent){0});
    case 'g': return tell(BULK_WAIT_GROUP, '0', (AsyncEvent){.left = digit(at[1])});
    case 'G': return tell(BULK_WAIT_GROUP_READ, '0', (AsyncEvent){.left = digit(at[1])});
    case 'f': return tell(PROXY_ASYNC, '0', (AsyncEvent){0});
    case 'n': return async_check_block(check, 0, 512), true;
    }
    return ends();
}

START_TEST(each_row_is_told_where_it_says)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin();
        for (const char *at = rows[i]; *at; at += strcspn(at, " "), at += *at == ' ') {
            const bool fine = step(at), told = at[strcspn(at, " !")] == '!';
            ck_assert_msg(fine == !told, "%.4s in %s: %s", at, rows[i], fine ? "not told" : fault.message);
            ck_assert(fine || fault.kind == FAULT_shared_race);
            fault = (Fault){0};
        }
        end();
    }
}
END_TEST

/* The last step's. */
START_TEST(what_helps_depends_on_the_copy)
{
    static const struct {
        const char *steps, *says, *hint;
    } said[] = {
        {"c35 r5", "lane 9 of warp 0 reads shared memory at byte 20, which an asynchronous copy of lane 3 of warp 0 fills",
         "__pipeline_wait_prior(0)"},
        {"cb5 s5", "writes shared memory at byte 20, which an asynchronous copy of lane 1 of warp 1 fills",
         "__pipeline_wait_prior(0)"},
        {"b01 r2", "reads shared memory at byte 8, which a bulk copy of lane 0 of warp 0 fills",
         "phase 0 (parity 0) of the mbarrier at byte 136"},
        {"o0 s2", "which a bulk copy of lane 0 of warp 0 reads", "cp.async.bulk.commit_group"},
        {"b00 t00 r0", "fills", "was for the phase before the first"},
        {"b00 t10 r0", "fills", "phase 0 (parity 0) of the mbarrier at byte 128"}, /* who waited for another */
        {"c00 a00 r0", "fills", "phase 0 (parity 0) of the mbarrier at byte 128"},
        {"s4 x4", "has shared memory copied at byte 16, which lane 9 of warp 0 wrote with no fence.proxy.async since",
         "fence.proxy.async"},
        {"b40 e", "lane 0 of warp 0 has begun a bulk copy that fills shared memory at byte 16, and the block has ended",
         "mbarrier at byte 128"},
    };
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        begin();
        for (const char *at = said[i].steps; *at; at += strcspn(at, " "), at += *at == ' ') step(at);
        ck_assert_msg(strstr(fault.message, said[i].says), "%s: %s", said[i].steps, fault.message);
        ck_assert_msg(strstr(fault.hint, said[i].hint), "%s: %s", said[i].steps, fault.hint);
        end();
    }
    begin(); /* who ended the launch could not wait any more */
    step("b00");
    fault.kind = FAULT_out_of_bounds;
    ck_assert(ends());
    end();
}
END_TEST

SUITE("async", each_row_is_told_where_it_says, what_helps_depends_on_the_copy)
