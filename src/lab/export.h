/* export.h: a graded lab's JSON (lab/result.h) as other programs take it: platforms on which learners hand in. One verdict is read from the
 * JSON, and each platform writes it in its own words. A test is: a kernel, right or wrong; a goal with points; a limit or a rule that was
 * measured and gone over. A test's name is the same for all learners. Only what the learner may see is handed on: names, metrics, values,
 * reasons and advice.
 *
 * What could not be graded is never 0 points. Each platform is told so in its own way:
 *
 *     gradescope    no score and no tests: Gradescope says that grading failed, and shows `output`
 *     autolab       "scores": {"Lab 05": null}, an empty score. A last line without scores would be recorded as 0
 *     prairielearn  "gradable": false, which costs no attempt. So is what is refused, as PrairieLearn has it
 *     classroom50   0 of 0 with no tests, as its runner itself writes of errors; the package says that it is one
 *     moodle        an empty grade, which Moodle leaves as it is
 *     text          a line that says so
 *
 * The formats are those of Gradescope's "Autograder Specifications", Autolab's "Guide for Lab Authors" and "Formatted Feedback",
 * PrairieLearn's "External Grading", Classroom 50's "Advanced Autograding" and its runner, and Moodle's grading worksheet
 * (mod/assign/feedback/offline). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/text.h"

typedef enum ExportPlatform {
    EXPORT_GRADESCOPE,   /* results.json */
    EXPORT_AUTOLAB,      /* all of standard output: for people, then formatted feedback, then the autoresult as the last line */
    EXPORT_PRAIRIELEARN, /* results.json */
    EXPORT_CLASSROOM50,  /* of result.json what the grader knows: points in hundredths and tests, not whose they are */
    EXPORT_MOODLE,       /* two fields of a line of CSV: the grade and the feedback comment, in HTML */
    EXPORT_TEXT,         /* for people, 80 columns */
} ExportPlatform;

/* False with a message that lists them. */
bool export_find(const char *name, ExportPlatform *platform, Diag *diag);

/* Appends the result, of `length` bytes, as the platform takes it. Bytes that are no result are handed on as not graded, with a diag;
 * lab is "05", the lab that was graded, or "" where the result alone says so. Returns whether the file was graded, be it with 0 points. */
bool export_result(ExportPlatform platform, const char *lab, const char *result, size_t length, Text *out, Diag *diag);
