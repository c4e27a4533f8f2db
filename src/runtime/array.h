/* array.h: CUDA arrays: device memory in rows without gaps, which only copies, textures and surfaces reach. On a GPU their bytes lie in blocks, which
 * nothing here shows. Internal to src/runtime. */
#pragma once

#include "runtime/work.h"

/* What a cudaArray_t points to. */
struct cudaArray {
    struct cudaArray *next;
    Allocation *allocation;
    struct cudaChannelFormatDesc format;
    struct cudaExtent extent; /* as asked for: 0 where there is no such dimension; depth: slices or layers */
    unsigned flags;
};

/* 0: no array or texture has texels of this format. */
unsigned format_bytes(const struct cudaChannelFormatDesc *format);

/* NULL: the program has none such. */
const struct cudaArray *array_find(const Context *context, cudaArray_const_t handle);

/* Bytes of a row; where a box begins in it. */
size_t array_row(const struct cudaArray *array);
Side array_side(const struct cudaArray *array, size_t x_bytes, size_t y, size_t z);
/* Whether these bytes of so many rows and slices are in it. */
bool array_holds(const struct cudaArray *array, const struct cudaPos *at, Box box);

/* With the device's memory. */
void arrays_reset(Context *context);
