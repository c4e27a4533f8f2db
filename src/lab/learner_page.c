#include "lab/learner_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "lab/outcome.h"
#include "report/html.h"
#include "report/object.h"
#include "report/plain.h"

enum { CHART_WIDTH = 860, CHART_HEIGHT = 220, CHART_LEFT = 44, CHART_BOTTOM = 24, CHART_TOP = 8, DAY_WIDTH = 70 };

static void add_style(Text *out) {
    text_add(out, "<style>\n");
    html_style(out);
    text_add(out,
             "/* This page */\n"
             ".progress .share { background: var(--panel); border-radius: 0.2rem; min-width: 8rem; }\n"
             ".progress td { vertical-align: middle; white-space: nowrap; }\n"
             ".progress .bar-of { min-width: 0; }\n"
             ".chart { width: 100%%; height: auto; font: 12px system-ui, sans-serif; fill: var(--soft); }\n"
             ".chart .grid { stroke: var(--line); }\n"
             ".chart .line { stroke: var(--link); stroke-width: 2; fill: none; }\n"
             ".chart circle { fill: var(--link); }\n"
             ".chart circle.reset { fill: var(--special); }\n"
             ".maps { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%%), 1fr)); gap: 1rem; }\n"
             ".maps figure { margin: 0; }\n"
             ".maps img { width: 100%%; height: auto; display: block; border: 1px solid var(--line); border-radius: 0.3rem; }\n"
             "@media (max-width: 40rem) { .progress .bars, .progress th:nth-child(3) { display: none; } }\n"
             "body.class main:has(.progress) { max-width: 72rem; }\n"
             "</style>\n");
}

/* --- the labs ------------------------------------------------------------------------------------------------------------- */

static bool is_of(const HistoryEntry *entry, const LearnerLab *lab) { return strcmp(entry->number, lab->goals->number) == 0; }

/* Where the lab was begun for the last time. */
static size_t begun_at(const LearnerLab *lab, const History *history) {
    size_t begun = 0;
    for (size_t i = 0; i < history->count; i++)
        if (history->entries[i].is_reset && is_of(&history->entries[i], lab)) begun = i;
    return begun;
}

static size_t gradings(const LearnerLab *lab, const History *history) {
    size_t count = 0;
    for (size_t i = begun_at(lab, history); i < history->count; i++)
        count += is_of(&history->entries[i], lab) && !history->entries[i].is_reset;
    return count;
}

static void add_labs(const LearnerLab *labs, size_t count, const History *history, Text *out) {
    text_add(out, "<div class=\"wide\"><table class=\"progress\">\n<thead><tr><th>Lab</th><th></th><th></th><th "
                  "class=\"number\">Points</th>"
                  "<th class=\"number\">Gradings</th><th class=\"number\">Hints</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < count; i++) {
        const LearnerLab *lab = &labs[i];
        double best = lab->mark.best, most = lab->goals->points;
        text_add(out, "<tr><td>%s</td><td>", lab->goals->number);
        if (best > 0) text_add(out, "<a href=\"#lab%s\">", lab->goals->number);
        html_add(out, lab->goals->title);
        text_add(
            out,
            "%s</td><td class=\"bars\"><div class=\"share\"><div class=\"bar-of\" style=\"width: %.1f%%\"></div></div></td>",
            best > 0 ? "</a>" : "", 100 * fmin(best / most, 1));
        text_add(out, "<td class=\"number\">%g of %g</td><td class=\"number\">%zu</td><td class=\"number\">%u</td></tr>\n",
                 best, most, gradings(lab, history), lab->mark.hints);
    }
    text_add(out, "</tbody>\n</table></div>\n");
}

/* --- points over time ----------------------------------------------------------------------------------------------------- */

/* The sum of the labs' best points once this entry is counted, too. */
static double count_entry(const LearnerLab *labs, size_t count, const HistoryEntry *entry, double *best) {
    double sum = 0;
    for (size_t l = 0; l < count; l++) {
        if (is_of(entry, &labs[l])) best[l] = entry->is_reset ? 0 : fmax(best[l], entry->points);
        sum += best[l];
    }
    return sum;
}

static void day_of(int64_t when, char *day, size_t size) {
    time_t seconds = (time_t)when;
    struct tm parts;
    day[0] = 0;
    if (localtime_r(&seconds, &parts)) strftime(day, size, "%d %b", &parts);
}

