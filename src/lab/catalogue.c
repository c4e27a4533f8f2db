#include "lab/catalogue.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static bool read_all(Catalogue *catalogue, const glob_t *found, Diag *diag) {
    catalogue->labs = alloc_zeroed(found->gl_pathc, sizeof *catalogue->labs);
    for (size_t i = 0; i < found->gl_pathc; i++) {
        const char *path = found->gl_pathv[i], *end = strrchr(path, '/'), *start = end;
        while (start[-1] != '/') start--;
        CatalogueEntry *lab = &catalogue->labs[catalogue->count++];
        lab->folder = alloc_text(start, (size_t)(end - start));
        lab->kernel = text_from("exercises/%s/kernel.cu", lab->folder).data;
        lab->untouched = text_from("exercises/untouched/%s.cu", lab->folder).data;
        lab->goals = goals_read(path, diag);
        if (!lab->goals) return false;
        size_t digits = strlen(lab->goals->number);
        if (strncmp(lab->folder, lab->goals->number, digits) != 0 || lab->folder[digits] != '-' ||
            strcmp(lab->folder + digits + 1, lab->goals->slug) != 0)
            return diag_error(diag, path, 0, 0, "LAB says %s-%s, unlike the name of its folder", lab->goals->number,
                              lab->goals->slug);
    }
    return true;
}

bool catalogue_read(Catalogue *catalogue, const char *root, Diag *diag) {
    *catalogue = (Catalogue){0};
    glob_t found;
    LOCAL_TEXT pattern = text_from("%s/exercises/*/lab.goals", root);
    bool good = glob(text_string(&pattern), 0, NULL, &found) == 0;
    if (good) {
        good = read_all(catalogue, &found, diag);
        globfree(&found);
    } else {
        diag_say(diag, "there is no lab: nothing is named %s", text_string(&pattern));
    }
    return good;
}

void catalogue_free(Catalogue *catalogue) {
    for (size_t i = 0; i < catalogue->count; i++) {
        free(catalogue->labs[i].folder);
        free(catalogue->labs[i].kernel);
        free(catalogue->labs[i].untouched);
        goals_free(catalogue->labs[i].goals);
    }
    free(catalogue->labs);
    *catalogue = (Catalogue){0};
}

const CatalogueEntry *catalogue_find(const Catalogue *catalogue, const char *wanted, Diag *diag) {
    for (size_t i = 0; i < catalogue->count; i++) {
        const CatalogueEntry *lab = &catalogue->labs[i];
        const Goals *goals = lab->goals;
        if (strcmp(wanted, lab->folder) == 0 || strcmp(wanted, goals->slug) == 0 || strcmp(wanted, goals->number) == 0 ||
            (goals->number[0] == '0' && strcmp(wanted, goals->number + 1) == 0))
            return lab;
    }
    diag_say(diag, "there is no lab '%.100s'; make list shows them", wanted);
    return NULL;
}
