/* options.h: what a user's options, which are spelt as nvcc's, mean to clang. */
#pragma once

#include "cuda/argv.h"
#include "cuda/compile.h"

typedef enum CompileSide { SIDE_DEVICE, SIDE_HOST } CompileSide;

/* Adds the options that the compilation of that side needs, as clang spells them. */
void options_add(Argv *command, const CompileRequest *request, CompileSide side);

/* Adds all but those that name a device, for nvcc itself. */
void options_add_nvcc(Argv *command, const CompileRequest *request);

/* Whether an option begins so. */
bool options_have(const CompileRequest *request, const char *prefix);

/* The device: as the request says, else as the options do ("sm_80" for -arch=sm_80, -arch compute_80 and -gencode
 * arch=compute_80,code=…), else sm_75, which all compilers know. Writes it into arch. */
void options_arch(const CompileRequest *request, char *arch, size_t arch_bytes);

/* The level at which device code is optimised: "-O3" where nothing else is asked for. */
const char *options_level(const CompileRequest *request);
