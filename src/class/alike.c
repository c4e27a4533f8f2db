#include "class/alike.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "class/alike_page.h"
#include "class/putter.h"
#include "class/sandboxed.h"
#include "cuda/compile.h"
#include "cuda/home.h"
#include "lab/ungraded.h"
#include "report/object.h"

/* --- what there is -------------------------------------------------------------------------------------------------------- */

static void leave_out(Alike *alike, uint32_t submission, const char *elsewhere, const char *why) {
    ALLOC_ADD(alike->left_out, alike->n_left_out) =
        (AlikeRefused){submission, elsewhere ? alloc_copy(elsewhere) : NULL, alloc_copy(why)};
}

static AlikeFile *add_file(Alike *alike, const char *key) {
    AlikeFile *file = &ALLOC_ADD(alike->files, alike->count);
    *file = (AlikeFile){.key = alloc_copy(key), .likened = NO_INDEX};
    return file;
}

/* Of equal bytes there is one, also where they had to be different variants. from: the first file of this class. */
static AlikeFile *file_of(Alike *alike, const char *key, size_t from) {
    const size_t length = strcspn(key, KEY_VARIANT);
    for (size_t i = from; i < alike->count; i++)
        if (strncmp(alike->files[i].key, key, length) == 0) return &alike->files[i];
    return add_file(alike, key);
}

/* "2025/anna.cu". */
static void name_elsewhere(const Class *class, const Submission *submission, Text *name) {
    const char *dir = class->request.dir;
    size_t length = strlen(dir);
    while (length > 1 && dir[length - 1] == '/') length--;
    size_t from = length;
    while (from && dir[from - 1] != '/') from--;
    text_add(name, "%.*s/%s", (int)(length - from), dir + from, submission->name);
}

static void read_source(const Class *class, const Submission *submission, const char *key, Text *source) {
    LOCAL_TEXT path = text_from("state/graded/%s.cu", key);
    if (submission->is_archive)
        source->data = out_read(&class->out, text_string(&path), SUBMITTED_BYTES, &source->length);
    else
        take_bytes(class->folder, submission->path, SUBMITTED_BYTES, source, NULL, &(Diag){0});
}

static void gather_one(Alike *alike, const Class *class, uint32_t i, size_t from, const json_t *result) {
    const Submission *submission = &class->submissions.items[i];
    const char *status = object_string(result, "status");
    LOCAL_TEXT why = {0}, name = {0};
    if (class != alike->class) name_elsewhere(class, submission, &name);
    if (!result)
        text_add(&why, "it has no result yet");
    else if (strcmp(status, "graded") != 0)
        text_add(&why, "%s: %s", status, object_string(result, "reason"));
    if (why.length) {
        leave_out(alike, i, name.data, text_string(&why));
    } else {
        AlikeFile *file = file_of(alike, object_string(result, "key"), from);
        file->as_given = json_is_false(json_object_get(json_object_get(result, "result"), "begun"));
        file->equals = alloc_resize(file->equals, file->count + 1, sizeof *file->equals);
        if (!file->count) read_source(class, submission, file->key, &file->source);
        if (!file->count && name.length) file->elsewhere = alloc_copy(name.data);
        file->equals[file->count++] = i;
    }
}

static void gather(Alike *alike, const Class *class) {
    size_t from = alike->count;
    for (uint32_t i = 0; i < class->submissions.count; i++) {
        json_auto_t *result = class_result(class, &class->submissions.items[i]);
        gather_one(alike, class, i, from, result);
    }
}

/* --- comparing ------------------------------------------------------------------------------------------------------------ */

static const char source_name[] = "kernel.cu"; /* as the sandbox calls it */

/* NULL with what stands against it. */
static Program *read_ptx(const Class *class, const char *key, Diag *diag) {
    size_t length = 0;
    LOCAL_TEXT path = text_from("state/graded/%s.ptx", key);
    FREED char *text = out_read(&class->out, text_string(&path), COMPILE_PTX_LIMIT, &length);
    Program *program = text ? program_parse(text, length, "its PTX", diag) : NULL;
    if (!text) diag_say(diag, "its PTX is not there");
    return program;
}

/* A file of the tree, which is nobody's to be wary of. NULL with a message. */
static Program *compile_own(const Class *class, const char *path, Text *source, Diag *diag) {
    LOCAL_COMPILED compiled = {0};
    char headers[PATH_MAX];
    const char *cc = class->request.cc;
    CompileRequest request = {.path = path,
                              .compiler = !cc                       ? COMPILER_AUTO
                                          : strcmp(cc, "nvcc") == 0 ? COMPILER_NVCC
                                                                    : COMPILER_CLANG,
                              .include_dir = home_headers(NULL, headers, sizeof headers) ? headers : NULL,
                              .arch = goals_arch(class->request.lab->goals)};
    Program *program = NULL;
    source->data = text_read_file(path, SUBMITTED_BYTES, &source->length);
    if (compile_cu(&request, &compiled, diag))
        program = program_parse(text_string(&compiled.ptx), compiled.ptx.length, path, diag);
    return program;
}

