/* forms.h: what src/ptx/opcodes.def lets be written, as text: each combination of an opcode's types and modifiers, and near misses. An
 * opcode whose operands have letters there needs nothing here; the others (mov, memory, barriers) are written by hand in shapes.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ptx/parser.h"

enum { LINE_SOURCES = 5, LINE_RESULTS = 4, LINE_VARIANTS = 260 };

/* One combination. */
typedef struct Candidate {
    Insn insn;     /* op, types, mode, flags and so on, as far as the operands depend on them */
    char name[96]; /* "add.rn.f32" */
    Type types[FORM_TYPES];
    uint64_t groups; /* it has a word of these */
    bool beyond;     /* its row does not have these words: a near miss */
} Candidate;

typedef void CandidateVisit(void *self, const Candidate *candidate);

/* All combinations of an opcode's own words; then each of its own types, and each type there is, with one word too many. */
void candidates_each(unsigned op, CandidateVisit *visit, void *self);

/* What a source's values are taken from (operands.h). */
typedef enum List {
    LIST_I8,
    LIST_I16,
    LIST_I32,
    LIST_I64,
    LIST_F16,
    LIST_BF16,
    LIST_F32,
    LIST_F64,
    LIST_F16X2,
    LIST_BF16X2,
    LIST_I16X2,
    LIST_PRED,
    LIST_COUNT,
    LIST_LANE,
    LIST_OFFSET,
    LIST_CLAMP,
    LIST_MEMBERS,
    LIST_FEW,
    LIST_FEW64,
    LISTS
} List;

/* One instruction as it is written. Its sources stand in the registers %Xa … %Xe, its results go to %Xy, %Xz, %Xw and %Xv, where X is the
 * width: p, h (16 bits), r, q. What reaches memory has before it what fills that, and behind it what reads that. Each thread has 32 bytes of
 * its own at %G (global), %S (shared), %L (local), at %GS and %GL by their generic addresses, and constants at %C and %N. */
typedef struct Line {
    char text[176];               /* without the semicolon */
    char before[176], after[176]; /* whole instructions */
    uint8_t n_sources, n_results;
    uint8_t lists[LINE_SOURCES];     /* List */
    char source_width[LINE_SOURCES]; /* 'p', 'h', 'r', 'q' */
    char result_width[LINE_RESULTS];
    bool immediate; /* a source is a constant in the text */
    bool carries_in, carries_out;
    bool memory; /* uses the places */
    bool block;  /* all threads of a block must be there */
} Line;

/* The ways to write it: registers; each source as a constant; registers wider than the type; predicates negated. At least one. */
unsigned candidate_lines(const Candidate *candidate, Line lines[LINE_VARIANTS]);

/* Whether an opcode's lines are looked at. */
bool opcode_has_lines(unsigned op);

/* What lines name: declarations for a module's head, for a kernel's parameters, and for its body. */
extern const char line_module[], line_parameter[], line_registers[];
extern const char line_result_names[];
extern const uint64_t line_block[4]; /* what the parameter holds */

/* shapes.c: lines of opcodes whose operands have no letters. */
unsigned shape_lines(const Candidate *candidate, Line lines[LINE_VARIANTS]);
char line_width(Type type);
List line_list(Type type);
