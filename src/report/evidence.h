/* evidence.h: a record of hardware (record.h) against the emulator's record of the same launches: what agrees, and by how much the others differ.
 *
 * A run agrees in
 *   requests  when requests and sectors of global loads and stores are equal
 *   l1        when sectors that hit L1 differ by at most 2% of the sectors loaded
 *   l2        when sectors read from L2 differ by at most 10%
 *   shared    when wavefronts of shared loads and stores differ by at most 2%: those of the addresses, where the record has them, else the pipe's
 *   time      when the modelled time is at most 1.4 times the measured one, and at least 1/1.4 of it
 * A list of known differences says of runs that do not agree, why: a line is PATTERN QUANTITY REASON, the pattern as a shell's, # begins a
 * comment.
 *
 * Every third run is held out: the time model's constants were chosen without it. It is one whose name's checksum (POSIX cksum) is divisible
 * by 3, so that the times have no say in it. */
#pragma once

#include "base/diag.h"

/* Writes one JSON object:
 * {"runs": {"NAME": {"held_out", "optimised", "measured_us", "modelled_us", "ratio", "requests", "l1", "l2", "shared", "time" (true where it
 * agrees), "l1_difference", "l2_difference", "shared_difference" (shares), "known": {QUANTITY: REASON}}},
 * "agree": {QUANTITY: runs}, "count": runs, "held_out", "all": {"runs", "error", "pairs", "order"}, "unknown": ["NAME QUANTITY"], "idle": [PATTERN…]}
 * error: geometric mean of the factor between modelled and measured times, less 1; order: the share of the pairs whose measured times differ by
 * over 25% that are modelled in the same order; both of runs that were assembled with optimisation. unknown: what does not agree and has no reason; idle: entries of the
 * list that explain nothing. measured, emulated, differences: the texts; *unknown: how many are unknown. False and a message when one of them is
 * broken. */
bool evidence_compare(const char *measured, const char *emulated, const char *differences, Text *out, size_t *unknown,
                      Diag *diag);
