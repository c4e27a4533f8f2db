/* cmd_lab_certificate.c: warpscope lab certificate: what a learner has solved, as a page, and whether what such a page says is so. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "class/sandboxed.h"
#include "command/cmd_lab.h"
#include "host/replace.h"
#include "lab/certificate.h"
#include "lab/markdown.h"
#include "lab/variants.h"

enum { PAGE_BYTES = 16 << 20, SPREAD = 2 }; /* SPREAD: points that may hang on the compiler, and on what is drawn */

/* --- writing -------------------------------------------------------------------------------------------------------------- */

static void read_learnt(const CatalogueEntry *lab, Text *out) {
    LOCAL_TEXT path = text_from("chapters/%s.md", lab->folder);
    FREED char *chapter = text_read_file(text_string(&path), KERNEL_BYTES, NULL);
    if (chapter) markdown_emphasis(chapter, "## In short", out);
}

static int write_page(LabTree *tree, const LabWords *words, Diag *diag) {
    const size_t count = tree->catalogue.count;
    FREED CertificateLab *labs = alloc_zeroed(count, sizeof *labs);
    char date[40];
    const time_t now = time(NULL);
    LOCAL_TEXT page = {0}, path = text_from("%s/certificate.html", cmd_lab_build(tree));
    if (!cmd_lab_regrade(tree, diag)) return EXIT_FAULT;
    for (size_t i = 0; i < count; i++) {
        labs[i].goals = tree->catalogue.labs[i].goals;
        labs[i].mark = progress_of(&tree->progress, labs[i].goals->number);
        labs[i].kernel = text_read_file(tree->catalogue.labs[i].kernel, KERNEL_BYTES, NULL);
        read_learnt(&tree->catalogue.labs[i], &labs[i].learnt);
    }
    strftime(date, sizeof date, "%d %B %Y", localtime(&now));
    certificate_page(words->learner, date, labs, count, &page);
    const bool good = file_replace(text_string(&path), text_string(&page), page.length, diag);
    if (good) printf("What you have solved: %s (open it in a browser; hand it in)\n", text_string(&path));
    for (size_t i = 0; i < count; i++) free((char *)labs[i].kernel), text_free(&labs[i].learnt);
    return good ? EXIT_FINE : EXIT_USAGE;
}

/* --- checking ------------------------------------------------------------------------------------------------------------- */

/* The points of a kernel that somebody else wrote, graded anew; below 0: it could not be. */
static double points_of(const LabTree *tree, const CatalogueEntry *lab, const LabWords *words, const Text *kernel) {
    const SandboxRequest request = {.build = tree->build,
                                    .lab = lab->folder,
                                    .name = "kernel.cu",
                                    .cc = words->cc,
                                    .variant = variant_in(text_string(kernel)),
                                    .json = true};
    SandboxResult graded;
    sandbox_grade(&request, kernel, &graded);
    json_auto_t *result = json_loadb(text_string(&graded.result), graded.result.length, 0, NULL);
    const double points = graded.status == GRADED_UNABLE || !result ? -1 : json_number_value(json_object_get(result, "score"));
    if (points < 0 && graded.said.length) fputs(text_string(&graded.said), stderr);
    sandbox_free(&graded);
    return points;
}

/* Says what is so of a lab; the exit status for it. */
static int check_lab(const LabTree *tree, const CatalogueEntry *lab, const LabWords *words, const char *page) {
    LOCAL_TEXT kernel = {0};
    double said = 0;
    printf("  %s  %-28s ", lab->goals->number, lab->goals->title);
    if (!certificate_read(page, lab->goals->number, &said, &kernel)) {
        puts("the page has no kernel of it");
        return EXIT_FAULT;
    }
    fflush(stdout);
    const double points = points_of(tree, lab, words, &kernel);
    const uint32_t variant = variant_in(text_string(&kernel));
    if (points < 0)
        printf("could not be graded");
    else if (fabs(points - said) <= SPREAD)
        printf("%g of %g points, as the page says", points, lab->goals->points);
    else
        printf("%g of %g points; the page says %g", points, lab->goals->points, said);
    printf(variant ? " (variant %u)\n" : "\n", variant);
    return points < 0 ? EXIT_UNABLE : fabs(points - said) <= SPREAD ? EXIT_FINE : EXIT_FAULT;
}

static int check_page(const LabTree *tree, const LabWords *words, Diag *diag) {
    LOCAL_TEXT path = {0};
    int worst = EXIT_FINE;
    if (*words->submission != '/' && tree->caller[0]) text_add(&path, "%s/", tree->caller);
    text_add(&path, "%s", words->submission);
    FREED char *page = text_read_file(text_string(&path), PAGE_BYTES, NULL);
    if (!page) return diag_error(diag, words->submission, 0, 0, "cannot be read: %s", text_file_problem(errno)), EXIT_USAGE;
    for (size_t i = 0; i < tree->catalogue.count; i++) {
        const int status = check_lab(tree, &tree->catalogue.labs[i], words, page);
        if (status > worst) worst = status;
    }
    puts(worst == EXIT_FINE ? "All of it is so." : "Not all of it is so.");
    return worst;
}

int cmd_lab_certificate(LabTree *tree, const LabWords *words, Diag *diag) {
    return words->submission ? check_page(tree, words, diag) : write_page(tree, words, diag);
}
