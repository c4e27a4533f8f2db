#include "lab/certificate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/outcome.h"
#include "report/html.h"
#include "report/plain.h"

/* Where points and kernels of a lab stand, for whoever reads the page again. */
static const char points_mark[] = "<td class=\"number\" id=\"points-%s\">", kernel_mark[] = "<pre id=\"kernel-%s\">",
                  kernel_end[] = "</pre>";

/* To the byte, unlike html_add. */
static void add_bytes(const char *text, Text *out) {
    for (; *text; text++) {
        if (*text == '<')
            text_add(out, "&lt;");
        else if (*text == '&')
            text_add(out, "&amp;");
        else
            text_add_bytes(out, text, 1);
    }
}

/* The best share of a copy's speed that a run of this lab has, by the model; 0: none is measured so. */
static double speed_of(const CertificateLab *lab) {
    double best = 0;
    for (uint32_t r = 0; r < lab->goals->n_runs; r++) {
        const OutcomeRun run = outcome_run(lab->mark.seen, lab->goals->runs[r].name);
        if (run.measured && run.n_values && run.values[0] > best) best = run.values[0];
    }
    return best;
}

static void add_lab(const CertificateLab *lab, Text *out) {
    const double speed = speed_of(lab);
    text_add(out, "<tr><td>%s ", lab->goals->number);
    html_put(out, "", lab->goals->title, "</td>");
    text_add(out, points_mark, lab->goals->number);
    text_add(out, "%g</td><td class=\"number\">%g</td><td class=\"number\">%u</td><td class=\"number\">%s</td><td>",
             lab->mark.last, lab->goals->points, lab->mark.hints, speed > 0 ? plain_value(speed).text : "");
    html_put(out, "", lab->mark.last >= lab->goals->points ? text_string(&lab->learnt) : "", "</td></tr>\n");
}

static void add_kernel(const CertificateLab *lab, Text *out) {
    text_add(out, "<details><summary>Lab %s, exercises/%s-%s/kernel.cu</summary>", lab->goals->number, lab->goals->number,
             lab->goals->slug);
    text_add(out, kernel_mark, lab->goals->number);
    add_bytes(lab->kernel, out);
    text_add(out, "%s</details>\n", kernel_end);
}

static const char further[] =
    "<h2>Harder</h2>\n<ul>\n"
    "<li>Lab 09 shows your figures beside the book's: beat them (<code>make grade LAB=09</code>).</li>\n"
    "<li>Where there is a GPU, see whether it agrees: <code>make grade LAB=09 DEVICE=gpu</code>.</li>\n"
    "<li>Solve a lab again with blocks of another size, or for doubles in place of floats, and say beforehand what is "
    "counted.</li>\n"
    "<li>Look at a program of your own: <code>build/warpscope run program.cu</code>. Which of its kernels does a lab speak "
    "of?</li>\n"
    "</ul>\n";

void certificate_page(const char *learner, const char *date, const CertificateLab *labs, size_t count, Text *out) {
    LOCAL_TEXT style = {0};
    double points = 0, most = 0;
    size_t solved = 0;
    for (size_t i = 0; i < count; i++) {
        points += labs[i].mark.last, most += labs[i].goals->points;
        solved += labs[i].mark.is_graded && labs[i].mark.last >= labs[i].goals->points;
    }
    text_add(&style, "<style>\n");
    html_style(&style);
    text_add(&style, "</style>\n");
    html_begin(solved == count ? "All labs are solved" : "Labs that are solved", "Thirty-Two", NULL, text_string(&style), out);
    if (learner && *learner) html_put(out, "<p>", learner, "</p>\n");
    text_add(out, "<p class=\"score\"><strong>%g</strong> of %g points, %zu of %zu labs solved, %s</p>\n", points, most, solved,
             count, date);
    text_add(out,
             "<div class=\"wide\"><table>\n<thead><tr><th>Lab</th><th class=\"number\">Points</th><th class=\"number\">of</th>"
             "<th class=\"number\">Hints</th><th class=\"number\">Best speed</th><th>Learnt</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < count; i++) add_lab(&labs[i], out);
    text_add(out,
             "</tbody>\n</table></div>\n<p>Best speed: a run's share of a copy's, modelled.</p>\n%s"
             "<h2>The kernels</h2>\n<p>Whoever wants to be sure has them graded again: <code>make certificate "
             "SUBMISSION=certificate.html</code> compares points with those above.</p>\n",
             further);
    for (size_t i = 0; i < count; i++)
        if (labs[i].kernel) add_kernel(&labs[i], out);
    html_end(out);
}

/* What stands behind the mark of this number; NULL: nothing. */
static const char *behind(const char *page, const char *mark, const char *number) {
    LOCAL_TEXT wanted = {0};
    const char *end = strstr(mark, "%s");
    text_add_bytes(&wanted, mark, (size_t)(end - mark));
    text_add(&wanted, "%s%s", number, end + 2);
    const char *at = strstr(page, text_string(&wanted));
    return at ? at + wanted.length : NULL;
}

bool certificate_read(const char *page, const char *number, double *points, Text *kernel) {
    const char *said = behind(page, points_mark, number), *at = behind(page, kernel_mark, number);
    const char *end = at ? strstr(at, kernel_end) : NULL;
    if (!said || !end) return false;
    *points = strtod(said, NULL);
    while (at < end) {
        const bool less = strncmp(at, "&lt;", 4) == 0, and = strncmp(at, "&amp;", 5) == 0;
        text_add_bytes(kernel, less ? "<" : at, 1);
        at += less ? 4 : and? 5 : 1;
    }
    return true;
}
