/* home.h: where things lie that the program needs: in PATH, in the tree, or where `make install` put them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A program of that name in the folder, of which these are the first bytes; in a folder of PATH. */
bool program_in(const char *folder, size_t bytes, const char *name, char *path, size_t path_bytes);
bool program_in_path(const char *name, char *path, size_t path_bytes);

/* All but the library lie in one folder, home: what WARPSCOPE_HOME names, else the first folder above the running program that holds our
 * CUDA headers. Each function writes a path, or is false with path undefined where there is no such thing. program: argv[0], for systems
 * without /proc, or NULL. */

/* The folder of our CUDA headers: src/include of the tree, include of an installation. */
bool home_headers(const char *program, char *path, size_t path_bytes);

/* The tree with the exercises, which no installation has. */
bool home_labs(const char *program, char *path, size_t path_bytes);

/* The nvcc that ./setup --cuda fetched. */
bool home_nvcc(const char *program, char *path, size_t path_bytes);

/* The program that grades the lab "05-transpose": beside the running program, as both come from one build. */
bool home_grader(const char *program, const char *lab, char *path, size_t path_bytes);

/* A file of what explorers' pages are made of, beside the running program. */
bool home_explorer(const char *program, const char *name, char *path, size_t path_bytes);

/* The script of the sandbox, which is only run as part of home, and the folder of the running program, which it is told. */
bool home_sandbox(const char *program, char *path, size_t path_bytes);
bool home_build(const char *program, char *path, size_t path_bytes);

/* What whole programs are linked with: beside the running program, whatever WARPSCOPE_HOME says, as both come from one build. */
bool home_library(const char *program, char *path, size_t path_bytes);
