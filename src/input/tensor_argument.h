/* tensor_argument.h: what `--arg tmap:` says of a tensor, as cuTensorMapEncodeTiled takes it:
 *
 *   TYPE:WIDTHxHEIGHT…[:box=WxH…][:step=WxH…][:swizzle=none|32|64|128][:outside=zero|nan][:of=I]
 *
 * 1 to 5 dimensions, the innermost first, of elements that lie side by side; box: the whole tensor, step: 1, unless they are given; of: the argument whose buffer
 * the tensor is, else one of its own. */
#pragma once

#include "base/diag.h"
#include "machine/tensormap.h"

typedef struct TensorArgument {
    TensorMap map; /* at address 0 */
    uint8_t type;  /* Type of the buffer's elements as number_type has them; f16 and bf16 are u16 there */
    bool of_other;
    uint64_t of, count; /* count: of elements */
} TensorArgument;

/* Reads the text up to what fills the buffer, which *fill is then; NULL: nothing does. False and what is wrong. */
bool tensor_argument_read(const char *text, TensorArgument *tensor, const char **fill, Diag *diag);
