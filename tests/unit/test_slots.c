/* Registers that are never live together share a slot, all others have their own (machine/slots.h). */
#include <string.h>

#include "machine/slots.h"
#include "parsed.h"

enum {
    WIDE = 256,
    WORD = 128,
    MASK = 4
}; /* bytes of 32 lanes of 64 bits, of 32, of a predicate; the sum is rounded up to 64 */

typedef struct Assigned {
    Program *program;
    Arena *arena;
    Slot *slots;
    uint32_t bytes;
    bool undefined;
} Assigned;

/* The kernel is the second function, so that its instructions do not begin at 0. */
static Assigned assign(const char *body) {
    Assigned found = {.arena = arena_new()};
    found.program =
        parsed_of(".version 7.0\n.target sm_75\n.address_size 64\n.func f() { ret; }\n.entry k(.param .u64 at) {\n"
                  ".reg .pred p, q; .reg .b32 r0, r1, r2, r3; .reg .b64 d0, d1, d2;\nt: .branchtargets L, M;\n%s }\n",
                  body);
    CodeFunction lowered = {0};
    found.slots =
        slots_assign(kernel_prepare(found.program, &found.program->functions[1]), 1, found.arena, &lowered, &found.undefined);
    found.bytes = lowered.frame_slots_bytes;
    return found;
}

static void assigned_free(Assigned *found) {
    program_free(found->program);
    arena_free(found->arena);
}

static Slot slot(const Assigned *found, const char *name) {
    const Function *function = &found->program->functions[1];
    for (uint32_t r = 0; r < function->n_registers; r++)
        if (!strcmp(function->registers[r].name, name)) return found->slots[r];
    ck_abort_msg("no register '%s'", name);
    return NO_SLOT;
}

#define TAIL " L: ret; M: ret;"

