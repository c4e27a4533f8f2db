/* program.h: a PTX module as plain data, the parser's result and the machine's input. Everything hangs on the program's arena.
 * Names follow the PTX ISA manual (https://docs.nvidia.com/cuda/parallel-thread-execution/). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

typedef enum OpClass { CLASS_ALU, CLASS_MOVE, CLASS_MEMORY, CLASS_WARP, CLASS_SYNC, CLASS_CONTROL, CLASS_NOTHING } OpClass;

/* By opcode. Who asks for single ones includes ptx/opcode.h, and is compiled again when opcodes.def changes. */
extern const char *const opcode_names[];
extern const uint8_t opcode_classes[];      /* OpClass */
extern const char *const opcode_operands[]; /* the letters of opcodes.def, or NULL */

/* TYPE(name, bytes, kind): the fundamental types, with their size in bytes (a predicate has none), and what mma takes besides (tf32). */
/* clang-format off */
#define PTX_TYPES(TYPE)                                                                                                     \
    TYPE(pred, 0, PRED) TYPE(b8, 1, BITS) TYPE(b16, 2, BITS) TYPE(b32, 4, BITS) TYPE(b64, 8, BITS) TYPE(b128, 16, BITS)       \
    TYPE(u8, 1, UNSIGNED) TYPE(u16, 2, UNSIGNED) TYPE(u32, 4, UNSIGNED) TYPE(u64, 8, UNSIGNED)                               \
    TYPE(s8, 1, SIGNED) TYPE(s16, 2, SIGNED) TYPE(s32, 4, SIGNED) TYPE(s64, 8, SIGNED)                                       \
    TYPE(u16x2, 4, UNSIGNED) TYPE(s16x2, 4, SIGNED)                                                                          \
    TYPE(f16, 2, FLOAT) TYPE(f16x2, 4, FLOAT) TYPE(bf16, 2, FLOAT) TYPE(bf16x2, 4, FLOAT) TYPE(tf32, 4, FLOAT) TYPE(f32, 4, FLOAT) TYPE(f64, 8, FLOAT)
/* clang-format on */

typedef enum Type {
    TYPE_none,
#define TYPE(name, bytes, kind) TYPE_##name,
    PTX_TYPES(TYPE)
#undef TYPE
        TYPE_COUNT
} Type;

typedef enum TypeKind { KIND_NONE, KIND_PRED, KIND_BITS, KIND_UNSIGNED, KIND_SIGNED, KIND_FLOAT } TypeKind;

extern const char *const type_names[TYPE_COUNT]; /* "u32", … */
extern const uint8_t type_bytes[TYPE_COUNT];
extern const uint8_t type_kinds[TYPE_COUNT]; /* TypeKind */

typedef enum Space { SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST, SPACE_PARAM, SPACE_COUNT } Space;

extern const char *const space_names[SPACE_COUNT]; /* "generic", "global", … */

