/* signature.h: the types of a kernel's parameters, as far as its mangled name tells them. PTX itself keeps only their sizes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ptx/program.h"

enum { SIGNATURE_PARAMETERS = 64 };

typedef struct Signature {
    char *text;     /* "void scale<float>(float*, int)", or just the name */
    uint32_t count; /* 0 when the types are not known: extern "C", too many parameters */
    struct {
        const char *start; /* in text; not NUL-terminated */
        uint32_t length;
    } types[SIGNATURE_PARAMETERS];
} Signature;

typedef enum ParamKind { PARAM_UNKNOWN, PARAM_POINTER, PARAM_INTEGER, PARAM_FLOAT } ParamKind;

Signature signature_of(const Function *kernel);
void signature_free(Signature *signature);

ParamKind signature_kind(const Signature *signature, uint32_t index);

/* "an int (4 bytes)", "a float* (8 bytes)"; where types are not known "8 bytes (a pointer or a 64-bit number)", into text. */
void signature_describe(const Signature *signature, uint32_t index, uint64_t bytes, char *text, uint32_t size);
