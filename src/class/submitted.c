#include "class/submitted.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lab/variants.h"

uint32_t submitted_variant(const Submitted *taken) {
    const ClassRequest *request = &taken->class->request;
    return request->course && request->lab->goals->n_varied ? variant_of(request->course, taken->submission->student) : 0;
}

void submitted_name(Submitted *taken, unsigned draw) {
    const char *said = taken->why.set ? taken->why.message : text_string(&taken->bytes);
    size_t count = taken->why.set ? strlen(said) : taken->bytes.length;
    char kind = taken->why.set ? '_' : taken->submission->is_archive ? '+' : '-';
    uint32_t variant = submitted_variant(taken);
    char of[24] = "";
    if (variant) snprintf(of, sizeof of, KEY_VARIANT "%" PRIu32, variant);
    snprintf(taken->key, sizeof taken->key, "%016" PRIx64 "%c%s%s", random_seed(taken->class->keys[draw], said, count), kind,
             taken->class->grader, of);
}

void submitted_take(Submitted *taken, const Class *class, const Submission *submission) {
    *taken = (Submitted){.class = class, .submission = submission};
    submission_take(submission, class->folder, &taken->bytes, &taken->refused, &taken->why);
    submitted_name(taken, 0);
}

void submitted_release(Submitted *taken) {
    text_free(&taken->bytes);
    text_free(&taken->unable);
}

Text submitted_path(const Submitted *taken, const char *end) { return text_from("state/graded/%s%s", taken->key, end); }
