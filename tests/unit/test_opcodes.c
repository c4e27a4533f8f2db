/* opcodes.def against what is made of it: an instruction that was added by halves fails here by name. What a compiler can find, it finds:
 * a name that stands twice or both as OP and as REFUSED, a row of the ALU for no OP, an OP that machine/lower.c has no step for. */
#include <glob.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "machine/alu_lanes.h"
#include "ptx/opcode.h"
#include "ptx/parser.h"
#include "suite.h"

#define G(name) (UINT64_C(1) << GROUP_##name)

static const AluTable *const tables[] = {&alu_int_table,    &alu_bits_table,   &alu_compare_table,
                                         &alu_float_table,  &alu_approx_table, &alu_half_table,
                                         &alu_packed_table, &alu_cvt_table,    &alu_convert_table};

enum { TABLES = sizeof tables / sizeof *tables };

#define EACH_ROW(row)                        \
    for (unsigned t_ = 0; t_ < TABLES; t_++) \
        for (const AluRow *row = tables[t_]->rows; row < tables[t_]->rows + tables[t_]->count; row++)

#define EACH_ALU_OPCODE(op)                  \
    for (Opcode op = 0; op < OP_COUNT; op++) \
        if (opcode_classes[op] == CLASS_ALU)

START_TEST(each_opcode_says_how_its_operands_are_read)
{
    for (Opcode op = 0; op < OP_COUNT; op++) {
        const char *name = opcode_names[op], *letters = opcode_operands[op];
        const Form *form = &opcode_forms[op];
        ck_assert_msg(!letters == !!form->special, "opcodes.def: '%s' has letters for its operands, or NULL and BY(…)", name);
        if (!letters) continue;
        ck_assert_msg(strspn(letters, "dwPaAxupnivm|?") == strlen(letters),
                      "opcodes.def: '%s': a letter of \"%s\" means nothing", name, letters);
        ck_assert_msg(!strpbrk(letters, "daxv") || form->types[0] || form->type,
                      "opcodes.def: '%s': a letter of \"%s\" wants a type, OF or AS", name, letters);
        ck_assert_msg(!strchr(letters, 'A') || form->types[1], "opcodes.def: '%s': A of \"%s\" wants a second type, OF(…, …)",
                      name, letters);
        ck_assert_msg(!(form->required & G(FLAG)) || form->flags, "opcodes.def: '%s': MUST(G(FLAG)) wants FLAGS(…)", name);
        ck_assert_msg(opcode_classes[op] != CLASS_NOTHING || !strpbrk(letters, "dwP"),
                      "opcodes.def: '%s' is NOTHING and has a destination, which nothing would write", name);
        ck_assert_msg(opcode_classes[op] != CLASS_ALU || strchr("dwP", letters[0]), "opcodes.def: '%s' has no destination",
                      name);
    }
}
END_TEST

/* -- rows of the ALU */

/* What rows and forms both say: types, flags, and modifiers of the groups that become fields of an Insn. */
enum { FIELD_MODE, FIELD_ROUNDING, FIELD_COMPARE, FIELD_VARIANT, FIELDS };
static const uint64_t field_groups[FIELDS] = {G(MODE), G(ROUND), G(COMPARE), G(SHIFT) | G(WRAP) | G(PRMT) | G(TESTP) | G(ATOM)};
static const char *const field_names[FIELDS] = {"MODE", "ROUND", "COMPARE", "SHIFT, WRAP, PRMT, TESTP or ATOM"};

/* The first of the flags, for messages. */
static const char *flag_name(unsigned flags) {
    static const char *const names[] = {"FTZ",         "SAT",      "CC",   "APPROX",  "FULL",  "UNI",  "NAN",
                                        "XORSIGN_ABS", "SHIFTAMT", "SYNC", "ALIGNED", "NOFTZ", "RELU", "UNIFIED"};
    return flags ? names[__builtin_ctz(flags)] : "";
}