START_TEST(registers_share_slots_where_none_needs_the_other)
{
    static const struct {
        const char *body, *a, *b;
        bool same;
    } rows[] = {
        /* a destination takes the slot of a source that is read for the last time, of arithmetic and moves alone */
        {"mov.u32 r0, 1; add.u32 r1, r0, 1; st.global.u32 [8], r1;" TAIL, "r0", "r1", true},
        {"mov.u32 r0, 1; mov.u32 r1, r0; st.global.u32 [8], r1;" TAIL, "r0", "r1", true},
        {"ld.param.u64 d0, [at]; ld.global.u64 d1, [d0]; st.global.u64 [8], d1;" TAIL, "d0", "d1", false},
        {"mov.u32 r0, 1; shfl.sync.idx.b32 r1, r0, 0, 31, -1; st.global.u32 [8], r1;" TAIL, "r0", "r1", false},
        /* read once more */
        {"mov.u32 r0, 1; add.u32 r1, r0, 1; add.u32 r2, r1, r0; st.global.u32 [8], r2;" TAIL, "r0", "r1", false},
        /* widths do not mix */
        {"mov.u32 r0, 1; cvt.u64.u32 d0, r0; st.global.u64 [8], d0;" TAIL, "r0", "d0", false},
        /* one after the other */
        {"mov.u32 r0, 1; st.global.u32 [8], r0; mov.u32 r1, 2; st.global.u32 [8], r1;" TAIL, "r0", "r1", true},
        /* in a loop a value from before it is needed until its end, also behind its last reading */
        {"mov.u32 r0, 1; L: st.global.u32 [8], r0; mov.u32 r1, 2; st.global.u32 [8], r1; setp.eq.u32 p, r1, 3; @p bra L; M: "
         "ret;",
         "r0", "r1", false},
        /* not so one that each iteration writes first */
        {"L: mov.u32 r0, 1; st.global.u32 [8], r0; mov.u32 r1, 2; st.global.u32 [8], r1; setp.eq.u32 p, r1, 3; @p bra L; M: "
         "ret;",
         "r0", "r1", true},
        /* a table leads back as a branch does */
        {"mov.u32 r0, 1; L: st.global.u32 [8], r0; mov.u32 r1, 2; st.global.u32 [8], r1; brx.idx r1, t; M: ret;", "r0", "r1",
         false},
        /* a guard is read; what a guarded instruction writes may be the value of before */
        {"mov.u32 r2, 1; setp.eq.u32 p, r2, 1; setp.eq.u32 q, r2, 2; @p st.global.u32 [8], r2; @q st.global.u32 [8], r2;" TAIL,
         "p", "q", false},
        {"mov.u32 r0, 1; setp.eq.u32 p, r0, 1; L: mov.u32 r1, 7; st.global.u32 [8], r1; @p mov.u32 r0, 2; st.global.u32 [8], "
         "r0; @p bra L; M: ret;",
         "r0", "r1", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Assigned found = assign(rows[i].body);
        ck_assert_msg((slot(&found, rows[i].a) == slot(&found, rows[i].b)) == rows[i].same, "%s: %s and %s", rows[i].body,
                      rows[i].a, rows[i].b);
        assigned_free(&found);
    }
}
END_TEST

START_TEST(a_frame_has_as_many_slots_as_are_live_at_once)
{
    static const struct {
        const char *body;
        uint32_t wide, words, masks;
    } rows[] = {
        {"ret;" TAIL, 1, 1, 1}, /* at least one each */
        {"mov.u32 r0, 1; mov.u32 r1, 2; mov.u32 r2, 3; add.u32 r3, r0, r1; add.u32 r3, r3, r2; st.global.u32 [8], r3;" TAIL, 1,
         3, 1},
        {"mov.u64 d0, 1; mov.u64 d1, 2; add.u64 d2, d0, d1; st.global.u64 [8], d2;" TAIL, 2, 1, 1},
        {"mov.u32 r0, 1; setp.eq.u32 p, r0, 1; setp.eq.u32 q, r0, 2; and.pred p, p, q; @p st.global.u32 [8], r0;" TAIL, 1, 1,
         2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Assigned found = assign(rows[i].body);
        const uint32_t sum = rows[i].wide * WIDE + rows[i].words * WORD + rows[i].masks * MASK;
        ck_assert_msg(found.bytes == (sum + 63) / 64 * 64, "%s: %u bytes", rows[i].body, found.bytes);
        assigned_free(&found);
    }
}
END_TEST

START_TEST(reading_what_some_path_has_not_written_is_seen)
{
    static const struct {
        const char *body;
        bool undefined;
    } rows[] = {
        {"mov.u32 r0, 1; st.global.u32 [8], r0;" TAIL, false},
        {"st.global.u32 [8], r0;" TAIL, true},
        {"add.u32 r0, r0, 1;" TAIL, true},
        {"mov.u32 r1, 1; setp.eq.u32 p, r1, 1; @p mov.u32 r0, 1; st.global.u32 [8], r0;" TAIL, true},
        {"@p mov.u32 r0, 1;" TAIL, true},
        /* behind a branch, on the way that falls through, and on the other */
        {"mov.u32 r1, 1; setp.eq.u32 p, r1, 1; @p bra L; st.global.u32 [8], r0;" TAIL, true},
        {"mov.u32 r1, 1; setp.eq.u32 p, r1, 1; @p bra M; L: ret; M: st.global.u32 [8], r0; ret;", true},
        {"mov.u32 r1, 1; setp.eq.u32 p, r1, 1; @p bra M; mov.u32 r0, 1; L: st.global.u32 [8], r0; M: ret;", false},
        {"mov.u32 r1, 1; setp.eq.u32 p, r1, 1; @p bra L; mov.u32 r0, 1; L: st.global.u32 [8], r0; M: ret;", true},
        /* by a table's last target, and behind the branch, where an index beyond the table leads */
        {"mov.u32 r1, 1; brx.idx r1, t; L: ret; M: st.global.u32 [8], r0; ret;", true},
        {"mov.u32 r1, 1; brx.idx r1, t; st.global.u32 [8], r0;" TAIL, true},
        {"mov.u32 r1, 1; mov.u32 r0, 2; brx.idx r1, t; L: ret; M: st.global.u32 [8], r0; ret;", false},
        /* never reached */
        {"ret; st.global.u32 [8], r0;" TAIL, false},
        {"exit; st.global.u32 [8], r0;" TAIL, false},
        {"trap; st.global.u32 [8], r0;" TAIL, false},
        {"bra L; st.global.u32 [8], r0;" TAIL, false},
        {"mov.u32 r1, 1; setp.eq.u32 p, r1, 1; @p ret; st.global.u32 [8], r0;" TAIL, true},
        /* round a loop */
        {"mov.u32 r1, 1; setp.eq.u32 p, r1, 1; L: mov.u32 r0, 1; st.global.u32 [8], r0; @p bra L; M: ret;", false},
        {"mov.u32 r1, 1; setp.eq.u32 p, r1, 1; L: st.global.u32 [8], r0; mov.u32 r0, 1; @p bra L; M: ret;", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Assigned found = assign(rows[i].body);
        ck_assert_msg(found.undefined == rows[i].undefined, "%s", rows[i].body);
        assigned_free(&found);
    }
}
END_TEST

SUITE("slots", registers_share_slots_where_none_needs_the_other, a_frame_has_as_many_slots_as_are_live_at_once,
      reading_what_some_path_has_not_written_is_seen)
