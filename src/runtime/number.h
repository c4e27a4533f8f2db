/* number.h: the numbers that libraries' matrices are made of. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum NumberType { NUMBER_F16, NUMBER_BF16, NUMBER_F32, NUMBER_F64, NUMBER_I8, NUMBER_I32 } NumberType;

/* Bytes of one. */
size_t number_bytes(NumberType type);

/* The number as it is stored there. Exact: a double has all. */
double number_load(NumberType type, const void *from);

/* Rounded to the nearest, ties to even; of integers the value must be one of them. */
void number_store(NumberType type, void *to, double value);