static unsigned field(const AluRow *row, unsigned number) {
    const unsigned values[FIELDS] = {row->mode, row->rounding, row->compare, row->variant};
    return values[number];
}

START_TEST(each_row_of_the_alu_is_one_that_the_parser_lets_through)
{
    EACH_ROW(row) {
        const Form *form = &opcode_forms[row->op];
        const char *name = opcode_names[row->op], *type = type_names[row->type], *type2 = type_names[row->type2];
        ck_assert_msg(opcode_classes[row->op] == CLASS_ALU, "'%s' has a row in machine/alu_*.c and is no ALU in opcodes.def",
                      name);
        ck_assert_msg(form->types[0] >> row->type & 1,
                      "'%s' has a row for .%s in machine/alu_*.c, opcodes.def has no such type", name, type);
        ck_assert_msg(form->types[1] ? form->types[1] >> row->type2 & 1 : !row->type2,
                      "'%s.%s' has a row with the second type .%s in machine/alu_*.c, opcodes.def has no such type", name, type,
                      type2);
        ck_assert_msg(!(row->flags & ~form->flags),
                      "'%s.%s' has a row in machine/alu_*.c with INSN_%s, opcodes.def allows none", name, type,
                      flag_name(row->flags & ~form->flags));
        for (unsigned k = 0; k < FIELDS; k++) {
            ck_assert_msg(!field(row, k) || (form->groups | form->required) & field_groups[k],
                          "'%s.%s' has a row in machine/alu_*.c with a modifier of %s, opcodes.def allows none", name, type,
                          field_names[k]);
            ck_assert_msg(field(row, k) || !(form->required & field_groups[k]),
                          "'%s.%s' has a row in machine/alu_*.c without a modifier of %s, opcodes.def demands one", name, type,
                          field_names[k]);
        }
    }
}
END_TEST

START_TEST(what_the_parser_lets_through_has_rows_of_the_alu)
{
    EACH_ALU_OPCODE(op) {
        const Form *form = &opcode_forms[op];
        const char *name = opcode_names[op];
        uint32_t types[2] = {0};
        unsigned flags = 0, fields = 0;
        EACH_ROW(row) {
            if (row->op != op && !(op == OP_mad && row->op == OP_fma)) continue; /* of floats they are the same */
            types[0] |= UINT32_C(1) << row->type;
            types[1] |= UINT32_C(1) << row->type2;
            flags |= row->flags;
            for (unsigned k = 0; k < FIELDS; k++) fields |= (field(row, k) != 0) << k;
        }
        ck_assert_msg(types[0], "'%s' is an ALU in opcodes.def and has no row in machine/alu_*.c", name);
        for (unsigned n = 0; n < 2; n++)
            for (unsigned type = 1; type < TYPE_COUNT; type++)
                ck_assert_msg(!((form->types[n] & ~types[n]) >> type & 1),
                              "'%s' takes .%s%s in opcodes.def and has no row for it in machine/alu_*.c", name,
                              type_names[type], n ? " as second type" : "");
        ck_assert_msg(!(form->flags & ~flags), "'%s' takes INSN_%s in opcodes.def, no row in machine/alu_*.c has it", name,
                      flag_name(form->flags & ~flags));
        for (unsigned k = 0; k < FIELDS; k++)
            ck_assert_msg(fields >> k & 1 || !((form->groups | form->required) & field_groups[k]),
                          "'%s' takes modifiers of %s in opcodes.def, no row in machine/alu_*.c has one", name, field_names[k]);
    }
}
END_TEST

/* -- operands: rows read and write what the letters say, in number and width */

enum { OPERANDS = 5, TRIALS = 2000 };

/* Operands stand at the end of a page, behind which nothing can be touched. [0] is the destination. */
typedef struct Bench {
    uint8_t *ends[OPERANDS];
    unsigned lane_bytes[OPERANDS]; /* 0: a predicate */
    void *slots[OPERANDS];         /* NULL: no such operand */
    uint32_t imm, carry;
    uint64_t random;
} Bench;

static sigjmp_buf touched;
static void touch(int signal) { siglongjmp(touched, signal); }

