/* spot.h: where something is: in the source, in the grid, in memory; as people read it. */
#pragma once

#include "base/text.h"
#include "report/page.h"
#include "report/plain.h"
#include "report/report.h"

/* A position in the source. file is "" and line 0 where it is unknown. The file given on the command line is named as it was given
 * there; an instruction of a .ptx file without positions of its own has the position of its PTX text. */
typedef struct Spot {
    const char *file;
    uint32_t line, column; /* column 0: unknown; nvcc gives a statement's, clang an expression's */
} Spot;

Spot spot_of(const Report *report, uint32_t pc);

/* Where the instruction was written, if that is another line which the compiler has inlined into spot_of's: in a function of a header, say. Line
 * 0: the same. library: whether that is in a library's header; without Report.sources it is unknown, and false. */
Spot spot_inside(const Report *report, uint32_t pc, bool *library);

/* Whether the spot is in a library's header, as far as is known. */
bool spot_is_library(const Report *report, Spot spot);

/* "kernel.cu:14", the path's last component only; "unknown line". */
void spot_add(Spot spot, Text *out);

/* The text of a line of the source, in at most `columns` columns; nothing where it is not known. */
void spot_add_source(const Report *report, Spot spot, size_t columns, Text *out);

enum { ARRAY_BYTES = 64 };

/* The name of the buffer or the shared array that the access touches; "" where there is none, or it is too long. */
void spot_array(const Report *report, const Access *access, char name[ARRAY_BYTES]);

/* How many instructions the compiler made of the sample's access, by unrolling the loop around it, and which (NULL: nobody asks). 0 where the
 * source line accesses its buffer at several places, or is not known. */
uint32_t spot_copies(const Report *report, const Sample *sample, uint32_t *pcs);

/* Lines of a page: the label, the number of the line and its text, cut around the fault, with a caret below where the column is known:
 *
 *         14 | out[i] = in[i + 1];
 *            |          ^
 *
 * array: the name of what is accessed there, "" where it is not known: that tells the column where nvcc does not, whose columns are those of
 * statements. Nothing where the text is not known and there is no label. */
void spot_add_quote(const Report *report, Spot spot, const char *array, const char *label, Page page, Text *out);

/* "'in'+128" in global memory, "local+128" from the start of the warp's local memory as the hardware lays it out, "shared+128";
 * "0x7f00" where nothing is allocated. addr is one that the access touches. A name is cut, or left out, so that it takes at most
 * `columns` columns (14 at least). */
void spot_add_address(const Report *report, const Access *access, uint64_t addr, size_t columns, Text *out);

/* "global load", "shared atomic", … */
void spot_add_kind(uint8_t space, uint8_t op, Text *out);

extern const char *const spot_op_names[COUNTER_OPS]; /* "load", "store", "atomic" */

/* CounterOp of an access. */
uint8_t spot_op(const Access *access);

/* "kernel.cu:14, global load: block (0,0,0), warp 3" */
void spot_add_sample(const Report *report, const Sample *sample, Text *out);

/* "block (0,0,0), warp 3" */
void spot_add_block(const Report *report, const Sample *sample, Text *out);
