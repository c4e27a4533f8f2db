/* parser.h: what the parts of the PTX parser share. Internal to src/ptx: others see program.h only.
 *   parser.c         tokens and errors; the module and its directives
 *   parse_linkage.c  modules that are linked
 *   parse_constant.c constant expressions
 *   parse_variable.c variables and their initialisers, registers
 *   parse_function.c function headers, bodies, scopes and labels
 *   parse_insn.c     an instruction: guard, opcode, modifiers, by opcodes.def
 *   parse_order.c    its order, scope and cache words
 *   parse_operand.c  its operands
 *   parse_async.c    asynchronous copies, mbarriers; parse_tensor.c: those of tensors
 *   parse_wmma.c     wmma and cvt.rna.tf32, by other instructions
 *   parse_special.c  instructions whose operands follow rules of their own: mov, memory, call, branches, barriers
 * Every function that returns bool returns false once an error stands in the Diag, and everything is left as it is then. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "ptx/lexer.h"
#include "ptx/program.h"
#include "ptx/symbols.h"

/* Bounds on what a text may ask for: far beyond what compilers write, low enough that no text can exhaust a machine. */
enum {
    MAX_TEXT_BYTES = 256 << 20,
    MAX_INIT_BYTES = 64 << 20, /* all initialisers of a module */
    MAX_FUNCTION_REGISTERS = 1 << 20,
    MAX_REGISTERS = 4 << 20, /* of a module */
    MAX_INSNS = 2 << 20,
    MAX_VARIABLES = 1 << 20,
    MAX_RELOCATIONS = 1 << 20,
    MAX_BRANCH_TARGETS = 4 << 20, /* the targets of each brx, added up */
    MAX_FUNCTIONS = 1 << 18,
    MAX_FORMALS = 4096,
    MAX_SCOPES = 128,
    MAX_DIMENSIONS = 16,
    MAX_OPERANDS = 40,
    MAX_LOCATIONS = 4 << 20,
    MAX_FILE_NUMBER = 1 << 16,
    MAX_ALIGN = 1 << 16,
    MAX_PARAM_BYTES = 32764,     /* PTX ISA: kernel parameters, from 8.1 on */
    MAX_CONST_BYTES = 640 << 10, /* PTX ISA: ten regions of 64 KiB */
    MAX_SHARED_BYTES = 1 << 20,
    MAX_LOCAL_BYTES = 512 << 10, /* a thread's local memory: CUDA programming guide, technical specifications */
};
#define MAX_GLOBAL_BYTES (UINT64_C(8) << 30) /* all .global variables of a module */

/* A branch to a label, until the scope that declares the label is left. */
typedef struct Fixup {
    struct Fixup *next;
    Token label;
    uint32_t insn;  /* whose target it is, or NO_INSN */
    uint32_t *slot; /* else: where the target goes */
} Fixup;

typedef struct Scope {
    size_t mark; /* of the symbols */
    uint64_t frame_at;
    Fixup *fixups;
} Scope;

/* A formal parameter or result as written, before it becomes a variable. */
typedef struct Formal {
    Token name; /* kind TOKEN_END when it has none */
    Type type;
    uint32_t align;
    uint64_t bytes;
    bool is_register; /* .reg: passed through a hidden .param variable */
} Formal;

typedef struct FormalList {
    Formal *params;
    size_t n_params;
    Formal result;
    bool has_result;
} FormalList;

/* What an indirect call may call. */
typedef struct Prototype {
    uint32_t n_params;
    const uint64_t *param_bytes;
    bool has_result;
    uint64_t result_bytes;
} Prototype;

/* The function whose body is being read. */
typedef struct Body {
    uint32_t function; /* NO_INDEX outside of functions */
    bool is_entry;
    size_t n_registers; /* in parser->registers */
    uint64_t frame_at, frame_bytes;
    uint32_t location;
    bool label_at_end; /* a label names the instruction that comes next */
    bool nounroll;     /* a pragma is of the loop that begins with it */
    uint32_t n_scopes;
    Scope scopes[MAX_SCOPES];
    uint32_t result_register, result_variable; /* `.func (.reg …)`: copied at each ret; NO_INDEX when there is none */
    Need need;                                 /* as in Function */
} Body;

/* Functions and variables that several modules, which are linked, have in common. */
typedef struct Exports {
    Symbols symbols;
    const char **definers; /* as symbols.symbols: the module with the definition, NULL until there is one */
    size_t n_definers;
} Exports;

