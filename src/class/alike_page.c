#include "class/alike_page.h"

#include <string.h>

#include "base/alloc.h"
#include "class/alike.h"
#include "class/pages.h"
#include "report/html.h"

static const char what_it_is[] = "<p><strong>This page is a hint, not a finding.</strong> It names submissions whose kernels "
                                 "do the same operations on the same flow of data, "
                                 "whatever their variables are called and in whatever order they stand, and submissions that "
                                 "are written alike, whatever their names, numbers "
                                 "and comments are. That has no influence on any score, and by itself it proves nothing: short "
                                 "kernels look alike, and so does the one right way "
                                 "to do a thing. Only a person who has read both files, and talked with their authors, can "
                                 "judge. Keep this page to yourself.</p>\n"
                                 "<p>What the exercise gives does not count, and what much of the class has counts little. A "
                                 "kernel with little of its own says nothing.</p>\n";

static void add_student(const Alike *alike, uint32_t submission, Text *out) {
    const Submission *of = &alike->class->submissions.items[submission];
    text_add(out, "<a href=\"results/%s/index.html\">", of->slug);
    html_put(out, "", of->student, "</a>");
}

const char *alike_by(const Alike *alike, const LikenessPair *pair) {
    if (pair->code < alike->threshold) return "how it is written";
    return pair->text < alike->threshold ? "what its kernels do" : "what its kernels do, and how it is written";
}

static const AlikeFile *file_of(const Alike *alike, uint32_t likened) { return &alike->files[alike->compared[likened]]; }

/* One of the likeness's files: the first of those that are equal. A link cannot stand where something else is clicked. */
static void add_file(const Alike *alike, uint32_t likened, bool linked, Text *out) {
    const AlikeFile *file = file_of(alike, likened);
    if (file->elsewhere)
        html_add(out, file->elsewhere);
    else if (linked)
        add_student(alike, file->equals[0], out);
    else
        html_add(out, alike->class->submissions.items[file->equals[0]].student);
    if (file->count > 1) text_add(out, " (and %zu with the same file)", file->count - 1);
}

static void add_all(const Alike *alike, const AlikeFile *file, const char *between, Text *out) {
    for (size_t e = 0; e < file->count; e++) {
        text_add(out, "%s", e ? ", " : between);
        add_student(alike, file->equals[e], out);
    }
}

/* --- a pair's lines ------------------------------------------------------------------------------------------------------- */

static void add_line(const Text *listing, uint32_t line, Text *out) {
    const char *at = text_string(listing), *end = at + listing->length;
    for (uint32_t i = 1; i < line && at < end; i++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
    }
    const char *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    size_t length = (size_t)((stop ? stop : end) - at);
    if (length && at[length - 1] == '\r') length--;
    FREED char *copy = alloc_text(at, length);
    text_add(out, "<td class=\"number\">%u</td><td><code>", line);
    html_put(out, "", copy, "</code></td>");
}

static void add_lines(const Alike *alike, size_t part, const LikenessPair *pair, Text *out) {
    const Likeness *likeness = &alike->likeness;
    size_t count;
    FREED LikenessLine *lines = likeness_lines(likeness, part, pair->a, pair->b, &count);
    text_add(out, part < likeness->n_kernels ? "<h4><code>" : "<h4>");
    html_add(out, part < likeness->n_kernels ? likeness->names[part] : "As they are written");
    text_add(out, part < likeness->n_kernels ? "</code></h4>\n" : "</h4>\n");
    if (!count) text_add(out, "<p>The PTX does not say which lines these are.</p>\n");
    if (count) {
        text_add(out, "<table class=\"lines\">\n<thead><tr><th class=\"number\">Line</th><th>");
        add_file(alike, pair->a, true, out);
        text_add(out, "</th><th class=\"number\">Line</th><th>");
        add_file(alike, pair->b, true, out);
        text_add(out, "</th></tr></thead>\n<tbody>\n");
    }
    for (size_t i = 0; i < count && i < LINES_SHOWN; i++) {
        text_add(out, "<tr>");
        add_line(&file_of(alike, pair->a)->source, lines[i].a, out);
        add_line(&file_of(alike, pair->b)->source, lines[i].b, out);
        text_add(out, "</tr>\n");
    }
    if (count) text_add(out, "</tbody>\n</table>\n");
    if (count > LINES_SHOWN) text_add(out, "<p>And %zu lines more.</p>\n", count - LINES_SHOWN);
}

/* Kernels that are below the threshold say little of a pair that is above it by something else. */
static void add_pair(const Alike *alike, const LikenessPair *pair, Text *out) {
    const Likeness *likeness = &alike->likeness;
    text_add(out, "<details>\n<summary>");
    add_file(alike, pair->a, false, out);
    text_add(out, " and ");
    add_file(alike, pair->b, false, out);
    text_add(out, ": <strong>%.1f&nbsp;%%</strong>, by %s", 100 * pair->likeness, alike_by(alike, pair));
    for (size_t k = 0, said = 0; k < likeness->n_kernels; k++) {
        if (!likeness_says(likeness, k, pair->a) || !likeness_says(likeness, k, pair->b)) continue;
        text_add(out, "%s<code>", said++ ? ", " : "; ");
        html_add(out, likeness->names[k]);
        text_add(out, "</code> %.1f&nbsp;%%", 100 * likeness_of_part(likeness, k, pair->a, pair->b, NULL));
    }
    text_add(out, "; the text %.1f&nbsp;%%</summary>\n", 100 * pair->text);
    for (size_t k = 0; k < likeness->n_parts; k++) {
        double share = likeness_of_part(likeness, k, pair->a, pair->b, NULL);
        if (share > 0 && share >= alike->threshold) add_lines(alike, k, pair, out);
    }
    text_add(out, "</details>\n");
}

