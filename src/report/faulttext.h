/* faulttext.h: what a kernel did wrong, with the source line and its text, the other access of a race, the function in a header that was
 * called there, and the hint. */
#pragma once

#include "report/page.h"
#include "report/report.h"
#include "report/spot.h"

/* Appends the fault's sentence without its position. True when block and thread are in it. */
bool faulttext_sentence(const Report *report, const Fault *fault, Text *out);

/* The same without block and thread. */
void faulttext_message(const Report *report, const Fault *fault, Text *out);

/* Takes out what is told of lanes that go round a barrier by a return: compilers make one of what stands in front of that and what all lanes do at the
 * end, so that they seem to have more to do; --check strict has it told. */
void faulttext_settle(const Report *report, FindingLog *log);

/* The other place that the fault concerns: another access, another barrier, the branch by which lanes left. Line 0: there is none, or it is not known. */
Spot faulttext_other(const Report *report, const Fault *fault);

/* "shared race, sum.cu:14, in reduce(float*): 41 times in 7 launches" */
void faulttext_add_count(const Report *report, const Finding *finding, Text *out);

/* Appends lines of at most 80 columns; nothing when the launch had no fault. */
void faulttext_add(const Report *report, Page page, Text *out);
