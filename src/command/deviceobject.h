/* deviceobject.h: what an object file has of device code that is to be linked: where nvcc and clang put it with -rdc=true. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What a compiler calls the registration of a translation unit, before a name that is the unit's alone; and the symbol of its device code. */
#define LINKED_PREFIX "__cudaRegisterLinkedBinary"
#define WRAPPER_PREFIX "__fatbinwrap"

typedef struct ObjectReader {
    void *self;
    void (*unit)(void *self, const char *name,
                 bool defined); /* behind the prefix; whether the object calls, or has, the registration */
    bool (*code)(void *self, const char *data, size_t bytes); /* a fat binary, or PTX as text; false ends the reading */
} ObjectReader;

/* Shows each unit and each device code of an object (bytes, any content). False where the reader has said so. */
bool deviceobject_read(const char *bytes, size_t length, const ObjectReader *reader);
