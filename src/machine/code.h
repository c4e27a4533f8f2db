/* code.h: a kernel and the functions it can reach, decoded for running: registers have become slots of 32 lanes, immediates slots of a
 * constant area, variables addresses, labels indices of steps. Made once for each launch; read-only while it runs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "kernel/kernel.h"
#include "machine/alu.h"
#include "machine/module.h"
#include "ptx/program.h"

/* A slot is an area (top two bits) and a byte offset in it. */
typedef uint32_t Slot;
enum { AREA_FRAME, AREA_CONSTANT, AREA_WARP, AREA_NONE, AREAS };
#define SLOT(area, offset) ((Slot)(area) << 30 | (uint32_t)(offset))
#define SLOT_AREA(slot) ((slot) >> 30)
#define SLOT_OFFSET(slot) ((slot)&0x3fffffffu)
#define NO_SLOT SLOT(AREA_NONE, 0) /* an operand that is absent: it has an address, which nobody reads */

/* Bytes of registers that a warp's frames may take: 2 MiB for each lane. On a device they are in a thread's local memory, which has 512 KiB. */
enum { STACK_SLOTS_MOST = 64 << 20 };

typedef enum Exec {
    EXEC_ALU,      /* two sources at most */
    EXEC_ALU_MORE, /* more than those, or an immediate table */
    EXEC_SETP,     /* with a second destination or a combined predicate source: they are applied to alu's bits here */
    EXEC_SET,      /* alu, with a combined predicate source that may be negated */
    EXEC_MOVE4,
    EXEC_MOVE8,
    EXEC_MOVE_PREDICATE,
    EXEC_NARROW, /* 8-byte lanes to 4-byte lanes */
    EXEC_WIDEN,
    EXEC_WIDEN_SIGNED, /* and back */
    EXEC_PACK,
    EXEC_UNPACK,        /* mov of vectors: data[] holds the elements, of `bytes` bytes each */
    EXEC_CLOCK,         /* %clock, %clock64, %globaltimer …: imm: Special */
    EXEC_LOCAL_ADDRESS, /* mov of a .local or frame .param variable's address: offset within the frame; in clusters of a .shared one's, within the block */
    EXEC_CVTA,          /* offset: window to add, or to subtract (CVTA_TO) */
    EXEC_ISSPACEP,
    EXEC_PARAM, /* ld.param of a kernel's parameter at a fixed offset: the same for all lanes */
    EXEC_FRAME_LOAD,
    EXEC_FRAME_STORE, /* ld.param, st.param of device functions' and calls' parameters at a fixed offset */
    EXEC_LOAD,
    EXEC_STORE,
    EXEC_ATOM,
    EXEC_CP_ASYNC,
    EXEC_MATRIX, /* ldmatrix, stmatrix; vec: of how many matrices, data: their registers */
    EXEC_TEXTURE, /* tex, tld4. s[0]: the object; data: results, vec of them, then the layer, if there is one, and the coordinates */
    EXEC_SURFACE, /* suld, sust, likewise: first the elements */
    EXEC_TEXTURE_QUERY,
    EXEC_MMA, /* data: d's registers, then a's, b's and c's */
    EXEC_MBARRIER,
    EXEC_BULK,   /* bytes: of an element of a reduction */
    EXEC_TENSOR, /* cp.async.bulk.tensor */
    EXEC_ASYNC_GROUP, /* cp.async.commit_group, .wait_group, .wait_all, the same of bulk copies, fences of proxies; imm: groups that are left out */
    EXEC_SHFL,
    EXEC_VOTE,
    EXEC_MATCH,
    EXEC_ACTIVEMASK,
    EXEC_WHOLE, /* the lanes' numbers, where all are there */
    EXEC_REDUX,
    EXEC_ELECT,
    EXEC_WARP_SYNC,
    EXEC_BARRIER,
    EXEC_BRANCH,
    EXEC_BRANCH_TABLE,
    EXEC_CALL,
    EXEC_RETURN,
    EXEC_EXIT,
    EXEC_TRAP,
    EXEC_MAPA,
    EXEC_GETCTARANK, /* lane_bytes: of the address */
    EXEC_CLUSTER_ARRIVE,
    EXEC_CLUSTER_WAIT,
    EXEC_FENCE,
    EXEC_TRACE, /* before each instruction of a traced launch: tells the observers. s[0]: its guard; vec, data: its destinations' slots */
    EXEC_NOTHING
} Exec;

typedef enum Guard { GUARD_NONE, GUARD_TRUE, GUARD_FALSE } Guard;

/* An address: lanes of the slot are 4 or 8 bytes wide; the slot is NO_SLOT when the offset is the address. */
typedef struct CopyPlace {
    Slot slot;
    uint8_t slot_bytes;
    uint64_t offset;
} CopyPlace;

