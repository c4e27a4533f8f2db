#include "class/alike.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "class/alike_page.h"
#include "class/tables.h"
#include "cuda/compile.h"
#include "cuda/home.h"
#include "lab/unable.h"
#include "report/object.h"

/* --- what there is -------------------------------------------------------------------------------------------------------- */

static void leave_out(Alike *alike, uint32_t submission, const char *why) {
    if (alike->n_left_out == alike->left_out_room) {
        alike->left_out_room = alike->left_out_room ? 2 * alike->left_out_room : 16;
        alike->left_out = alloc_resize(alike->left_out, alike->left_out_room, sizeof *alike->left_out);
    }
    alike->left_out[alike->n_left_out++] = (AlikeRefused){submission, alloc_copy(why)};
}

/* Of equal bytes there is one, also where they had to be different variants. */
static AlikeFile *file_of(Alike *alike, const char *key) {
    const size_t length = strcspn(key, KEY_VARIANT);
    for (size_t i = 0; i < alike->count; i++)
        if (strncmp(alike->files[i].key, key, length) == 0) return &alike->files[i];
    if (alike->count == alike->room) {
        alike->room = alike->room ? 2 * alike->room : 64;
        alike->files = alloc_resize(alike->files, alike->room, sizeof *alike->files);
    }
    AlikeFile *file = &alike->files[alike->count++];
    *file = (AlikeFile){.key = alloc_copy(key), .likened = NO_INDEX};
    return file;
}

static void gather(Alike *alike) {
    const Submissions *submissions = &alike->class->submissions;
    for (uint32_t i = 0; i < submissions->count; i++) {
        json_t *result = class_result(alike->class, &submissions->items[i]);
        const char *status = object_string(result, "status");
        Text why = {0};
        if (!result)
            text_add(&why, "it has no result yet");
        else if (strcmp(status, "graded") != 0)
            text_add(&why, "%s: %s", status, object_string(result, "reason"));
        if (why.length) {
            leave_out(alike, i, text_string(&why));
        } else {
            AlikeFile *file = file_of(alike, object_string(result, "key"));
            file->as_given = json_is_false(json_object_get(json_object_get(result, "result"), "begun"));
            file->equals = alloc_resize(file->equals, file->count + 1, sizeof *file->equals);
            file->equals[file->count++] = i;
        }
        text_free(&why);
        json_decref(result);
    }
}

/* --- comparing ------------------------------------------------------------------------------------------------------------ */

static const char source_name[] = "kernel.cu"; /* as the sandbox calls it */

/* NULL with what stands against it. */
static Program *read_ptx(const Class *class, const char *key, Diag *diag) {
    Text path = {0};
    size_t length = 0;
    text_add(&path, "%s/state/graded/%s.ptx", class->request.out, key);
    char *text = text_read_file(text_string(&path), COMPILE_PTX_LIMIT, &length);
    Program *program = text ? program_parse(text, length, "its PTX", diag) : NULL;
    if (!text) diag_say(diag, "its PTX is not there: %s", strerror(errno));
    free(text);
    text_free(&path);
    return program;
}

static bool compile_given(const Class *class, const char *path, Likeness *likeness, Diag *diag) {
    CompileResult compiled = {0};
    char headers[PATH_MAX];
    const char *cc = class->request.cc;
    CompileRequest request = {.path = path,
                              .compiler = !cc                       ? COMPILER_AUTO
                                          : strcmp(cc, "nvcc") == 0 ? COMPILER_NVCC
                                                                    : COMPILER_CLANG,
                              .include_dir = home_headers(NULL, headers, sizeof headers) ? headers : NULL};
    Program *program = NULL;
    if (compile_cu(&request, &compiled, diag))
        program = program_parse(text_string(&compiled.ptx), compiled.ptx.length, path, diag);
    if (program) likeness_give(likeness, program, source_name);
    if (program) program_free(program);
    compile_result_free(&compiled);
    return !diag->set;
}

static void compare(Alike *alike) {
    alike->compared = alloc_zeroed(alike->count + 1, sizeof *alike->compared);
    for (uint32_t i = 0; i < alike->count; i++) {
        AlikeFile *file = &alike->files[i];
        Diag why = {0};
        Program *program = read_ptx(alike->class, file->key, &why);
        if (program) {
            file->likened = (uint32_t)alike->likeness.count;
            alike->compared[file->likened] = i;
            likeness_add(&alike->likeness, program, source_name);
            program_free(program);
        }
        for (size_t e = 0; e < file->count && !program; e++) leave_out(alike, file->equals[e], why.message);
    }
    likeness_compare(&alike->likeness, alike->threshold);
    bool *seen = alloc_zeroed(alike->count + 1, sizeof *seen);
    alike->clusters = alloc_zeroed(alike->count + 1, sizeof *alike->clusters);
    for (size_t p = 0; p < alike->likeness.n_pairs; p++) {
        uint32_t cluster = alike->likeness.files[alike->likeness.pairs[p].a].cluster;
        if (!seen[cluster]) alike->clusters[alike->n_clusters++] = cluster;
        seen[cluster] = true;
    }
    free(seen);
}

static void alike_free(Alike *alike) {
    likeness_end(&alike->likeness);
    for (size_t i = 0; i < alike->count; i++) {
        free(alike->files[i].key);
        free(alike->files[i].equals);
    }
    for (size_t i = 0; i < alike->n_left_out; i++) free(alike->left_out[i].why);
    free(alike->files);
    free(alike->compared);
    free(alike->left_out);
    free(alike->clusters);
}

