#include "lab/expected.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { CLAUSE_BYTES = 400 };

static const char *skip_blanks(const char *text) {
    while (isspace((unsigned char)*text)) text++;
    return text;
}

/* The next clause without blanks around it; the rest, or NULL when there is none left. */
static const char *next_clause(const char *text, char clause[CLAUSE_BYTES]) {
    text = skip_blanks(text);
    if (!*text) return NULL;
    size_t length = strcspn(text, ";"), kept = length < CLAUSE_BYTES ? length : CLAUSE_BYTES - 1;
    while (kept > 0 && isspace((unsigned char)text[kept - 1])) kept--;
    memcpy(clause, text, kept);
    clause[kept] = 0;
    return text + length + (text[length] == ';');
}

/* What follows the word at the clause's beginning, or NULL. */
static const char *after(const char *clause, const char *word) {
    size_t length = strlen(word);
    return strncmp(clause, word, length) == 0 && !isalnum((unsigned char)clause[length]) ? skip_blanks(clause + length) : NULL;
}

/* "KERNEL: PART" */
static void check_wrong(const Lab *lab, const char *clause, bool *named, Text *why) {
    char name[CLAUSE_BYTES];
    size_t length = strcspn(clause, ":");
    const char *part = skip_blanks(clause + length + (clause[length] == ':'));
    memcpy(name, clause, length);
    name[length] = 0;
    int kernel = goals_kernel(lab->goals, name);
    if (kernel < 0) {
        text_add(why, "the verdict names no kernel of the lab: %s\n", name);
        return;
    }
    const LabFailure *failure = &lab->kernels[kernel].failure;
    named[kernel] = true;
    if (!lab->kernels[kernel].wrong)
        text_add(why, "%s is right\n", name);
    else if (!strstr(text_string(&failure->message), part) && !strstr(text_string(&failure->cause), part) &&
             !strstr(failure->fault.message, part))
        text_add(why, "%s is wrong in another way: %s (%s)\n", name, text_string(&failure->message),
                 text_string(&failure->cause));
}

/* Marks the goals of this name: one, or a rule's of every run. Whether one of them is missed goes to `missed`; false: there is none. */
static bool mark_goals(const Lab *lab, const Score *score, const char *name, bool *named, bool *missed) {
    const Goals *goals = lab->goals;
    bool found = false;
    *missed = false;
    for (uint32_t i = 0; i < goals->n_goals; i++) {
        if (goals->goals[i].kind == GOAL_CORRECT || strcmp(goals->goals[i].name, name) != 0) continue;
        found = named[i] = true;
        *missed |= !score->goals[i].met;
    }
    return found;
}

/* Names with blanks between. */
static void check_slow(const Lab *lab, const Score *score, const char *names, bool *named, Text *why) {
    while (*names) {
        char name[CLAUSE_BYTES];
        size_t length = strcspn(names, " \t");
        memcpy(name, names, length);
        name[length] = 0;
        names = skip_blanks(names + length);
        bool missed;
        if (!mark_goals(lab, score, name, named, &missed))
            text_add(why, "the verdict names no goal of the lab: %s\n", name);
        else if (!missed)
            text_add(why, "%s is met\n", name);
    }
}

static void check_worth(const Score *score, const char *most, Text *why) {
    char *end;
    const double points = strtod(most, &end);
    if (end == most || *end)
        text_add(why, "no number of points: %s\n", most);
    else if (score->points > points)
        text_add(why, "it has %g points\n", score->points);
}

/* Whether the goal is missed only because a kernel is wrong or its run went over a limit; a rule, also because the run broke what the verdict
 * names: one mistake breaks several. */
static bool is_consequence(const Lab *lab, const Score *score, const bool *named, uint32_t goal) {
    const Goals *goals = lab->goals;
    int kernel = goals->runs[goals->goals[goal].run].kernel;
    bool with_another = false;
    for (uint32_t i = 0; goals->goals[goal].is_rule && i < goals->n_goals; i++)
        with_another |= named[i] && goals->goals[i].kind == GOAL_LIMIT && goals->goals[i].run == goals->goals[goal].run &&
                        !score->goals[i].met;
    return with_another || (kernel >= 0 && lab->kernels[kernel].wrong) || score->goals[goal].is_void;
}

static void check_rest(const Lab *lab, const Score *score, const bool *wrong, const bool *slow, Text *why) {
    const Goals *goals = lab->goals;
    for (uint32_t i = 0; i < goals->n_kernels; i++) {
        const LabFailure *failure = &lab->kernels[i].failure;
        if (lab->kernels[i].wrong && !wrong[i])
            text_add(why, "%s is wrong: %s (%s)\n", goals->kernels[i], text_string(&failure->message),
                     text_string(&failure->cause));
    }
    for (uint32_t i = 0; i < goals->n_goals; i++)
        if (!score->goals[i].met && !score->goals[i].skipped && goals->goals[i].kind != GOAL_FIGURE && !slow[i] &&
            !is_consequence(lab, score, slow, i))
            text_add(why, "%s is missed: %g %s\n", goals->goals[i].name, score->goals[i].value, score->goals[i].reason);
}

bool expected_holds(const Lab *lab, const Score *score, const char *verdict, Text *why) {
    FREED bool *wrong = alloc_zeroed(lab->goals->n_kernels + 1, sizeof *wrong),
               *slow = alloc_zeroed(lab->goals->n_goals + 1, sizeof *slow);
    char clause[CLAUSE_BYTES];
    unsigned clauses = 0;
    for (; (verdict = next_clause(verdict, clause)); clauses++) {
        const char *rest;
        if ((rest = after(clause, "wrong")))
            check_wrong(lab, rest, wrong, why);
        else if ((rest = after(clause, "slow")))
            check_slow(lab, score, rest, slow, why);
        else if ((rest = after(clause, "worth")))
            check_worth(score, rest, why);
        else if (after(clause, "refused"))
            text_add(why, "it was not refused\n");
        else if (!after(clause, "full"))
            text_add(why, "the verdict is not understood: %s\n", clause);
    }
    if (!clauses) text_add(why, "there is no verdict\n");
    check_rest(lab, score, wrong, slow, why);
    return !why->length;
}

bool expected_refusal(const char *verdict, const char *reason, Text *why) {
    const char *rest = after(skip_blanks(verdict), "refused");
    if (rest && *rest == ':') rest = skip_blanks(rest + 1);
    if (!rest || !strstr(reason, rest)) text_add(why, "it was refused: %s\n", reason);
    return !why->length;
}