static void bench_open(Bench *bench) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    memset(bench, 0, sizeof *bench);
    bench->random = 1;
    for (unsigned k = 0; k < OPERANDS; k++) {
        uint8_t *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        ck_assert(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0);
        bench->ends[k] = pages + page;
    }
    signal(SIGSEGV, touch);
    signal(SIGBUS, touch);
}

static uint64_t bench_random(Bench *bench) {
    bench->random ^= bench->random << 13;
    bench->random ^= bench->random >> 7;
    return bench->random ^= bench->random << 17;
}

/* Numbers at which something happens, of integers, halves, floats and doubles, or any bits. */
static uint64_t bench_value(Bench *bench) {
    static const uint64_t numbers[] = {0,
                                       1,
                                       3,
                                       31,
                                       0x3c00,
                                       0x7c00,
                                       0x80007fff,
                                       0x3c003c00,
                                       0x3f803f80,
                                       0x3f800000,
                                       0x7f800000,
                                       0x7fc00000,
                                       0xbf000000,
                                       0xffffffffffffffff,
                                       0x3ff0000000000000,
                                       0xbfe0000000000000,
                                       0x7ff0000000000000,
                                       0x7ff8000000000000};
    const uint64_t random = bench_random(bench), which = bench_random(bench) >> 32;
    return which & 1 ? random : numbers[(which >> 1) % (sizeof numbers / sizeof *numbers)];
}

static void bench_fill(Bench *bench, unsigned k, unsigned lane) {
    const uint64_t value = bench_value(bench);
    if (bench->lane_bytes[k])
        memcpy((uint8_t *)bench->slots[k] + lane * bench->lane_bytes[k], &value, bench->lane_bytes[k]);
    else
        *(uint32_t *)bench->slots[k] ^= (uint32_t)(value & 1) << lane;
}

/* The destination's last lane; false when something else than the operands was touched. */
static bool bench_run(Bench *bench, Alu *alu, uint64_t *last) {
    const unsigned bytes = bench->lane_bytes[0];
    uint32_t carry = bench->carry;
    const AluMore more = {.c = bench->slots[3], .e = bench->slots[4], .imm = bench->imm, .carry = &carry};
    if (sigsetjmp(touched, 1)) return false;
    memset(bench->slots[0], 0, bytes ? WARP_LANES * bytes : sizeof carry);
    alu(bench->slots[0], bench->slots[1], bench->slots[2], LANES_ALL, &more);
    *last = 0;
    if (bytes)
        memcpy(last, (uint8_t *)bench->slots[0] + (WARP_LANES - 1) * bytes, bytes);
    else
        *last = *(uint32_t *)bench->slots[0] >> (WARP_LANES - 1);
    return true;
}

/* The operands of a row: those that may be missing are there when something is to be done with them. */
static void bench_lay(Bench *bench, const AluRow *row, char letters[OPERANDS]) {
    const Insn insn = {.op = row->op, .type = row->type, .type2 = row->type2, .mode = row->mode, .n_dst = 1};
    const bool packs = (row->type == TYPE_f16x2 || row->type == TYPE_bf16x2) && row->type2 == TYPE_f32;
    memset(bench->slots, 0, sizeof bench->slots);
    for (unsigned k = 0; k < OPERANDS; k++) {
        letters[k] = insn_letter(&insn, k);
        const bool missing =
            letters[k] == 'i' || (letters[k] == 'n' && !row->boolop) || (row->op == OP_cvt && k == 2 && !packs);
        if (!letters[k] || missing) {
            letters[k] = 0;
            continue;
        }
        const Type type = insn_letter_type(&insn, letters[k]);
        bench->lane_bytes[k] = type == TYPE_pred ? 0 : type_bytes[type] == 8 ? 8 : 4;
        bench->slots[k] = bench->ends[k] - (type == TYPE_pred ? sizeof(uint32_t) : WARP_LANES * bench->lane_bytes[k]);
    }
}