/* --- the page ------------------------------------------------------------------------------------------------------------- */

static size_t count_pairs(const Likeness *likeness, bool elsewhere) {
    size_t count = 0;
    for (size_t p = 0; p < likeness->n_pairs; p++) count += (likeness->pairs[p].b >= likeness->own) == elsewhere;
    return count;
}

/* Those of one cluster; NO_INDEX: those with files of elsewhere. Of all of the kind the first PAIRS_SHOWN. */
static void add_pairs(const Alike *alike, uint32_t cluster, Text *out) {
    const Likeness *likeness = &alike->likeness;
    size_t seen = 0;
    for (size_t p = 0; p < likeness->n_pairs && seen < PAIRS_SHOWN; p++) {
        const LikenessPair *pair = &likeness->pairs[p];
        if ((pair->b >= likeness->own) != (cluster == NO_INDEX)) continue;
        seen++;
        if (cluster == NO_INDEX || likeness->files[pair->a].cluster == cluster) add_pair(alike, pair, out);
    }
}

static void add_first(const Alike *alike, size_t count, Text *out) {
    if (count > PAIRS_SHOWN)
        text_add(out, "<p>%zu pairs are alike by %.0f&nbsp;%% or more; the first %d are shown with their lines.</p>\n", count,
                 100 * alike->threshold, PAIRS_SHOWN);
}

static void add_clusters(const Alike *alike, Text *out) {
    const Likeness *likeness = &alike->likeness;
    size_t pairs = count_pairs(likeness, false);
    text_add(out, "<h2>Alike</h2>\n");
    if (!pairs) text_add(out, "<p>No two are alike by %.0f&nbsp;%% or more.</p>\n", 100 * alike->threshold);
    add_first(alike, pairs, out);
    for (size_t c = 0; c < alike->n_clusters; c++) {
        uint32_t cluster = alike->clusters[c];
        LOCAL_TEXT names = {0};
        size_t count = 0;
        for (uint32_t i = 0; i < likeness->own; i++) {
            if (likeness->files[i].cluster != cluster) continue;
            const AlikeFile *file = file_of(alike, i);
            add_all(alike, file, count ? ", " : "", &names);
            count += file->count;
        }
        text_add(out, "<h3>%zu submissions</h3>\n<p>%s</p>\n", count, text_string(&names));
        add_pairs(alike, cluster, out);
    }
}

static void add_elsewhere(const Alike *alike, Text *out) {
    const Likeness *likeness = &alike->likeness;
    size_t pairs = count_pairs(likeness, true), others = likeness->count - likeness->own;
    text_add(out, "<h2>Like files of elsewhere</h2>\n<p>%zu were compared with each submission; pairs: %zu.</p>\n", others,
             pairs);
    add_first(alike, pairs, out);
    add_pairs(alike, NO_INDEX, out);
}

static void add_equal(const Alike *alike, Text *out) {
    size_t groups = 0;
    text_add(out, "<h2>The same file</h2>\n");
    for (size_t i = 0; i < alike->own; i++) {
        const AlikeFile *file = &alike->files[i];
        if (file->as_given || file->count < 2) continue;
        text_add(out, "%s<li>%zu: ", groups++ ? "" : "<p>These are the same, byte for byte.</p>\n<ul>\n", file->count);
        add_all(alike, file, "", out);
        text_add(out, "</li>\n");
    }
    text_add(out, groups ? "</ul>\n" : "<p>No two are the same, byte for byte.</p>\n");
    for (size_t i = 0; i < alike->own; i++) {
        if (!alike->files[i].as_given) continue;
        text_add(out, "<p>As the exercise was given: ");
        add_all(alike, &alike->files[i], "", out);
        text_add(out, ".</p>\n");
    }
}

static void add_silent(const Alike *alike, Text *out) {
    const Likeness *likeness = &alike->likeness;
    text_add(out, "<h2>What was not compared</h2>\n<p>A kernel with little that is its own says nothing: ");
    for (size_t k = 0; k < likeness->n_kernels; k++) {
        size_t none = 0;
        for (uint32_t i = 0; i < likeness->own; i++) none += !likeness_says(likeness, k, i);
        text_add(out, "%s<code>", k ? ", " : "");
        html_add(out, likeness->names[k]);
        text_add(out, "</code> in %zu of %zu files", none, likeness->own);
    }
    text_add(out, ".</p>\n");
    if (alike->n_left_out) text_add(out, "<ul>\n");
    for (size_t i = 0; i < alike->n_left_out; i++) {
        text_add(out, "<li>");
        if (alike->left_out[i].elsewhere)
            html_add(out, alike->left_out[i].elsewhere);
        else
            add_student(alike, alike->left_out[i].submission, out);
        html_put(out, ": ", alike->left_out[i].why, "</li>\n");
    }
    if (alike->n_left_out) text_add(out, "</ul>\n");
}

void page_of_alike(const Alike *alike, Text *out) {
    const Likeness *likeness = &alike->likeness;
    const Goals *goals = alike->class->request.lab->goals;
    LOCAL_TEXT home = text_from("Lab %s, %s", goals->number, goals->title);
    page_begin("Likeness", text_string(&home), "", out);
    text_add(out, "%s", what_it_is);
    text_add(out, "<p>%zu different files were compared; pairs are alike by %.0f&nbsp;%% or more: %zu.</p>\n", likeness->own,
             100 * alike->threshold, count_pairs(likeness, false));
    add_equal(alike, out);
    add_clusters(alike, out);
    add_elsewhere(alike, out);
    add_silent(alike, out);
    html_end(out);
}
