/* operands.h: the values that instructions are given: of each type its edges, combined with each other, then random ones. They are the same on
 * every machine. */
#pragma once

#include "forms.h"

/* A constant for a source, as PTX writes it: one of the list's edges, chosen by `seed`, a text. */
void operand_immediate(List list, Type type, const char *seed, char *text, size_t bytes);

/* How many lanes a line's operands fill, a multiple of 256; `edges`: of them those that come first and combine edges. */
uint32_t operands_lanes(const Line *line, uint32_t *edges);

/* values[source * lanes + lane]. Above a source's width they are anything. */
void operands_fill(const Line *line, uint32_t lanes, uint64_t *values);

/* 64 bits that look random. */
uint64_t operand_hash(uint64_t seed);