START_TEST(rows_of_the_alu_read_and_write_the_operands_that_the_letters_give)
{
    static uint8_t matters[OP_COUNT][TYPE_COUNT][TYPE_COUNT]; /* bit k: operand k decided the last lane in some row */
    Bench bench;
    bench_open(&bench);
    for (unsigned again = 0; again < 2; again++) { /* rows for the same types complete each other */
        EACH_ROW(row) {
            char letters[OPERANDS];
            uint8_t *seen = &matters[row->op][row->type][row->type2];
            bench_lay(&bench, row, letters);
            unsigned all = 0;
            for (unsigned k = 1; k < OPERANDS; k++) all |= (letters[k] != 0) << k;
            for (unsigned trial = 0; !trial || (trial < TRIALS && (all & ~*seen)); trial++) {
                uint64_t before, after;
                bench.imm = (uint32_t)bench_random(&bench) & 0xff;
                bench.carry = (uint32_t)bench_random(&bench);
                for (unsigned k = 1; k < OPERANDS; k++)
                    for (unsigned lane = 0; letters[k] && lane < WARP_LANES; lane++) bench_fill(&bench, k, lane);
                const bool fits = bench_run(&bench, row->alu, &before);
                ck_assert_msg(fits, "'%s.%s': a row in machine/alu_*.c touches more than the operands \"%s\" of opcodes.def",
                              opcode_names[row->op], type_names[row->type], opcode_operands[row->op]);
                for (unsigned k = 1; k < OPERANDS; k++) {
                    if (!letters[k] || *seen >> k & 1) continue;
                    bench_fill(&bench, k, WARP_LANES - 1);
                    if (bench_run(&bench, row->alu, &after) && after != before) *seen |= (uint8_t)(1 << k);
                    before = after;
                }
            }
            for (unsigned k = 1; again && k < OPERANDS; k++)
                ck_assert_msg(
                    !letters[k] || *seen >> k & 1,
                    "'%s.%s': no row in machine/alu_*.c does anything with the last lane of source %u, '%c' of \"%s\" in "
                    "opcodes.def: is it as wide?",
                    opcode_names[row->op], type_names[row->type], k, letters[k], opcode_operands[row->op]);
        }
    }
}
END_TEST

/* -- what holds them */

static void see_programs(bool *seen) {
    glob_t found;
    ck_assert_int_eq(glob("tests/ptx/*.ptx", 0, NULL, &found), 0);
    for (size_t f = 0; f < found.gl_pathc; f++) {
        size_t length;
        FREED char *text = text_read_file(found.gl_pathv[f], 1 << 20, &length);
        Program *program = program_parse(text, length, found.gl_pathv[f], &(Diag){0}); /* some are to be refused */
        for (uint32_t i = 0; program && i < program->n_insns; i++) seen[program->insns[i].op] = true;
        if (program) program_free(program);
    }
    globfree(&found);
}

/* ptxas.txt has a line for each opcode whose forms were computed by a GPU: its name and what of them. */
START_TEST(each_opcode_has_a_test_of_what_it_does)
{
    bool seen[OP_COUNT] = {false};
    FREED char *computed = text_read_file("tests/conformance/ptxas.txt", 1 << 24, NULL);
    ck_assert(computed);
    see_programs(seen);
    for (Opcode op = 0; op < OP_COUNT; op++) {
        LOCAL_TEXT line = text_from("\n%s ", opcode_names[op]);
        ck_assert_msg(seen[op] || strstr(computed, line.data),
                      "'%s': no tests/ptx/NAME.ptx has it and says what comes of it, nor does tests/conformance/ptxas.txt",
                      opcode_names[op]);
    }
}
END_TEST

SUITE("opcodes", each_opcode_says_how_its_operands_are_read, each_row_of_the_alu_is_one_that_the_parser_lets_through,
      what_the_parser_lets_through_has_rows_of_the_alu, rows_of_the_alu_read_and_write_the_operands_that_the_letters_give,
      each_opcode_has_a_test_of_what_it_does)