/* Special registers. For x, y, z families the three follow each other. */
/* clang-format off */
#define PTX_SPECIALS(SPECIAL)                                                                                               \
    SPECIAL(tid_x, "%tid.x") SPECIAL(tid_y, "%tid.y") SPECIAL(tid_z, "%tid.z")                                               \
    SPECIAL(ntid_x, "%ntid.x") SPECIAL(ntid_y, "%ntid.y") SPECIAL(ntid_z, "%ntid.z")                                         \
    SPECIAL(ctaid_x, "%ctaid.x") SPECIAL(ctaid_y, "%ctaid.y") SPECIAL(ctaid_z, "%ctaid.z")                                   \
    SPECIAL(nctaid_x, "%nctaid.x") SPECIAL(nctaid_y, "%nctaid.y") SPECIAL(nctaid_z, "%nctaid.z")                             \
    SPECIAL(laneid, "%laneid") SPECIAL(warpid, "%warpid") SPECIAL(nwarpid, "%nwarpid")                                       \
    SPECIAL(smid, "%smid") SPECIAL(nsmid, "%nsmid") SPECIAL(gridid, "%gridid")                                               \
    SPECIAL(clock, "%clock") SPECIAL(clock_hi, "%clock_hi") SPECIAL(clock64, "%clock64")                                     \
    SPECIAL(globaltimer, "%globaltimer") SPECIAL(globaltimer_lo, "%globaltimer_lo") SPECIAL(globaltimer_hi, "%globaltimer_hi") \
    SPECIAL(lanemask_eq, "%lanemask_eq") SPECIAL(lanemask_le, "%lanemask_le") SPECIAL(lanemask_lt, "%lanemask_lt")           \
    SPECIAL(lanemask_ge, "%lanemask_ge") SPECIAL(lanemask_gt, "%lanemask_gt")                                                \
    SPECIAL(dynamic_smem_size, "%dynamic_smem_size") SPECIAL(total_smem_size, "%total_smem_size")                            \
    SPECIAL(envreg1, "%envreg1") SPECIAL(envreg2, "%envreg2")                                                                \
    SPECIAL(clusterid_x, "%clusterid.x") SPECIAL(clusterid_y, "%clusterid.y") SPECIAL(clusterid_z, "%clusterid.z")           \
    SPECIAL(nclusterid_x, "%nclusterid.x") SPECIAL(nclusterid_y, "%nclusterid.y") SPECIAL(nclusterid_z, "%nclusterid.z")     \
    SPECIAL(cluster_ctaid_x, "%cluster_ctaid.x") SPECIAL(cluster_ctaid_y, "%cluster_ctaid.y") SPECIAL(cluster_ctaid_z, "%cluster_ctaid.z") \
    SPECIAL(cluster_nctaid_x, "%cluster_nctaid.x") SPECIAL(cluster_nctaid_y, "%cluster_nctaid.y") SPECIAL(cluster_nctaid_z, "%cluster_nctaid.z") \
    SPECIAL(cluster_ctarank, "%cluster_ctarank") SPECIAL(cluster_nctarank, "%cluster_nctarank")                              \
    SPECIAL(is_explicit_cluster, "%is_explicit_cluster")
/* clang-format on */

typedef enum Special {
#define SPECIAL(name, text) SPECIAL_##name,
    PTX_SPECIALS(SPECIAL)
#undef SPECIAL
        SPECIAL_COUNT
} Special;

static inline bool special_is_clock(uint32_t special) { return special >= SPECIAL_clock && special <= SPECIAL_globaltimer_hi; }

/* clang-format off */
typedef enum OperandKind {
    OPERAND_REGISTER,  /* index: register of the function */
    OPERAND_IMMEDIATE, /* bits: the value, already converted to the instruction's type (f32 as its 32 bits, …); negative integers
                          of signed types are sign-extended to 64 bits; predicates are all ones or 0 */
    OPERAND_SPECIAL,   /* index: Special */
    OPERAND_VARIABLE,  /* index: variable of the program; bits: byte offset to add. Its address (mov) or itself (call parameter) */
    OPERAND_FUNCTION,  /* index: function of the program (mov of a function's address) */
    OPERAND_ADDRESS,   /* [register + bits]; index: the register */
    OPERAND_ADDRESS_VARIABLE,  /* [variable + bits] */
    OPERAND_ADDRESS_IMMEDIATE, /* [bits] */
    OPERAND_SINK,              /* `_`: the result is thrown away */
} OperandKind;
/* clang-format on */

typedef struct Operand {
    uint8_t kind;   /* OperandKind */
    bool negated;   /* `!p` of a predicate source */
    uint32_t index; /* see OperandKind */
    uint64_t bits;  /* value or offset */
} Operand;

