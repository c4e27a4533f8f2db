/* arguments.h: the `--arg` specifications of a launch: parsed once, checked against a kernel's parameters, and turned into buffers
 * and a parameter block as often as wanted (each time the same).
 *
 *   i32:V u32:V i64:V u64:V f32:V f64:V (also i8 u8 i16 u16)   a number: decimal, hexadecimal, negative; floats also nan and inf
 *   bytes:HEX                                                 a struct by value, its bytes in order of address
 *   buf:TYPE:COUNT[:FILL]                                     a device buffer of COUNT elements; its address is passed
 *   tmap:TYPE:SIZES[:OPTIONS][:FILL]                          a tensor map (tensor_argument.h), by value, and its buffer
 * FILL: zero; iota (0, 1, 2, …, integers wrap round); random[:SEED]; list:a,b,c… (exactly COUNT values); @FILE (raw little-endian
 * bytes, exactly COUNT elements). Without FILL the buffer counts as uninitialised.
 *
 * random: element i comes from output i of splitmix64 seeded with SEED (32 when absent). Integers take its low bits and so spread
 * over the type's whole range; f32 is (top 24 bits) / 2^23 - 1 and f64 (top 53 bits) / 2^52 - 1: uniform in [-1, 1). */
#pragma once

#include "base/diag.h"
#include "input/tensor_argument.h"
#include "machine/memory.h"
#include "ptx/program.h"

typedef enum Fill { FILL_NONE, FILL_ZERO, FILL_IOTA, FILL_RANDOM, FILL_BYTES /* list: and @FILE */ } Fill;

typedef struct Argument {
    const char *text;       /* the specification as it was given */
    bool is_buffer;         /* it makes a buffer */
    TensorArgument *tensor; /* tmap; else NULL */
    uint8_t type;           /* Type of the number or of the buffer's elements; TYPE_none for bytes:HEX */
    uint64_t count;         /* elements: 1 for a number */
    uint64_t bytes;         /* of the number, struct or buffer */
    uint8_t fill;           /* Fill; buffers only */
    uint64_t seed;          /* FILL_RANDOM */
    const uint8_t *data;    /* numbers, structs, FILL_BYTES: the bytes */
} Argument;

typedef struct Arguments {
    Arena *arena;
    size_t count;
    Argument *items;
    uint64_t buffer_bytes; /* of all buffers together */
    uint64_t limit_bytes;  /* the most that all buffers together may take; 0: half of this computer's memory */
} Arguments;

Arguments arguments_new(void);
void arguments_free(Arguments *arguments);

/* Parses one more specification; reads its @FILE. False and a message that names the argument by its index. */
bool arguments_add(Arguments *arguments, const char *text, Diag *diag);

/* Whether number, sizes and, where the kernel's name tells them, kinds of the arguments are those of the kernel's parameters. */
bool arguments_fit(const Arguments *arguments, const Program *program, const Function *kernel, Diag *diag);

/* Allocates and fills the buffers and writes the parameter block (kernel->param_bytes long). The arguments fit the kernel. buffers[i]
 * becomes argument i's buffer, NULL for other arguments. */
void arguments_build(const Arguments *arguments, const Program *program, const Function *kernel, Memory *memory,
                     uint8_t *params, Allocation **buffers);

/* Output number `index` (from 0) of splitmix64 seeded with `seed` (Steele, Lea, Flood: Fast splittable pseudorandom number
 * generators, OOPSLA 2014). */
uint64_t arguments_random(uint64_t seed, uint64_t index);
