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

void lab_reject(Lab *lab, const char *format, ...) {
    LabFailure *failure = lab_failure(lab, NULL);
    char sentence[400];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    if (failure) text_add(&failure->message, "%s", sentence);
    lab_stop();
}

_Noreturn void lab_wrong(LabCase *c, const char *format, ...) {
    LabFailure *failure = lab_failure(c->lab, c);
    char sentence[500];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    if (failure) text_add(&failure->message, "%s", sentence);
    lab_stop();
}