/* clang-format off */
typedef enum Mode { MODE_NONE, MODE_LO, MODE_HI, MODE_WIDE } Mode;              /* mul, mad */
typedef enum Rounding { ROUND_NONE, ROUND_RN, ROUND_RZ, ROUND_RM, ROUND_RP, ROUND_RNA, ROUND_RNI, ROUND_RZI, ROUND_RMI, ROUND_RPI } Rounding;
typedef enum Compare {
    CMP_NONE,
    CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE,       /* signed, unsigned, bits, ordered float */
    CMP_LO, CMP_LS, CMP_HI, CMP_HS,                       /* unsigned */
    CMP_EQU, CMP_NEU, CMP_LTU, CMP_LEU, CMP_GTU, CMP_GEU, /* float: also true when an operand is NaN */
    CMP_NUM, CMP_NAN
} Compare;
typedef enum BoolOp { BOOL_NONE, BOOL_AND, BOOL_OR, BOOL_XOR } BoolOp;
typedef enum Policy { POLICY_NONE, POLICY_CA, POLICY_CG, POLICY_CS, POLICY_LU, POLICY_CV, POLICY_WB, POLICY_WT, POLICY_NC } Policy;
typedef enum Order { ORDER_WEAK, ORDER_VOLATILE, ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SC } Order;

/* What an instruction does beyond its opcode: a family for each kind of instruction. Their numbers differ. */
enum { VARIANT_NONE };
typedef enum AtomOp { /* atom, red, redux */
    ATOM_ADD = VARIANT_NONE + 1, ATOM_MIN, ATOM_MAX, ATOM_AND, ATOM_OR, ATOM_XOR, ATOM_EXCH, ATOM_CAS, ATOM_INC, ATOM_DEC
} AtomOp;
typedef enum ShuffleOp { SHFL_UP = ATOM_DEC + 1, SHFL_DOWN, SHFL_BFLY, SHFL_IDX } ShuffleOp;
typedef enum Variant {
    VOTE_ALL = SHFL_IDX + 1, VOTE_ANY, VOTE_UNI, VOTE_BALLOT,
    MATCH_ANY, MATCH_ALL,
    BAR_SYNC, BAR_ARRIVE, BAR_WARP_SYNC, BAR_RED_POPC, BAR_RED_AND, BAR_RED_OR, /* barrier.cta.* and barrier.* likewise */
    CVTA_TO,                             /* cvta.to.space: from generic; without: to generic */
    SHF_L_CLAMP, SHF_L_WRAP, SHF_R_CLAMP, SHF_R_WRAP,
    PRMT_F4E, PRMT_B4E, PRMT_RC8, PRMT_ECL, PRMT_ECR, PRMT_RC16,
    TESTP_FINITE, TESTP_INFINITE, TESTP_NUMBER, TESTP_NOTANUMBER, TESTP_NORMAL, TESTP_SUBNORMAL,
    MASK_CLAMP, MASK_WRAP,               /* szext, bmsk */
    FMA_NEGATES_PRODUCT, FMA_NEGATES_ADDEND, FMA_NEGATES_BOTH, /* made of a product and a sum: ptx/contract.h */
    CP_ASYNC_COPY, CP_ASYNC_COMMIT, CP_ASYNC_WAIT_GROUP, CP_ASYNC_WAIT_ALL, CP_ASYNC_ARRIVE, CP_ASYNC_ARRIVE_NOINC,
    MBARRIER_INIT, MBARRIER_INVAL, MBARRIER_EXPECT_TX, MBARRIER_COMPLETE_TX, MBARRIER_ARRIVE, MBARRIER_ARRIVE_DROP,
    MBARRIER_TEST_WAIT, MBARRIER_TRY_WAIT, MBARRIER_PENDING_COUNT,
    BULK_COPY, BULK_PREFETCH, BULK_COMMIT, BULK_WAIT_GROUP, BULK_WAIT_GROUP_READ, /* of a reduction the AtomOp stands here */
    PROXY_ASYNC, PROXY_OTHER, /* fence.proxy.async and all others */
    CLUSTER_ARRIVE, CLUSTER_WAIT, /* barrier.cluster */
    TEX_BASE, TEX_LEVEL, TEX_GRAD, TLD4_R, TLD4_G, TLD4_B, TLD4_A,
    SURFACE_TRAP, SURFACE_CLAMP, SURFACE_ZERO, /* what comes of coordinates outside */
    QUERY_WIDTH, QUERY_HEIGHT, QUERY_DEPTH, QUERY_LAYERS,
} Variant;
typedef enum Geometry { GEOMETRY_NONE, GEOMETRY_1D, GEOMETRY_2D, GEOMETRY_3D, GEOMETRY_A1D, GEOMETRY_A2D } Geometry; /* a: of layers */
/* clang-format on */

