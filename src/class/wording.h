/* wording.h: how a source file is written, as numbers: of each few tokens in a row one, as plagiarism detectors take them. Names are one and the
 * same but for those of the language and of CUDA, and so are numbers; comments, layout, #pragma and qualifiers that change nothing are left out.
 *
 * It sees what fingerprints of what a kernel does miss: two changed constants or `#pragma unroll 1` make other instructions of the same text. */
#pragma once

#include "class/fingerprint.h"

enum { WORDING_TOKENS = 8 };

/* The caller frees by fingerprints_free. */
void wording_take(const char *text, size_t length, Fingerprints *prints);