/* A point a grading, however long the pauses between them; below, where a day begins. */
static void add_chart(const LearnerLab *labs, size_t count, const History *history, Text *out) {
    double most = 0, wide = CHART_WIDTH - CHART_LEFT - 8, high = CHART_HEIGHT - CHART_BOTTOM - CHART_TOP, labelled = -DAY_WIDTH;
    char before[32] = "", day[32];
    LOCAL_TEXT path = {0};
    for (size_t i = 0; i < count; i++) most += labs[i].goals->points;
    if (history->count < 2 || most <= 0) return;
    FREED double *best = alloc_zeroed(count, sizeof *best);
    text_add(out,
             "<h2>Points over time</h2>\n<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Points after "
             "each of %zu gradings\">\n",
             CHART_WIDTH, CHART_HEIGHT, history->count);
    for (int i = 0; i <= 3; i++) {
        double y = CHART_TOP + high * (3 - i) / 3;
        text_add(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                 CHART_LEFT, y, CHART_WIDTH, CHART_LEFT - 6, y + 4, round(most * i / 3));
    }
    for (size_t i = 0; i < history->count; i++) {
        const HistoryEntry *entry = &history->entries[i];
        double points = count_entry(labs, count, entry, best);
        double x = CHART_LEFT + wide * (double)i / (double)(history->count - 1), y = CHART_TOP + high * (1 - points / most);
        text_add(&path, i ? "H%.1fV%.1f" : "M%.1f %.1f", x, y);
        day_of(entry->time, day, sizeof day);
        text_add(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"%s><title>%s, lab %s: ", x, y,
                 entry->is_reset ? " class=\"reset\"" : "", day, entry->number);
        text_add(out, entry->is_reset ? "begun anew" : "%g points", entry->points);
        text_add(out, "; %g in all</title></circle>\n", points);
        if (strcmp(day, before) != 0 && x - labelled >= DAY_WIDTH && x < CHART_WIDTH - DAY_WIDTH / 2) {
            text_add(out, "<text x=\"%.1f\" y=\"%d\">%s</text>\n", x, CHART_HEIGHT - 6, day);
            labelled = x;
        }
        strcpy(before, day);
    }
    text_add(out, "<path class=\"line\" d=\"%s\"/>\n</svg>\n", text_string(&path));
    text_add(out, "<p class=\"caption\">The best points of all labs together after each grading, in order.</p>\n");
}

/* --- a lab ---------------------------------------------------------------------------------------------------------------- */

typedef struct Range {
    bool known;
    OutcomeRun first, best; /* best: of each number the least */
} Range;

/* The first of all gradings that measured the run, and the best since the lab was begun. */
static Range range_of(const LearnerLab *lab, const History *history, const char *run) {
    Range range = {0};
    size_t begun = begun_at(lab, history);
    bool is_since = false; /* range.best is of a grading since then */
    for (size_t i = 0; i < history->count; i++) {
        const HistoryEntry *entry = &history->entries[i];
        OutcomeRun seen = is_of(entry, lab) && !entry->is_reset ? outcome_run(entry->seen, run) : (OutcomeRun){0};
        if (!seen.measured) continue;
        if (!range.known) range.first = seen;
        if (!is_since) range.best = seen;
        range.known = true;
        is_since = i >= begun;
        range.best.sectors = fmin(range.best.sectors, seen.sectors);
        range.best.conflicts = fmin(range.best.conflicts, seen.conflicts);
        range.best.time_us = fmin(range.best.time_us, seen.time_us);
    }
    return range;
}

static void add_pair(double first, double best, Text *out) {
    text_add(out, "<td class=\"number\">%s</td><td class=\"number\">%s</td>", plain_value(first).text, plain_value(best).text);
}

static void add_runs(const LearnerLab *lab, const History *history, Text *out) {
    LOCAL_TEXT rows = {0};
    for (uint32_t r = 0; r < lab->goals->n_runs; r++) {
        const GoalRun *run = &lab->goals->runs[r];
        Range range = range_of(lab, history, run->name);
        if (!range.known) continue;
        text_add(&rows, "<tr><td>");
        html_add(&rows, run->text);
        text_add(&rows, "</td>");
        add_pair(range.first.sectors, range.best.sectors, &rows);
        add_pair(range.first.conflicts, range.best.conflicts, &rows);
        text_add(&rows, "<td class=\"number\">%s</td><td class=\"number\">%s</td></tr>\n", plain_time(range.first.time_us).text,
                 plain_time(range.best.time_us).text);
    }
    if (rows.length)
        text_add(out,
                 "<div class=\"wide\"><table>\n<thead><tr><th rowspan=\"2\">Run</th><th class=\"number\" "
                 "colspan=\"2\">Sectors</th><th class=\"number\" "
                 "colspan=\"2\">Bank conflicts</th><th class=\"number\" colspan=\"2\">Modelled time</th></tr>\n<tr><th "
                 "class=\"number\">first</th><th class=\"number\">best</th><th class=\"number\">first</th><th "
                 "class=\"number\">best</th><th class=\"number\">first</th><th class=\"number\">best</th></tr></thead>\n"
                 "<tbody>\n%s</tbody>\n</table></div>\n",
                 text_string(&rows));
}