enum InsnFlag {
    INSN_FTZ = 1 << 0,
    INSN_SAT = 1 << 1,
    INSN_CC = 1 << 2, /* writes the carry flag (add.cc, mad.lo.cc, …) */
    INSN_APPROX = 1 << 3,
    INSN_FULL = 1 << 4, /* div.full */
    INSN_UNI = 1 << 5,  /* bra.uni, call.uni: a promise that is checked, not trusted */
    INSN_NAN = 1 << 6,  /* min.NaN, max.NaN */
    INSN_XORSIGN_ABS = 1 << 7,
    INSN_SHIFTAMT = 1 << 8, /* bfind.shiftamt */
    INSN_SYNC = 1 << 9,     /* shfl.sync, vote.sync, match.sync, barrier.sync: has a lane mask as the manual says */
    INSN_ALIGNED = 1 << 10, /* bar.sync is always aligned; barrier.sync only with .aligned */
    INSN_NOFTZ = 1 << 11,   /* atom.add.noftz */
    INSN_RELU = 1 << 12,
    INSN_UNIFIED = 1 << 13,
    INSN_EXPECT_TX = 1 << 14,   /* mbarrier.arrive.expect_tx: its second source counts bytes, and one arrives */
    INSN_TRANS = 1 << 17,       /* ldmatrix.trans, stmatrix.trans */
    INSN_SATFINITE = 1 << 18,   /* mma of integers */
    INSN_FROM_SHARED = 1 << 16, /* cp.async.bulk: where it reads; `space` is where it writes */
    INSN_PARITY = 1 << 15,      /* mbarrier.test_wait.parity, try_wait.parity */
    INSN_TENSOR = 1 << 21,      /* cp.async.bulk.tensor, cp.reduce.async.bulk.tensor; vec: dimensions */
    INSN_MULTICAST = 1 << 22,   /* .multicast::cluster: the last source is the mask */
    INSN_CLUSTER = 1 << 20,     /* .shared::cluster: an address may be that of another block of the cluster */
    INSN_NOUNROLL = 1 << 19,    /* the first behind `.pragma "nounroll"`, with which a loop begins */
    INSN_OF_WMMA = 1 << 23,     /* it stands, with others, for one wmma */
    INSN_OF_TF32 = 1 << 24,     /* the same for cvt.rna.tf32 */
    INSN_MMIO = 1 << 25,        /* ld.mmio */
};