static bool give(Alike *alike, Diag *diag) {
    LOCAL_TEXT source = {0};
    Program *program = compile_own(alike->class, alike->class->request.lab->untouched, &source, diag);
    if (program) likeness_give(&alike->likeness, program, source_name, &source);
    if (program) program_free(program);
    return !diag->set;
}

static void compare_one(Alike *alike, uint32_t i, const Program *program) {
    AlikeFile *file = &alike->files[i];
    alike->compared = alloc_resize(alike->compared, alike->likeness.count + 1, sizeof *alike->compared);
    file->likened = (uint32_t)alike->likeness.count;
    alike->compared[file->likened] = i;
    likeness_add(&alike->likeness, program, source_name, &file->source);
}

static void compare_class(Alike *alike, const Class *class, size_t from) {
    for (uint32_t i = (uint32_t)from; i < alike->count; i++) {
        const AlikeFile *file = &alike->files[i];
        Diag why = {0};
        Program *program = read_ptx(class, file->key, &why);
        if (program) compare_one(alike, i, program);
        if (program) program_free(program);
        for (size_t e = 0; e < file->count && !program; e++) leave_out(alike, file->equals[e], file->elsewhere, why.message);
    }
}

/* Learners' trees have no solutions. */
static bool compare_solution(Alike *alike, Diag *diag) {
    Text source = {0};
    LOCAL_TEXT path = text_from("solutions/%s/kernel.cu", alike->class->request.lab->folder);
    if (access(text_string(&path), R_OK) == 0) {
        Program *program = compile_own(alike->class, text_string(&path), &source, diag);
        AlikeFile *file = add_file(alike, "");
        file->elsewhere = alloc_copy(text_string(&path));
        file->source = source;
        if (program) compare_one(alike, (uint32_t)alike->count - 1, program);
        if (program) program_free(program);
    }
    return !diag->set;
}

static bool compare(Alike *alike, const Class *others, size_t n_others, Diag *diag) {
    gather(alike, alike->class);
    compare_class(alike, alike->class, 0);
    alike->own = alike->count;
    likeness_others(&alike->likeness);
    for (size_t i = 0; i < n_others; i++) {
        size_t from = alike->count;
        gather(alike, &others[i]);
        compare_class(alike, &others[i], from);
    }
    if (!compare_solution(alike, diag)) return false;
    likeness_compare(&alike->likeness, alike->threshold);
    FREED bool *seen = alloc_zeroed(alike->count + 1, sizeof *seen);
    alike->clusters = alloc_zeroed(alike->count + 1, sizeof *alike->clusters);
    for (size_t p = 0; p < alike->likeness.n_pairs; p++) {
        uint32_t cluster = alike->likeness.files[alike->likeness.pairs[p].a].cluster;
        if (alike->likeness.pairs[p].b >= alike->likeness.own) continue;
        if (!seen[cluster]) alike->clusters[alike->n_clusters++] = cluster;
        seen[cluster] = true;
    }
    return true;
}

static void alike_free(Alike *alike) {
    likeness_end(&alike->likeness);
    for (size_t i = 0; i < alike->count; i++) {
        free(alike->files[i].key);
        free(alike->files[i].elsewhere);
        text_free(&alike->files[i].source);
        free(alike->files[i].equals);
    }
    for (size_t i = 0; i < alike->n_left_out; i++) {
        free(alike->left_out[i].elsewhere);
        free(alike->left_out[i].why);
    }
    free(alike->files);
    free(alike->compared);
    free(alike->left_out);
    free(alike->clusters);
}

/* --- JSON ----------------------------------------------------------------------------------------------------------------- */

static json_t *shown_name(const char *name) {
    json_auto_t *holder = json_object();
    result_text(holder, "name", name);
    return json_incref(json_object_get(holder, "name"));
}

static json_t *name_of(const Alike *alike, uint32_t submission) {
    return shown_name(alike->class->submissions.items[submission].name);
}

static json_t *file_name(const Alike *alike, uint32_t likened) {
    const AlikeFile *file = &alike->files[alike->compared[likened]];
    return file->elsewhere ? shown_name(file->elsewhere) : name_of(alike, file->equals[0]);
}

static void add_names(const Alike *alike, const AlikeFile *file, json_t *list) {
    for (size_t e = 0; e < file->count; e++) json_array_append_new(list, name_of(alike, file->equals[e]));
}

static json_t *lines_of(const Alike *alike, size_t part, const LikenessPair *pair) {
    json_t *list = json_array();
    size_t count;
    FREED LikenessLine *lines = likeness_lines(&alike->likeness, part, pair->a, pair->b, &count);
    for (size_t i = 0; i < count && i < LINES_SHOWN; i++)
        json_array_append_new(list, json_pack("[I,I]", (json_int_t)lines[i].a, (json_int_t)lines[i].b));
    return list;
}

