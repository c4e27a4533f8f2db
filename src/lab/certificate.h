/* certificate.h: what a learner has solved, as one page that holds the kernels themselves: who doubts it grades them again. Nothing is sealed. */
#pragma once

#include "lab/goals.h"
#include "lab/progress.h"

typedef struct CertificateLab {
    const Goals *goals;
    LabMark mark;       /* of the kernel as it is */
    const char *kernel; /* NULL: it is not there */
    Text learnt;        /* the sentence of its chapter that says it; may be empty */
} CertificateLab;

/* learner: NULL or "": nobody is named. date: "26 November 2026". */
void certificate_page(const char *learner, const char *date, const CertificateLab *labs, size_t count, Text *out);

/* What a page says of the lab of this number: its points, and its kernel to the byte. False where it has no such lab. */
bool certificate_read(const char *page, const char *number, double *points, Text *kernel);