/* One instruction. Operands stand in textual order, vectors `{a,b,c,d}` flattened, destinations first:
 *   ld.v4 {d0..d3}, [a]      n_dst 4, n_src 1        st.v2 [a], {x,y}        n_dst 0, n_src 3 (address first)
 *   mov.b64 {lo,hi}, x       n_dst 2, n_src 1        mov.b64 x, {lo,hi}      n_dst 1, n_src 2
 *   setp p|q, a, b, c        n_dst 2                 shfl d|p, a, b, c, m    n_dst 2
 *   atom d, [a], b, c        n_dst 1, n_src 2 or 3   red [a], b              n_dst 0
 *   bra label                no operands, target     brx.idx r, list         n_src 1, targets
 *   call (r), f, (a, b)      see CallSite            bar.red p, a, b, q      n_dst 1
 *   cp.async [d], [s], n, k  n_dst 0, sources in order (k, the source size, when given)
 *   cp.async.bulk [d], [s], n, [b]  n_dst 0, sources in order ([b], an mbarrier, when given); .prefetch [s], n
 *   cp.async.bulk.tensor [d], [map, {c..}], [b], mask   n_dst 0, sources in textual order, map before its coordinates
 *   st.async [a], {x..}, [b]  n_dst 0, n_src 3 or more; red.async likewise
 *   ldmatrix {d0..d3}, [a]   n_dst 1, 2 or 4, n_src 1        stmatrix [a], {x..}   n_dst 0, n_src 2, 3 or 5
 *   tex {d0..d3}, [t, {l, x, y, z}]   n_dst 4, n_src 2 to 4: the object, the layer of a1d and a2d, a coordinate for each dimension (what stands behind
 *       them to fill up four is dropped); then level or gradients. tld4 likewise; suld {d..}, [t, {..}] too; sust [t, {..}], {x..}: n_dst 0
 *   mma {d..}, {a..}, {b..}, {c..}   n_dst 2 or 4, n_src 5, 7 or more: as mma_registers says
 *   mbarrier.arrive s, [b], n    n_dst 1, sources in order: address, then counts, state or parity
 * setp with one destination has n_dst 1. L2 cache hints and cache-policy operands are parsed and dropped. */
typedef struct Insn {
    uint8_t op;    /* Opcode */
    uint8_t type;  /* Type: the instruction's (for cvt, set, slct: the destination's) */
    uint8_t type2; /* Type: the source's, for cvt, set, slct, tex-like two-typed instructions; else TYPE_none */
    uint8_t type3; /* Type: mma, of b, where type is that of c and d, type2 of a; else TYPE_none */
    uint8_t n_dst, n_src;
    uint8_t
        vec; /* ld, st, suld, sust: 1, 2, 4 (or 8); tex, tld4: 4; ldmatrix, stmatrix: matrices; mma: k, a's columns; else 0 */
    uint8_t mode;     /* Mode */
    uint8_t rounding; /* Rounding */
    uint8_t compare;  /* Compare */
    uint8_t boolop;   /* BoolOp: setp and set with a third, predicate source */
    uint8_t space;    /* Space */
    uint8_t policy;   /* Policy; loads that go through .nc have POLICY_NC */
    uint8_t order;    /* Order */
    uint8_t variant;  /* AtomOp, ShuffleOp, Variant; VARIANT_NONE */
    uint8_t geometry; /* Geometry: tex, tld4, suld, sust; else GEOMETRY_NONE */
    uint32_t flags;   /* InsnFlag */
    bool of_block;    /* .cta: what it orders, or is atomic for, are the threads of one block */
    bool guarded, guard_negated;
    uint32_t guard;    /* predicate register when guarded */
    uint32_t target;   /* bra: index of an instruction of the program */
    uint32_t location; /* index into program->locations; 0 is "unknown" */
    uint32_t line;     /* 1-based line in the PTX text, for messages */
    const Operand *operands;
    const struct CallSite *call;     /* call only */
    const struct BranchTable *table; /* brx only */
} Insn;

/* The letter that opcodes.def gives to operands[index], or 0; the type of an operand with this letter, which says how wide its lanes are. */
char insn_letter(const Insn *insn, unsigned index);
Type insn_letter_type(const Insn *insn, char letter);
/* Of how many sources from the first on the order makes no difference: 2 or 0. */
unsigned insn_commuting(const Insn *insn);
/* ptxas makes code with branches of it: EXPANDS of opcodes.def. */
bool insn_expands(const Insn *insn);

static inline bool letter_is_destination(char letter) { return letter == 'd' || letter == 'w' || letter == 'P'; }