/* --- JSON ----------------------------------------------------------------------------------------------------------------- */

static json_t *name_of(const Alike *alike, uint32_t submission) {
    json_t *holder = json_object();
    result_text(holder, "name", alike->class->submissions.items[submission].name);
    json_t *name = json_incref(json_object_get(holder, "name"));
    json_decref(holder);
    return name;
}

static void add_names(const Alike *alike, const AlikeFile *file, json_t *list) {
    for (size_t e = 0; e < file->count; e++) json_array_append_new(list, name_of(alike, file->equals[e]));
}

static json_t *lines_of(const Alike *alike, size_t kernel, const LikenessPair *pair) {
    json_t *list = json_array();
    size_t count;
    LikenessLine *lines = likeness_lines(&alike->likeness, kernel, pair->a, pair->b, &count);
    for (size_t i = 0; i < count && i < LINES_SHOWN; i++)
        json_array_append_new(list, json_pack("[I,I]", (json_int_t)lines[i].a, (json_int_t)lines[i].b));
    free(lines);
    return list;
}

static json_t *pair_of(const Alike *alike, const LikenessPair *pair) {
    const Likeness *likeness = &alike->likeness;
    json_t *object = json_object(), *kernels = json_array();
    object_set(object, "a", name_of(alike, alike->files[alike->compared[pair->a]].equals[0]));
    object_set(object, "b", name_of(alike, alike->files[alike->compared[pair->b]].equals[0]));
    object_set(object, "likeness", json_real(pair->likeness));
    for (size_t k = 0; k < likeness->n_kernels; k++) {
        double shared, share = likeness_of_kernel(likeness, k, pair->a, pair->b, &shared);
        if (!likeness_says(likeness, k, pair->a) || !likeness_says(likeness, k, pair->b)) continue;
        json_t *kernel = json_object();
        result_text(kernel, "name", likeness->names[k]);
        object_set(kernel, "likeness", json_real(share));
        object_number(kernel, "weight", (uint64_t)(shared + 0.5));
        object_set(kernel, "lines", lines_of(alike, k, pair));
        json_array_append_new(kernels, kernel);
    }
    object_set(object, "kernels", kernels);
    return object;
}

static json_t *cluster_names(const Alike *alike, uint32_t cluster) {
    json_t *names = json_array();
    for (size_t i = 0; i < alike->likeness.count; i++)
        if (alike->likeness.files[i].cluster == cluster) add_names(alike, &alike->files[alike->compared[i]], names);
    return names;
}

static void add_json(const Alike *alike, AlikeCount *counted, Text *out) {
    const Likeness *likeness = &alike->likeness;
    json_t *object = json_object(), *equal = json_array(), *given = json_array(), *clusters = json_array(),
           *pairs = json_array(), *silent = json_object(), *left_out = json_array();
    for (size_t i = 0; i < alike->count; i++) {
        json_t *names = json_array();
        add_names(alike, &alike->files[i], alike->files[i].as_given ? given : names);
        if (json_array_size(names) > 1) json_array_append(equal, names);
        json_decref(names);
    }
    for (size_t c = 0; c < alike->n_clusters; c++) json_array_append_new(clusters, cluster_names(alike, alike->clusters[c]));
    for (size_t p = 0; p < likeness->n_pairs && p < PAIRS_SHOWN; p++)
        json_array_append_new(pairs, pair_of(alike, &likeness->pairs[p]));
    for (size_t k = 0; k < likeness->n_kernels; k++) {
        size_t none = 0;
        for (uint32_t i = 0; i < likeness->count; i++) none += !likeness_says(likeness, k, i);
        object_number(silent, likeness->names[k], none);
    }
    for (size_t i = 0; i < alike->n_left_out; i++) {
        json_t *one = json_object();
        object_set(one, "submission", name_of(alike, alike->left_out[i].submission));
        result_text(one, "why", alike->left_out[i].why);
        json_array_append_new(left_out, one);
    }
    *counted = (AlikeCount){likeness->count, likeness->n_pairs, alike->n_clusters, json_array_size(equal), alike->n_left_out};
    result_text(object, "lab", alike->class->request.lab->goals->number);
    object_number(object, "compared", likeness->count);
    object_set(object, "threshold", json_real(alike->threshold));
    object_set(object, "equal", equal);
    object_set(object, "as_given", given);
    object_set(object, "clusters", clusters);
    object_number(object, "pairs_found", likeness->n_pairs);
    object_set(object, "pairs", pairs);
    object_set(object, "silent", silent);
    object_set(object, "not_compared", left_out);
    result_write(object, out);
}

/* --- all ------------------------------------------------------------------------------------------------------------------ */

bool alike_write(const Class *class, double threshold, AlikeCount *count, Diag *diag) {
    const CatalogueEntry *lab = class->request.lab;
    Alike alike = {.class = class, .threshold = threshold};
    Text path = {0}, json = {0}, page = {0};
    *count = (AlikeCount){0};
    text_add(&path, "exercises/untouched/%s.cu", lab->folder);
    likeness_begin(&alike.likeness, lab->goals->kernels, lab->goals->n_kernels);
    if (compile_given(class, text_string(&path), &alike.likeness, diag)) {
        gather(&alike);
        compare(&alike);
        add_json(&alike, count, &json);
        page_of_alike(&alike, &page);
        if (table_put(class->request.out, "likeness.json", &json, diag))
            table_put(class->request.out, "likeness.html", &page, diag);
    }
    text_free(&path);
    text_free(&json);
    text_free(&page);
    alike_free(&alike);
    return !diag->set;
}
