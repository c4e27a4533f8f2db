#include "class/taken.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lab/variants.h"

uint32_t taken_variant(const Class *class, const Submission *submission) {
    const ClassRequest *request = &class->request;
    return request->course && request->lab->goals->n_varied ? variant_of(request->course, submission->student) : 0;
}

void taken_name(Taken *taken, const Class *class, const Submission *submission, unsigned draw) {
    const char *said = taken->why.set ? taken->why.message : text_string(&taken->bytes);
    size_t count = taken->why.set ? strlen(said) : taken->bytes.length;
    char kind = taken->why.set ? '_' : submission->is_archive ? '+' : '-';
    uint32_t variant = taken_variant(class, submission);
    char of[24] = "";
    if (variant) snprintf(of, sizeof of, KEY_VARIANT "%" PRIu32, variant);
    snprintf(taken->key, sizeof taken->key, "%016" PRIx64 "%c%s%s", random_seed(class->keys[draw], said, count), kind,
             class->grader, of);
}

void taken_take(Taken *taken, const Class *class, const Submission *submission) {
    *taken = (Taken){0};
    submission_take(submission, class->folder, &taken->bytes, &taken->refused, &taken->why);
    taken_name(taken, class, submission, 0);
}

void taken_release(Taken *taken) { text_free(&taken->bytes); }

void taken_path(const Taken *taken, const Class *class, const char *end, Text *path) {
    text_add(path, "%s/state/graded/%s%s", class->request.out, taken->key, end);
}