/* Coordinates of a geometry, without the layer. */
static inline unsigned geometry_dimensions(uint8_t geometry) {
    return geometry == GEOMETRY_3D ? 3 : geometry == GEOMETRY_2D || geometry == GEOMETRY_A2D ? 2 : 1;
}
static inline bool geometry_layered(uint8_t geometry) { return geometry >= GEOMETRY_A1D; }

enum { MATRIX_ROWS = 8, MATRIX_ROW_BYTES = 16 }; /* ldmatrix, stmatrix: of 8 elements of 16 bits */
enum { MMA_ROWS = 16, MMA_COLUMNS = 8 };         /* mma: of d; a has so many rows, b so many columns */
enum { MBARRIER_BYTES = 8, BULK_UNIT = 16 };     /* bulk copies: of bytes, and where they begin */

/* mma: registers of a lane, each with 32 bits of the elements that follow each other in a row of a, or a column of b. */
typedef struct MmaRegisters {
    unsigned d, a, b;
} MmaRegisters; /* c as d */
static inline MmaRegisters mma_registers(const Insn *insn) {
    const unsigned row_bytes = insn->vec * type_bytes[insn->type2];
    return (MmaRegisters){type_bytes[insn->type], row_bytes / 8, row_bytes / 16};
}

#define NO_INSN UINT32_MAX
#define NO_INDEX UINT32_MAX

typedef struct CallSite {
    uint32_t function;  /* index of the callee, or NO_INDEX when it is called through a register */
    uint32_t pointer;   /* the register then */
    uint32_t n_results; /* 0 or 1 */
    uint32_t n_arguments;
    const Operand *results;   /* OPERAND_VARIABLE (.param) or OPERAND_REGISTER */
    const Operand *arguments; /* OPERAND_VARIABLE (.param), OPERAND_REGISTER or OPERAND_IMMEDIATE */
} CallSite;

typedef struct BranchTable {
    uint32_t count;
    const uint32_t *targets; /* instruction indices */
} BranchTable;

/* Where an instruction comes from. Location 0 means unknown. */
typedef struct Location {
    uint32_t file; /* index into program->files */
    uint32_t line, column;
    uint32_t inlined_at; /* index of the location into which this code was inlined; 0: not inlined */
} Location;

typedef struct Variable {
    const char *name;
    uint8_t space;       /* Space */
    uint32_t align;      /* bytes */
    uint64_t bytes;      /* 0 for an array of unknown size: .extern .shared x[] */
    bool external;       /* .extern */
    bool managed;        /* __managed__: one address for host and device */
    uint32_t function;   /* owner, or NO_INDEX for a module-level variable */
    bool formal;         /* .param: a formal parameter or the result of its function, not a .param of a call made in it */
    const uint8_t *init; /* initial bytes (all of them), or NULL: zero for .global and .const, undefined elsewhere */
    const struct Relocation *relocations; /* addresses inside the initialiser */
    uint32_t n_relocations;
    uint64_t offset; /* .param of a kernel: byte offset in the parameter block; .local, and .param of a device function or call:
                        byte offset in the function's frame (each lane has its own); others: unused here */
} Variable;

/* `.global .u64 p = x + 8;`: at byte `at` stands the 64-bit address of a variable or function. */
typedef struct Relocation {
    uint64_t at;
    bool is_function;
    bool generic;   /* generic(x) */
    uint32_t index; /* of the variable or function */
    int64_t addend;
} Relocation;

typedef struct Register {
    const char *name;
    uint8_t type; /* Type as declared: pred, b16, b32, f64, … */
} Register;

/* The lowest compute capability, times ten, that has some instructions; 0: any. The first that needs it, and what of it does: completes "'max' …" */
typedef struct Need {
    unsigned since;
    uint32_t insn;
    const char *what;
} Need;