static json_t *pair_of(const Alike *alike, const LikenessPair *pair) {
    const Likeness *likeness = &alike->likeness;
    json_t *object = json_object(), *kernels = json_array();
    object_set(object, "a", file_name(alike, pair->a));
    object_set(object, "b", file_name(alike, pair->b));
    object_set(object, "likeness", object_real(pair->likeness));
    result_text(object, "by", alike_by(alike, pair));
    object_set(object, "code", object_real(pair->code));
    object_set(object, "text", object_real(pair->text));
    for (size_t k = 0; k < likeness->n_kernels; k++) {
        double shared, share = likeness_of_part(likeness, k, pair->a, pair->b, &shared);
        if (!likeness_says(likeness, k, pair->a) || !likeness_says(likeness, k, pair->b)) continue;
        json_t *kernel = json_object();
        result_text(kernel, "name", likeness->names[k]);
        object_set(kernel, "likeness", object_real(share));
        object_number(kernel, "weight", (uint64_t)(shared + 0.5));
        object_set(kernel, "lines", lines_of(alike, k, pair));
        json_array_append_new(kernels, kernel);
    }
    object_set(object, "kernels", kernels);
    object_set(object, "lines", lines_of(alike, likeness->n_kernels, pair));
    return object;
}

static json_t *cluster_names(const Alike *alike, uint32_t cluster) {
    json_t *names = json_array();
    for (size_t i = 0; i < alike->likeness.own; i++)
        if (alike->likeness.files[i].cluster == cluster) add_names(alike, &alike->files[alike->compared[i]], names);
    return names;
}

/* Those of the class, or those with a file of elsewhere. */
static json_t *pairs_of(const Alike *alike, bool elsewhere, size_t *found) {
    json_t *pairs = json_array();
    *found = 0;
    for (size_t p = 0; p < alike->likeness.n_pairs; p++) {
        const LikenessPair *pair = &alike->likeness.pairs[p];
        if ((pair->b >= alike->likeness.own) == elsewhere && (*found)++ < PAIRS_SHOWN)
            json_array_append_new(pairs, pair_of(alike, pair));
    }
    return pairs;
}

static json_t *left_out_of(const Alike *alike) {
    json_t *list = json_array();
    for (size_t i = 0; i < alike->n_left_out; i++) {
        const AlikeRefused *refused = &alike->left_out[i];
        json_t *one = json_object();
        object_set(one, "submission",
                   refused->elsewhere ? shown_name(refused->elsewhere) : name_of(alike, refused->submission));
        result_text(one, "why", refused->why);
        json_array_append_new(list, one);
    }
    return list;
}

static void add_json(const Alike *alike, AlikeCount *counted, Text *out) {
    const Likeness *likeness = &alike->likeness;
    json_t *object = json_object(), *equal = json_array(), *given = json_array(), *clusters = json_array(),
           *silent = json_object();
    for (size_t i = 0; i < alike->own; i++) {
        json_auto_t *names = json_array();
        add_names(alike, &alike->files[i], alike->files[i].as_given ? given : names);
        if (json_array_size(names) > 1) json_array_append(equal, names);
    }
    for (size_t c = 0; c < alike->n_clusters; c++) json_array_append_new(clusters, cluster_names(alike, alike->clusters[c]));
    for (size_t k = 0; k < likeness->n_kernels; k++) {
        size_t none = 0;
        for (uint32_t i = 0; i < likeness->own; i++) none += !likeness_says(likeness, k, i);
        object_number(silent, likeness->names[k], none);
    }
    *counted = (AlikeCount){.compared = likeness->own,
                            .clusters = alike->n_clusters,
                            .equal = json_array_size(equal),
                            .left_out = alike->n_left_out,
                            .elsewhere = likeness->count - likeness->own};
    json_t *pairs = pairs_of(alike, false, &counted->pairs), *elsewhere = pairs_of(alike, true, &counted->pairs_elsewhere);
    result_text(object, "lab", alike->class->request.lab->goals->number);
    object_number(object, "compared", counted->compared);
    object_set(object, "threshold", object_real(alike->threshold));
    object_set(object, "equal", equal);
    object_set(object, "as_given", given);
    object_set(object, "clusters", clusters);
    object_number(object, "pairs_found", counted->pairs);
    object_set(object, "pairs", pairs);
    object_number(object, "elsewhere_compared", counted->elsewhere);
    object_set(object, "elsewhere", elsewhere);
    object_set(object, "silent", silent);
    object_set(object, "not_compared", left_out_of(alike));
    result_write(object, out);
}

/* --- all ------------------------------------------------------------------------------------------------------------------ */

bool alike_write(const Class *class, const Class *others, size_t n_others, double threshold, AlikeCount *count, Diag *diag) {
    const Goals *goals = class->request.lab->goals;
    Alike alike = {.class = class, .threshold = threshold};
    LOCAL_TEXT json = {0}, page = {0};
    *count = (AlikeCount){0};
    likeness_begin(&alike.likeness, goals->kernels, goals->n_kernels);
    if (give(&alike, diag) && compare(&alike, others, n_others, diag)) {
        add_json(&alike, count, &json);
        page_of_alike(&alike, &page);
        if (out_put(&class->out, "likeness.json", text_string(&json), json.length, diag))
            out_put(&class->out, "likeness.html", text_string(&page), page.length, diag);
    }
    alike_free(&alike);
    return !diag->set;
}
