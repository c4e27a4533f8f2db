#include "class/submitted.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lab/variants.h"

uint32_t submitted_variant(const Class *class, const Submission *submission) {
    const ClassRequest *request = &class->request;
    return request->course && request->lab->goals->n_varied ? variant_of(request->course, submission->student) : 0;
}

void submitted_name(Submitted *taken, const Class *class, const Submission *submission, unsigned draw) {
    const char *said = taken->why.set ? taken->why.message : text_string(&taken->bytes);
    size_t count = taken->why.set ? strlen(said) : taken->bytes.length;
    char kind = taken->why.set ? '_' : submission->is_archive ? '+' : '-';
    uint32_t variant = submitted_variant(class, submission);
    char of[24] = "";
    if (variant) snprintf(of, sizeof of, KEY_VARIANT "%" PRIu32, variant);
    snprintf(taken->key, sizeof taken->key, "%016" PRIx64 "%c%s%s", random_seed(class->keys[draw], said, count), kind,
             class->grader, of);
}

void submitted_take(Submitted *taken, const Class *class, const Submission *submission) {
    *taken = (Submitted){0};
    submission_take(submission, class->folder, &taken->bytes, &taken->refused, &taken->why);
    submitted_name(taken, class, submission, 0);
}

void submitted_release(Submitted *taken) { text_free(&taken->bytes); }

void submitted_path(const Submitted *taken, const char *end, Text *path) {
    text_add(path, "state/graded/%s%s", taken->key, end);
}