typedef struct Function {
    const char *name; /* mangled */
    bool is_entry;    /* .entry: a kernel */
    bool is_defined;  /* has a body */
    bool is_weak;
    uint32_t first, count; /* instructions; the last is always ret or exit (one is added when the text ends without) */
    uint32_t n_registers;
    const Register *registers;
    uint32_t n_params;       /* formal parameters, in order */
    const uint32_t *params;  /* indices of variables (SPACE_PARAM) */
    uint32_t result;         /* variable of the return value, or NO_INDEX */
    uint64_t param_bytes;    /* kernels: size of the parameter block */
    uint64_t frame_bytes;    /* per lane: .local variables, and .param variables of device functions and of calls made here */
    uint32_t max_threads[3]; /* .maxntid, all 0 when absent; 1 in a dimension that it does not name */
    uint32_t required_threads[3]; /* .reqntid, likewise */
    uint32_t cluster[3];          /* .reqnctapercluster, likewise: blocks */
    bool explicit_cluster;        /* .explicitcluster: it is launched in clusters alone */
    uint32_t max_cluster;         /* .maxclusterrank: blocks of a cluster at most; 0: none is said */
    uint32_t line;                /* in the PTX text */
    Need need;                    /* of all its instructions */
    const Diag *refused;          /* why it cannot be launched, or NULL: its body has what is not emulated, and was left out */
} Function;

typedef struct Program {
    Arena *arena;
    const char *name;                      /* of the PTX file or text, for messages */
    unsigned version_major, version_minor; /* .version */
    unsigned target;                       /* .target sm_NN: NN */
    bool debug;                            /* .target … debug: the assembler does not optimise */
    uint32_t n_insns, n_functions, n_variables, n_locations, n_files;
    Insn *insns;
    Function *functions;
    Variable *variables;
    Location *locations;
    const char **files;         /* indexed by Location.file; "" where the file is unknown */
    struct Prepared **prepared; /* where src/kernel keeps what it has found out: points at NULL before it has */
} Program;

/* Parses a whole PTX module (length bytes, any content: it is untrusted). NULL and a filled diag on error. `name` is used in
 * messages. Everything that is not understood is an error: nothing is skipped silently but debug sections, comments and pragmas.
 * The caller frees with program_free. */
Program *program_parse(const char *text, size_t length, const char *name, Diag *diag);

typedef struct ProgramText {
    const char *text;
    size_t length;
    const char *name;
} ProgramText;

/* The same of several modules: what one has .extern is another's that has it .visible, of a .weak one the first is taken, and all else is its module's own. What none
 * defines stays undefined: a function without a body, a variable that is external. */
Program *program_link(const ProgramText *texts, size_t count, Diag *diag);
void program_free(Program *program);

/* The defined kernel with this mangled name, demangled name ("scale(float*, int)"), or plain name ("scale", "scale<float>") if
 * just one kernel has it. NULL and a message that lists the kernels otherwise. */
const Function *program_kernel(const Program *program, const char *name, Diag *diag);

/* The name as C++ shows it, "scale(float*, int)"; a copy of the name when it is not a mangled one, or one whose readable form could
 * be exponentially long. The caller frees. */
char *program_demangle(const char *mangled);

/* What the source calls a kernel, or an array in it: "scale" of "void ns::scale<float>(float*, int)", "tile" of "rotate(float*)::tile". The
 * caller frees. */
char *program_plain_name(const char *mangled);

/* The source position to show for an instruction: the innermost location that lies in the file `main_file` (compared by its last
 * path component), following inlined_at; else the outermost one. Location 0's file is "". main_file may be NULL. */
const Location *program_location(const Program *program, uint32_t insn, const char *main_file);

/* The instruction that shows where a warp is: this one, or where the compiler gave it no line, as clang does for what works out an address, the
 * next of its function that has one; where none has, this one. */
uint32_t program_lined(const Program *program, uint32_t insn);