enum { TENSOR_DIMENSIONS = 5 };

/* cp.async, cp.async.bulk */
typedef struct AsyncCopy {
    CopyPlace to, from, barrier; /* barrier: of a bulk copy that completes on one */
    Slot size;      /* bytes really copied, NO_SLOT when all; the rest is zero. Of a bulk copy all that there are */
    uint32_t bytes; /* cp.async */
    Slot mask;      /* .multicast::cluster: ranks of the blocks; else NO_SLOT */
    CopyPlace map;  /* of a tensor copy, whose place in global memory the coordinates tell */
    Slot at[TENSOR_DIMENSIONS];
} AsyncCopy;

/* One decoded instruction. Which fields count depends on exec. */
typedef struct Step {
    uint8_t exec;       /* Exec */
    uint8_t guard_is;   /* Guard */
    uint8_t bytes;      /* memory, pack: bytes of one element */
    uint8_t lane_bytes; /* memory, pack: bytes of a lane in the data registers' slots: 4 or 8 */
    uint8_t vec;        /* number of elements: 1, 2, 4, 8 */
    uint8_t whole;      /* memory: bytes of all of a lane's elements */
    uint8_t space;
    uint8_t policy, order; /* memory: Policy, Order */
    uint8_t weight;        /* PTX instructions that it stands for: 0 for steps that the lowering adds */
    bool sign;             /* loads: sign-extend to the register */
    bool negated;          /* third source of setp, set; predicate of vote and bar.red */
    bool frame_relative;   /* memory: offset counts from the frame's local memory */
    uint8_t leaving;       /* branch: Leaving (kernel/leaving.h) */
    bool after_store;      /* load in a loop: it is not to overtake a store before it, which waits for what was loaded before */
    uint8_t address_bytes; /* memory: lanes of s[0] are 4 or 8 bytes wide */
    bool names_all;        /* shuffles, votes …: each lane's mask names all lanes, as an immediate */
    Slot guard;
    Slot d, d2;
    Slot s[4];
    union {
        uint32_t imm;
        uint32_t target; /* branch: step index */
    };
    uint32_t pc;         /* of insn in the program; NO_INSN for steps that the lowering adds */
    uint32_t reconverge; /* step index or NO_INSN */
    union {
        Alu *alu;
        uint64_t offset; /* address offset, or the address when there is no register */
    };
    union {
        const Slot *data; /* memory, pack: the elements' slots; NO_SLOT: sink */
        const AsyncCopy *copy;
        const uint32_t *table; /* brx: step indices */
    };
    const Insn *insn;
} Step;

typedef struct Unwritten {
    Slot slot;
    unsigned width; /* of a lane in bytes; 0: a predicate */
} Unwritten;

typedef struct CodeFunction {
    uint32_t function;          /* index in the program */
    uint32_t first;             /* step index */
    uint32_t frame_slots_bytes; /* registers of one activation */
    uint32_t frame_local_bytes; /* per lane */
    uint32_t n_unwritten;
    const Unwritten *unwritten; /* registers that some path reads before it writes them */
} CodeFunction;

typedef struct Code {
    Arena *arena;
    const Kernel *kernel;
    const Program *program; /* its */
    const Module *module;
    const uint8_t *params; /* the launch's parameter block */
    uint32_t n_steps;
    Step *steps;
    uint32_t n_functions;
    CodeFunction *functions; /* the kernel first */
    uint32_t *function_of;   /* by program function index: index into functions or NO_INDEX */
    uint8_t *constants;      /* the constant area, 64-byte aligned */
    uint32_t constant_bytes;
    Slot specials[SPECIAL_COUNT]; /* in AREA_WARP; NO_SLOT where the kernel does not read it */
    Slot scratch;                 /* in AREA_WARP: scratch slots of 256 bytes each */
    uint32_t warp_area_bytes;
    uint32_t stack_slots_bytes; /* registers of the deepest chain of calls; with unbounded calls a first guess */
    uint32_t stack_local_bytes; /* per lane, likewise */
    bool clustered;             /* the launch has clusters of several blocks */
    bool reads_cluster;         /* some special register that tells of clusters is read */
    bool has_local;             /* some function has .local variables, so that their first contents matter */
    bool reads_undefined;       /* some path reads a register before it writes it: registers then start as zero in each block */
} Code;

/* How a launch differs from others of the kernel. */
typedef struct CodeWanted {
    bool traced;    /* with an EXEC_TRACE before each instruction */
    bool clustered; /* as in Code */
} CodeWanted;

/* NULL and a message when an instruction has no meaning here. */
Code *code_new(const Kernel *kernel, const Module *module, const uint8_t *params, CodeWanted wanted, Diag *diag);

/* With unbounded calls: a thread's stack of at least so many bytes. */
void code_stack(Code *code, uint64_t bytes);
void code_free(Code *code);
