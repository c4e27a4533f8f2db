#include "lab/failure.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/given.h"
#include "lab/relaunch.h"

void lab_stop(void) {
    ck_abort_msg("see the result");
    abort(); /* ck_abort_msg does not come back */
}

LabFailure *lab_failure(Lab *lab, const LabCase *c) {
    KernelResult *kernel = lab->kernel >= 0 ? &lab->kernels[lab->kernel] : NULL;
    bool *bad = kernel ? &kernel->wrong : &lab->runs[lab->run].failed;
    LabFailure *failure = kernel ? &kernel->failure : &lab->runs[lab->run].failure;
    if (*bad) return NULL;
    *bad = true;
    if (c) text_add(&failure->where, "%s", c->title);
    if (c && kernel && c->words.length) kernel->relaunch = relaunch_object(c, &c->words);
    if (kernel && lab->given && lab->source.text)
        given_say_changes(lab->given, lab->source.text, lab->goals->kernels[lab->kernel], &failure->cause);
    return failure;
}

void failure_free(LabFailure *failure) {
    text_free(&failure->where);
    text_free(&failure->message);
    text_free(&failure->cause);
    text_free(&failure->sentence);
}

/* The sentence is the failure's message, unless there is one already. */
static _Noreturn void fail_with(LabFailure *failure, const char *format, va_list list) {
    if (failure) text_add_list(&failure->message, format, list);
    lab_stop();
}

void lab_reject(Lab *lab, const char *format, ...) {
    va_list list;
    va_start(list, format);
    fail_with(lab_failure(lab, NULL), format, list);
}

_Noreturn void lab_wrong(LabCase *c, const char *format, ...) {
    va_list list;
    va_start(list, format);
    fail_with(lab_failure(c->lab, c), format, list);
}
