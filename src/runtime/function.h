/* function.h: what is known of kernels, for those who ask. Internal to src/runtime. */
#pragma once

#include "runtime/image.h"

/* Bytes of static shared memory, and the dynamic ones that a launch may request at present. */
uint64_t function_shared(const ImageKernel *kernel);
uint64_t function_dynamic_limit(const Context *context, const ImageKernel *kernel);

/* Those for which blocks are counted, as an H200 has it: also what every kernel may request until the program sets less. */
uint64_t function_counted_limit(const Context *context, const ImageKernel *kernel);

struct cudaFuncAttributes function_attributes(const Context *context, const ImageKernel *kernel);

/* Blocks of so many threads and bytes of dynamic shared memory that an SM has room for together; 0: for none. */
int function_resident(const Context *context, const ImageKernel *kernel, int threads, size_t shared_bytes);