typedef struct Parser {
    Lexer lexer;
    Token token; /* the current one, not yet consumed */
    Diag *diag;
    bool refuses;     /* the error is parser_refuse's */
    unsigned expands; /* reads what stands for one instruction, which is as old as that one: INSN_OF_WMMA or INSN_OF_TF32 */
    Program *program;
    Arena *arena;       /* the program's */
    Arena *scratch;     /* freed when parsing ends */
    Symbols symbols;    /* of the module being read */
    Exports *exports;   /* what modules share; NULL where there is one alone */
    uint32_t file_base; /* added to the module's file numbers */
    Body body;
    Register *registers; /* of the function being read */
    size_t n_registers_total;
    FormalList signature; /* reused from function to function */
    Prototype *prototypes;
    size_t n_prototypes;
    BranchTable *tables;
    size_t n_tables, n_branch_targets;
    uint32_t *location_buckets; /* by file, line and column: the newest such location */
    uint32_t *location_next;    /* another place's in the same bucket */
    size_t n_location_buckets;
    uint64_t init_bytes, global_bytes, const_bytes;
    uint8_t *init;           /* the initialiser being read */
    Relocation *relocations; /* in it */
    size_t n_relocations_total;
    struct Alias *aliases;
} Parser;

/* -- tokens and errors (parser.c) */