/* The SVG of an access of a run; the costliest where `access` is NULL. */
static const char *figure_of(const json_t *result, const char *run, const char *access) {
    const json_t *runs = json_object_get(result, "runs");
    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *of = json_array_get(runs, i), *figures = json_object_get(of, "figures");
        for (size_t f = 0; strcmp(object_string(of, "name"), run) == 0 && f < json_array_size(figures); f++) {
            const json_t *figure = json_array_get(figures, f);
            if (!access || strcmp(object_string(figure, "access"), access) == 0) return object_string(figure, "svg");
        }
    }
    return NULL;
}

/* An image of its own, since the names inside a figure are those of every other. */
static void add_figure(const char *svg, const char *when, const char *run, Text *out) {
    text_add(out, "<figure><img alt=\"");
    html_add(out, when);
    text_add(out, "\" src=\"data:image/svg+xml,");
    for (const char *c = svg; *c; c++) {
        bool escaped = strchr("%#<>\"'&\n{}", *c) || (unsigned char)*c >= 127;
        text_add(out, escaped ? "%%%02X" : "%c", escaped ? (unsigned char)*c : *c);
    }
    text_add(out, "\"><figcaption class=\"caption\">%s: ", when);
    html_add(out, run);
    text_add(out, "</figcaption></figure>\n");
}

static double points_of(const Goals *goals, uint32_t run) {
    double sum = 0;
    for (uint32_t i = 0; i < goals->n_goals; i++)
        if (goals->goals[i].run == run) sum += goals->goals[i].points;
    return sum;
}

/* The kind of access that cost most when the run with most points began, then and now. */
static void add_maps(const LearnerLab *lab, Text *out) {
    const Goals *goals = lab->goals;
    int chosen = -1;
    for (uint32_t r = 0; r < goals->n_runs; r++)
        if (figure_of(lab->before, goals->runs[r].name, NULL) &&
            (chosen < 0 || points_of(goals, r) > points_of(goals, (uint32_t)chosen)))
            chosen = (int)r;
    if (chosen < 0) return;
    const char *run = goals->runs[chosen].name, *before = figure_of(lab->before, run, NULL);
    const json_t *runs = json_object_get(lab->before, "runs"), *figures = NULL;
    for (size_t i = 0; i < json_array_size(runs); i++)
        if (strcmp(object_string(json_array_get(runs, i), "name"), run) == 0)
            figures = json_object_get(json_array_get(runs, i), "figures");
    const char *now = figure_of(lab->now, run, object_string(json_array_get(figures, 0), "access"));
    if (!now) now = figure_of(lab->now, run, NULL);
    text_add(out, "<div class=\"maps\">\n");
    add_figure(before, "Before", goals->runs[chosen].text, out);
    if (now) add_figure(now, "Now", goals->runs[chosen].text, out);
    text_add(out, "</div>\n");
}

void learner_page(const LearnerLab *labs, size_t count, const History *history, Text *out) {
    LOCAL_TEXT style = {0};
    double points = 0, most = 0;
    size_t solved = 0;
    add_style(&style);
    html_begin("Your progress", "Thirty-Two", "#", text_string(&style), out);
    for (size_t i = 0; i < count; i++) {
        points += labs[i].mark.best;
        most += labs[i].goals->points;
        solved += labs[i].mark.is_graded && labs[i].mark.best >= labs[i].goals->points;
    }
    text_add(out, "<p class=\"score\"><strong>%g</strong> of %g points, %zu of %zu labs solved</p>\n", points, most, solved,
             count);
    add_labs(labs, count, history, out);
    add_chart(labs, count, history, out);
    for (size_t i = 0; i < count; i++) {
        if (!(labs[i].mark.best > 0)) continue;
        text_add(out, "<h2 id=\"lab%s\">Lab %s, ", labs[i].goals->number, labs[i].goals->number);
        html_add(out, labs[i].goals->title);
        text_add(out, "</h2>\n");
        add_runs(&labs[i], history, out);
        add_maps(&labs[i], out);
    }
    html_end(out);
}
