#include "lab/variants.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "lab/random.h"

static const char begin_mark[] = "// BEGIN YOUR CODE", end_mark[] = "// END YOUR CODE";
static const char constant[] = "extern \"C\" { __constant__ int variant = ", first_part[] = "// ---- 1. ";

/* --- numbers -------------------------------------------------------------------------------------------------------------- */

uint32_t variant_of(const char *course, const char *learner) {
    static const uint8_t none[RANDOM_KEY_BYTES];
    uint8_t key[RANDOM_KEY_BYTES];
    LOCAL_TEXT name = {0};
    uint64_t word = random_seed(none, course, strlen(course));
    for (int i = 0; i < RANDOM_KEY_BYTES; i++) key[i] = (uint8_t)(random_bits(word, (uint64_t)i / 8) >> i % 8 * 8);
    for (const char *c = learner; *c; c++) text_add_bytes(&name, &(char){(char)tolower((unsigned char)*c)}, 1);
    uint64_t hash = random_seed(key, text_string(&name), name.length);
    return 1 + (uint32_t)(hash % MOST_VARIANT);
}

/* Which of its values. Who has another variant never has the book's, whose answers are printed. */
static int32_t value_of(const VariedNumber *number, uint32_t variant) {
    static const uint8_t key[RANDOM_KEY_BYTES];
    uint64_t group = random_seed(key, number->name, strcspn(number->name, "."));
    return number->values[variant ? 1 + random_bits(variant, group) % (number->count - 1) : 0];
}

int32_t variant_number(const Goals *goals, uint32_t variant, const char *name) {
    for (uint32_t i = 0; i < goals->n_varied; i++)
        if (strcmp(goals->varied[i].name, name) == 0) return value_of(&goals->varied[i], variant);
    abort();
}

/* --- texts ---------------------------------------------------------------------------------------------------------------- */

/* A copy in which nothing stands between the marks, at the same places. */
static char *without_marked(const char *text) {
    char *copy = alloc_copy(text);
    for (char *begin = copy; (begin = strstr(begin, begin_mark));) {
        char *end = strstr(begin, end_mark);
        if (!end) end = begin + strlen(begin);
        memset(begin, ' ', (size_t)(end - begin));
        begin = end;
    }
    return copy;
}

uint32_t variant_in(const char *text) {
    FREED char *given = without_marked(text);
    const char *found = strstr(given, constant);
    uint32_t variant = found ? (uint32_t)strtoul(found + strlen(constant), NULL, 10) : 0;
    return variant;
}

/* A text of GIVEN with the numbers of a variant in it. */
static void fill_in(const Goals *goals, const char *given, uint32_t variant, Text *out) {
    while (*given) {
        const VariedNumber *number = NULL;
        for (uint32_t i = 0; *given == '{' && i < goals->n_varied; i++) {
            size_t length = strlen(goals->varied[i].name);
            if (strncmp(given + 1, goals->varied[i].name, length) == 0 && given[1 + length] == '}') number = &goals->varied[i];
        }
        if (number)
            text_add(out, "%d", value_of(number, variant));
        else
            text_add_bytes(out, given, 1);
        given += number ? strlen(number->name) + 2 : 1;
    }
}

/* What stands before the first part. */
static void fill_in_head(uint32_t variant, Text *out) {
    if (variant)
        text_add(out, "// The numbers of part 1 are those of variant %u: leave them as they are.\n%s%u; }\n\n", variant,
                 constant, variant);
    text_add(out, "%s", first_part);
}

typedef struct Change {
    size_t at, length;
    Text to;
} Change;

static int by_place(const void *a, const void *b) {
    const Change *left = a, *right = b;
    return left->at < right->at ? -1 : left->at > right->at;
}

/* Where the kernel begins and ends; the whole text for -1. False where there is no such kernel. */
static bool find_kernel(const Goals *goals, const char *given, int kernel, const char **begin, const char **end) {
    LOCAL_TEXT head = {0};
    *begin = given, *end = given + strlen(given);
    if (kernel < 0) return true;
    text_add(&head, "void %s(", goals->kernels[kernel]);
    *begin = strstr(given, text_string(&head));
    const char *brace = *begin ? strstr(*begin, "\n}") : NULL;
    if (brace) *end = brace;
    return *begin;
}

/* False where what is between does not have the text just once. */
static bool find_once(const char *begin, const char *end, const char *text, const char **found) {
    const char *again = *found = strstr(begin, text);
    if (again) again = strstr(again + 1, text);
    return *found && *found < end && !(again && again < end);
}

/* What is to be written anew: the text without what stands between the marks, of the variant `before`. */
typedef struct Rewriting {
    const Goals *goals;
    const char *given, *path;
    uint32_t before, after;
    Change *changes; /* one for each given text, and one for the head */
} Rewriting;

static bool find_changes(const Rewriting *of, Diag *diag) {
    const Goals *goals = of->goals;
    bool good = true;
    for (uint32_t i = 0; good && i <= goals->n_given; i++) {
        const GivenText *one = i < goals->n_given ? &goals->given[i] : NULL;
        const char *begin, *end, *found;
        Text from = {0};
        if (one)
            fill_in(goals, one->text, of->before, &from), fill_in(goals, one->text, of->after, &of->changes[i].to);
        else
            fill_in_head(of->before, &from), fill_in_head(of->after, &of->changes[i].to);
        good = find_kernel(goals, of->given, one ? one->kernel : -1, &begin, &end) &&
               find_once(begin, end, text_string(&from), &found);
        if (good) {
            of->changes[i].at = (size_t)(found - of->given), of->changes[i].length = from.length;
        } else {
            diag_error(diag, of->path, 0, 0, "%s is not as it was given: it should have, just once, '%.*s'",
                       one && one->kernel >= 0 ? goals->kernels[one->kernel] : "the file",
                       (int)strcspn(text_string(&from), "\n"), text_string(&from));
            diag_hint(diag, "make reset LAB=%s puts it back, and keeps yours", goals->number);
        }
        text_free(&from);
    }
    return good;
}

bool variant_write(const Goals *goals, const char *text, const char *path, uint32_t variant, Text *out, Diag *diag) {
    FREED char *given = without_marked(text);
    uint32_t count = goals->n_varied ? goals->n_given + 1 : 0;
    FREED Change *changes = alloc_zeroed(count + 1, sizeof *changes);
    bool good = !count || find_changes(&(Rewriting){goals, given, path, variant_in(text), variant, changes}, diag);
    size_t done = 0;
    if (good) {
        qsort(changes, count, sizeof *changes, by_place);
        for (uint32_t i = 0; i < count; i++) {
            text_add_bytes(out, text + done, changes[i].at - done);
            text_add_bytes(out, text_string(&changes[i].to), changes[i].to.length);
            done = changes[i].at + changes[i].length;
        }
        text_add_bytes(out, text + done, strlen(text + done));
    }
    for (uint32_t i = 0; i < count; i++) text_free(&changes[i].to);
    return good;
}