bool token_is(const Token *token, const char *text);
/* Sets the error at this token. Always false. Nothing happens when an error stands already, for instance the lexer's. */
bool parser_fail(Parser *parser, const Token *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same where the text is PTX, and not emulated: a function with that in its body is left out, and no kernel that reaches it can be launched. */
bool parser_refuse(Parser *parser, const Token *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool parser_fail_here(Parser *parser, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "… is expected here" with what stands there instead. */
bool parser_expected(Parser *parser, const char *what);
void parser_advance(Parser *parser);
bool parser_at(const Parser *parser, int punct);
bool parser_at_dot(const Parser *parser, const char *text);
bool parser_accept(Parser *parser, int punct);
bool parser_accept_dot(Parser *parser, const char *text);
bool parser_expect(Parser *parser, int punct);
bool parser_take_word(Parser *parser, const char *what, Token *word);
bool parser_take_dot(Parser *parser, const char *what, Token *word);
/* A constant expression with an integer value in 0 … max. */
bool parser_take_count(Parser *parser, const char *what, uint64_t max, uint64_t *value);

/* For messages: `"%.*s", TOKEN_TEXT(token)`. */
#define TOKEN_CLIP(length) ((int)((length) < 80 ? (length) : 80))
#define TOKEN_TEXT(token) TOKEN_CLIP((token)->length), (token)->text

/* -- constants (parse_constant.c) */

typedef struct Constant {
    uint8_t kind; /* TOKEN_INTEGER, TOKEN_SINGLE or TOKEN_DOUBLE */
    bool is_unsigned;
    uint64_t bits;
} Constant;

/* Whether the current token can begin a constant expression. */
bool constant_starts(const Parser *parser);
bool constant_parse(Parser *parser, Constant *constant);
/* The sum of `+4-8…` standing here, possibly of no terms. */
bool constant_parse_offset(Parser *parser, uint64_t *offset);
/* The bits of a constant as an operand or element of this type. */
bool constant_convert(Parser *parser, const Constant *constant, const Token *at, Type type, uint64_t *bits);

/* -- variables (parse_variable.c) */

/* TYPE_none when the text (with its dot) names none. */
Type type_named(const char *text, size_t length);

typedef struct Linkage {
    bool visible, external, weak, common;
} Linkage;

/* The module's own symbol of that name, or what another module has exported, which is the module's own from then on; NULL: there is none. */
const Symbol *linkage_find(Parser *parser, const Token *name, const Linkage *linkage);
/* Enters a function or variable that is new in the module, and for other modules where it is no other's business. */
bool linkage_add(Parser *parser, const Token *name, const Linkage *linkage, SymbolKind kind, uint32_t index);
/* Notes which module defines it; of weak and common ones none does. False, with a message, where another one has done so. */
bool linkage_define(Parser *parser, const Token *name, const Linkage *linkage);
/* Before that: whether this definition stands for those that there are: weak ones are chosen only where there is no other. */
bool linkage_replaces(const Parser *parser, const Token *name, const Linkage *linkage);

/* From the state space on: `.global .align 4 .f32 x[3] = {…}, y;`. */
bool variable_parse(Parser *parser, const Linkage *linkage);
/* After `.attribute`. */
bool attribute_parse(Parser *parser, bool *managed);
/* From `.param` or `.reg` on; consumes one formal parameter. */
bool formal_parse(Parser *parser, Formal *formal);
/* From the word after `.reg` on. */
bool registers_parse(Parser *parser);
bool register_add(Parser *parser, const Token *at, const char *name, uint32_t length, Type type, uint32_t *index);
/* A new variable at the program's end; `name` is copied. */
bool variable_add(Parser *parser, const Token *name, Variable variable, uint32_t *index);
/* Reserves bytes of the frame of the function that is read. */
bool frame_reserve(Parser *parser, const Token *at, uint64_t bytes, uint32_t align, uint64_t *offset);
/* Where an address initialiser or operand points to: a variable or function of that name. */
const Symbol *parser_find(const Parser *parser, const Token *word);

/* -- functions (parse_function.c) */

/* After `.entry` or `.func`. */
bool function_parse(Parser *parser, bool is_entry, const Linkage *linkage);
/* The copies that a `.func (.reg …)` makes before it returns. */
bool function_return(Parser *parser, const Insn *ret);
bool label_refer(Parser *parser, const Token *label, uint32_t insn, uint32_t *slot);
bool location_parse(Parser *parser); /* after `.loc` */
bool pragma_parse(Parser *parser);   /* after `.pragma` */

/* -- instructions (parse_insn.c) */

/* From the guard or the token after the opcode on; `opcode` was consumed already. */
bool insn_parse(Parser *parser, const Token *opcode, bool guarded, bool guard_negated, uint32_t guard);
/* After the word `wmma`. */
bool wmma_parse(Parser *parser, const Token *opcode, bool guarded, bool guard_negated, uint32_t guard);
/* After the word `cvt`, before .rna. */
bool tf32_parse(Parser *parser, const Token *opcode, bool guarded, bool guard_negated, uint32_t guard);
/* Appends to the program. operands are copied. */
bool insn_emit(Parser *parser, Insn insn, const Operand *operands, size_t count);

/* Groups of modifiers. One instruction has at most one modifier of a group, types and cache hints aside. */
typedef enum Group {
    GROUP_TYPE,
    GROUP_MODE,
    GROUP_ROUND,
    GROUP_FLAG,
    GROUP_COMPARE,
    GROUP_BOOL,
    GROUP_SPACE,
    GROUP_POLICY,
    GROUP_NC,
    GROUP_ORDER,
    GROUP_SCOPE,
    GROUP_VECTOR,
    GROUP_CACHE,
    GROUP_ATOM,
    GROUP_SHFL,
    GROUP_VOTE,
    GROUP_MATCH,
    GROUP_TO,
    GROUP_SHIFT,
    GROUP_WRAP,
    GROUP_PRMT,
    GROUP_TESTP,
    GROUP_BARRIER,
    GROUP_CTA,
    GROUP_WARP,
    GROUP_BAR_RED,
    GROUP_LEVEL,
    GROUP_GRID,
    GROUP_ASYNC,
    GROUP_COPY,
    GROUP_MMIO,
    GROUP_IDX,
    GROUP_PRIORITY,
    GROUP_WINDOW, /* .shared::cluster; of the spaces of a copy, where the own block's is meant as well */
    GROUP_MBARRIER,
    GROUP_EXPECT,
    GROUP_PARITY,
    GROUP_NOINC,
    GROUP_SHAPE,
    GROUP_TRANS,
    GROUP_TIMES, /* of a matrix */
    GROUP_TILE,  /* mma: k of its shape */
    GROUP_ROW,
    GROUP_COL,
    GROUP_SATFINITE,
    GROUP_BULK,
    GROUP_REDUCE,
    GROUP_PREFETCH,
    GROUP_COMPLETION,
    GROUP_READ,
    GROUP_PROXY,
    GROUP_ALIAS,
    GROUP_OF_COPIES, /* cp.async.mbarrier */
    GROUP_TENSOR,
    GROUP_RANK, /* of a tensor */
    GROUP_TILED,
    GROUP_MULTICAST,
    GROUP_TENSORMAP, /* prefetch, fence.proxy */
    GROUP_GEOMETRY,
    GROUP_LOD,       /* tex: .level, .grad */
    GROUP_COMPONENT, /* tld4 */
    GROUP_FORMAT,    /* suld, sust: .b; .p */
    GROUP_OUTSIDE,   /* of a surface */
    GROUP_QUERY,
    GROUP_COUNT
} Group;

typedef struct Modifier {
    const char *text; /* without the dot */
    uint8_t group;    /* Group */
    uint16_t value;   /* in the field of Insn that the group has; an InsnFlag of GROUP_FLAG */
} Modifier;

extern const Modifier modifiers[];
extern const size_t modifiers_count;

/* Of GROUP_GRID: .wait, also of barrier.cluster. */
enum { GRID_WAIT = 1 };

/* Values of GROUP_SCOPE and GROUP_CACHE: they only say what may stand together. */
typedef enum ThreadScope { SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GPU, SCOPE_SYS, SCOPE_GL } ThreadScope;
typedef enum CacheWord {
    CACHE_HINT = 1 << 0,  /* .L2::cache_hint: a policy operand follows */
    CACHE_BYTES = 1 << 1, /* .L2::128B and the like */
    CACHE_L1 = 1 << 2,
    CACHE_L2 = 1 << 3, /* .L2::evict_… */
    CACHE_L2_UNCHANGED = 1 << 4,
    CACHE_256B = 1 << 5,
} CacheWord;

struct Reading;
enum { FORM_TYPES = 4 };

/* How an opcode is written: its row of opcodes.def. */
typedef struct Form {
    uint64_t groups, required;  /* GROUP_FLAG only where one of the flags is required */
    uint32_t types[FORM_TYPES]; /* allowed for each type that it names: bit TYPE_t */
    unsigned flags;             /* InsnFlags allowed */
    uint8_t type;               /* Type of the instruction when it names none */
    uint8_t since;              /* compute capability, times ten; 0: any */
    bool types_optional;
    bool commutes, expands;
    bool (*special)(struct Reading *reading); /* reads its operands where they have no letters */
} Form;

extern const Form opcode_forms[];

/* One instruction while it is read. */
typedef struct Reading {
    Parser *parser;
    Token opcode; /* as written, for messages */
    Insn insn;
    uint64_t groups;            /* bit g: a modifier of Group g was read */
    uint8_t value[GROUP_COUNT]; /* its value */
    Type types[FORM_TYPES];
    unsigned n_types;
    unsigned cache;    /* bits of CacheWord */
    bool of_function;  /* .param::func */
    uint8_t spaces[2]; /* of copies: where to, where from */
    unsigned n_spaces;
    Operand operands[MAX_OPERANDS];
    unsigned n_operands;
} Reading;

bool reading_has(const Reading *reading, Group group);

/* `.L2::cache_hint` brings a policy in a 64-bit register, which changes no result and no count: it is dropped. */
bool reading_drop_policy(Reading *reading);

/* -- operands (parse_operand.c) */

enum OperandRule {
    RULE_WIDER = 1 << 0,   /* a register may be wider than the type: ld, st, cvt */
    RULE_NEGATED = 1 << 1, /* `!p` */
    RULE_NAMES = 1 << 2,   /* addresses of variables and functions */
    RULE_SINK = 1 << 3,    /* `_` */
};

/* Each adds one operand to the reading. */
bool operand_source(Reading *reading, Type type, unsigned rules);
bool operand_destination(Reading *reading, Type type, unsigned rules);
/* [address]: `bytes` are accessed there, or 0 when unknown. */
bool operand_address(Reading *reading, Space space, uint64_t bytes, bool writes);
/* [address, {coordinates}] of a tensor map. */
bool operand_tensor(Reading *reading, unsigned rank);
/* `{a,b,c,d}`: returns false on error; *count elements were added, each by operand_source or operand_destination. */
bool operand_vector(Reading *reading, Type type, unsigned rules, bool destination, unsigned *count);
/* Looks a register up; fails with a message when the word names none. */
bool register_find(Parser *parser, const Token *word, uint32_t *index);

/* -- orders, scopes and cache words of memory instructions (parse_order.c) */

/* Whether those of this instruction go together. */
bool order_check(const Reading *reading);

/* -- since when a GPU has it (parse_since.c) */

/* Notes in the body what compute capability an instruction needs that has been read. */
void since_note(const Reading *reading, const Form *form);
/* The same of the instruction that is emitted next; `what` as in Need. */
void need_note(Parser *parser, unsigned since, const char *what);

/* -- instructions with rules of their own (parse_special.c, parse_async.c) */

bool special_mov(Reading *reading);
bool special_load(Reading *reading);
bool special_store(Reading *reading);
bool special_atom(Reading *reading);
bool special_cp_async(Reading *reading);
bool special_mbarrier(Reading *reading);
bool special_remote_async(Reading *reading);
bool special_cp_bulk(Reading *reading);
bool special_tensor(Reading *reading); /* cp.async.bulk.tensor, which special_cp_bulk hands on */
bool special_prefetch(Reading *reading);
bool bulk_multicasts(Reading *reading); /* , mask */
bool special_matrix(Reading *reading);
bool special_mma(Reading *reading);
bool special_fence_proxy(Reading *reading);
bool special_barrier(Reading *reading);
bool special_barrier_cluster(Reading *reading);
bool special_branch(Reading *reading);
bool special_call(Reading *reading);
bool special_createpolicy(Reading *reading);

/* -- textures and surfaces (parse_texture.c) */

bool special_texture(Reading *reading);
bool special_surface(Reading *reading);
bool special_query(Reading *reading);
