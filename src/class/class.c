#include "class/class.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/alloc.h"
#include "class/asked.h"
#include "class/crew.h"
#include "class/reason.h"
#include "class/submitted.h"
#include "cuda/compile.h"
#include "host/replace.h"
#include "lab/random.h"
#include "lab/ungraded.h"
#include "report/object.h"

enum { PROGRAM_BYTES = 256 << 20, ROOM_BYTES = 64 << 20 };

Text class_path(const Submission *submission, const char *name) { return text_from("results/%s/%s", submission->slug, name); }

/* --- opening -------------------------------------------------------------------------------------------------------------- */

static bool make_folders(const Class *class, Diag *diag) {
    static const char *const names[] = {"results", "state/graded"};
    for (size_t i = 0; !diag->set && i < sizeof names / sizeof *names; i++) {
        int folder = out_folder(&class->out, names[i], diag);
        if (folder >= 0) close(folder);
    }
    return !diag->set;
}

/* Random bytes that nobody else may read. Of several that make the file at the same time one wins: it appears with all its bytes. */
static bool make_secret(const Class *class, Diag *diag) {
    uint8_t key[RANDOM_KEY_BYTES];
    char beside[32];
    snprintf(beside, sizeof beside, "secret.%ld", (long)getpid());
    if (getentropy(key, sizeof key) != 0) return diag_say(diag, "this system gives no random bytes: %s", strerror(errno));
    int state = out_folder(&class->out, "state", diag);
    if (state < 0) return false;
    unlinkat(state, beside, 0);
    int fd = openat(state, beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = fd >= 0 && file_write(fd, (const char *)key, sizeof key) && fsync(fd) == 0;
    good = fd >= 0 && close(fd) == 0 && good && (linkat(state, beside, state, "secret", 0) == 0 || errno == EEXIST);
    if (!good) diag_error(diag, class->request.out, 0, 0, "the secret cannot be made: %s", strerror(errno));
    unlinkat(state, beside, 0);
    close(state);
    return good;
}

/* The path is absolute, since the sandbox may be elsewhere. */
static bool find_secret(Class *class, Diag *diag) {
    LOCAL_TEXT path = {0};
    char whole[PATH_MAX];
    struct stat status;
    if (class->request.secret)
        text_add(&path, "%s", class->request.secret);
    else
        text_add(&path, "%s/state/secret", class->request.out);
    bool good = class->request.secret || stat(text_string(&path), &status) == 0 || make_secret(class, diag);
    good = good && random_read_key(text_string(&path), class->keys[0], diag);
    if (good && realpath(text_string(&path), whole)) class->secrets[0] = alloc_copy(whole);
    return class->secrets[0];
}

/* Of a further draw: the secret's hashes of its number. */
static bool derive_secret(Class *class, unsigned draw, Diag *diag) {
    uint8_t *key = class->keys[draw];
    for (unsigned half = 0; half < 2; half++) {
        char text[32];
        int length = snprintf(text, sizeof text, "draw %u.%u", draw + 1, half);
        uint64_t hash = random_seed(class->keys[0], text, (size_t)length);
        for (int i = 0; i < 8; i++) key[8 * half + i] = (uint8_t)(hash >> 8 * i);
    }
    Text path = text_from("%s/state/secret.%u", class->request.out, draw + 1);
    class->secrets[draw] = path.data;
    return out_put(&class->out, path.data + strlen(class->request.out) + 1, key, RANDOM_KEY_BYTES, diag);
}

static bool find_secrets(Class *class, Diag *diag) {
    unsigned draws = class->request.draws;
    class->secrets = alloc_zeroed(draws, sizeof *class->secrets);
    class->keys = alloc_zeroed(draws, sizeof *class->keys);
    bool good = find_secret(class, diag);
    for (unsigned draw = 1; good && draw < draws; draw++) good = derive_secret(class, draw, diag);
    return good;
}

static bool add_file(const char *path, Text *all, Diag *diag) {
    size_t length = 0;
    FREED char *bytes = text_read_file(path, PROGRAM_BYTES, &length);
    text_add(all, "%zu\n", length);
    if (bytes)
        text_add_bytes(all, bytes, length);
    else
        diag_error(diag, path, 0, 0, "%s", text_file_problem(errno));
    return !diag->set;
}

/* What else decides a result: the programs, the goals, the compilers. Where any of them lies decides nothing. */
static bool name_grader(Class *class, Diag *diag) {
    static const uint8_t key[RANDOM_KEY_BYTES];
    static const CompilerChoice compilers[] = {COMPILER_NVCC, COMPILER_CLANG};
    const char *lab = class->request.lab->folder;
    LOCAL_TEXT all = {0};
    LOCAL_TEXT path = text_from("%s/labs/%s", class->request.build, lab);
    bool good = add_file(text_string(&path), &all, diag);
    if (!good) diag_hint(diag, "make programs builds it");
    path.length = 0;
    text_add(&path, "%s/warpscope", class->request.build);
    good = good && add_file(text_string(&path), &all, diag);
    path.length = 0;
    text_add(&path, "exercises/%s/lab.goals", lab);
    good = good && add_file(text_string(&path), &all, diag) && add_file("exercises/rules.goals", &all, diag);
    for (size_t i = 0; good && i < 2; i++) {
        char found[PATH_MAX], name[64];
        if (compile_find(compilers[i], found, sizeof found, name, sizeof name)) text_add(&all, "%s\n", name);
    }
    text_add(&all, "%s %u\n", class->request.cc ? class->request.cc : "any", class->request.draws);
    snprintf(class->grader, sizeof class->grader, "%016" PRIx64, random_seed(key, text_string(&all), all.length));
    return good;
}

bool class_open(Class *class, const ClassRequest *request, Diag *diag) {
    *class = (Class){.request = *request, .folder = -1, .out.folder = -1};
    class->folder = open(request->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (class->folder < 0) return diag_error(diag, request->dir, 0, 0, "%s", strerror(errno));
    return out_open(&class->out, request->out, request->within, diag) &&
           submissions_find(&class->submissions, class->folder, request->dir, class->out.folder, (unsigned)request->settled,
                            diag) &&
           make_folders(class, diag) && find_secrets(class, diag) && name_grader(class, diag);
}

void class_close(Class *class) {
    if (class->folder >= 0) close(class->folder);
    out_close(&class->out);
    submissions_free(&class->submissions);
    for (unsigned draw = 0; class->secrets && draw < class->request.draws; draw++) free(class->secrets[draw]);
    free(class->secrets);
    free(class->keys);
}

/* --- one submission ------------------------------------------------------------------------------------------------------- */

json_t *class_read(const Class *class, const char *name) {
    size_t length;
    FREED char *text = out_read(&class->out, name, PROGRAM_BYTES, &length);
    return text ? json_loadb(text, length, 0, NULL) : NULL;
}

json_t *class_result(const Class *class, const Submission *submission) {
    LOCAL_TEXT path = class_path(submission, "result.json");
    Submitted taken;
    json_t *result = class_read(class, text_string(&path));
    const char *key = json_string_value(json_object_get(result, "key"));
    submitted_take(&taken, class, submission);
    if (result && (!key || strcmp(key, taken.key) != 0)) {
        json_decref(result);
        result = NULL;
    }
    submitted_release(&taken);
    return result;
}

int class_lock(const Class *class, const char *file, const char *text) {
    static const uint8_t key[RANDOM_KEY_BYTES];
    int state = out_folder(&class->out, "state", &(Diag){0});
    int fd = state < 0 ? -1 : openat(state, file, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (state >= 0) close(state);
    struct flock range = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)(random_seed(key, text, strlen(text)) >> 24), .l_len = 1};
    while (fd >= 0 && fcntl(fd, F_SETLKW, &range) != 0 && errno == EINTR) {}
    return fd; /* a file system without locks has at least results that are written at once */
}

void class_unlock(int fd) {
    if (fd >= 0) close(fd);
}

static bool has_room(const Class *class, Diag *diag) {
    struct statvfs room;
    if (fstatvfs(class->out.folder, &room) != 0 || (uint64_t)room.f_bavail * room.f_frsize >= ROOM_BYTES) return true;
    diag_error(diag, class->request.out, 0, 0, "less than %d MiB are left on this disk", ROOM_BYTES >> 20);
    return diag_hint(diag, "make room; the same command goes on");
}

/* result: taken over; NULL where the grader could not work, or took nothing. */
static json_t *compose(const Submitted *taken, json_t *result) {
    const Class *class = taken->class;
    const Submission *submission = taken->submission;
    json_t *object = json_object(), *versions = json_object();
    LOCAL_TEXT reason = {0};
    const char *refused = json_string_value(json_object_get(result, "refused"));
    if (taken->refused) refused = taken->why.message;
    const char *why = taken->why.set ? taken->why.message : text_string(&taken->unable);
    const char *status = refused ? "refused" : result ? "graded" : "ungraded";
    result_text(object, "submission", submission->name);
    result_text(object, "student", submission->student);
    result_text(object, "file", submission->path);
    result_text(object, "lab", class->request.lab->goals->number);
    result_text(object, "status", status);
    if (result || refused) {
        const json_t *score = json_object_get(result, "score");
        object_set(object, "score", object_real(json_number_value(score)));
        object_set(object, "points", object_real(class->request.lab->goals->points));
    }
    if (refused)
        reason_add_error(&reason, refused);
    else if (result)
        reason_add(result, &reason);
    else
        text_add_bytes(&reason, why, strcspn(why, "\n"));
    result_text(object, "reason", text_string(&reason));
    result_text(object, "key", taken->key);
    result_text(versions, "grader", class->grader);
    result_text(versions, "compiler", object_string(result, "compiler"));
    object_set(object, "versions", versions);
    if (result) object_set(object, "result", result);
    return object;
}

/* Unless the text is empty. */
static bool keep(const Submitted *taken, const char *end, const Text *text, Diag *diag) {
    LOCAL_TEXT path = submitted_path(taken, end);
    return !text->length || out_put(&taken->class->out, text_string(&path), text_string(text), text->length, diag);
}

/* Grades the bytes and keeps what was said. NULL where the grader could not work. */
static json_t *grade_bytes(Submitted *taken, Diag *diag) {
    SandboxResult graded;
    SandboxRequest request = asked_request(taken->class);
    request.variant = submitted_variant(taken);
    request.shown = true;
    request.is_archive = taken->submission->is_archive;
    json_t *result = asked_result(&request, &taken->bytes, &graded, &taken->unable);
    bool kept = result && keep(taken, ".ptx", &graded.ptx, diag) && keep(taken, ".cu", &graded.source, diag) &&
                keep(taken, ".json", &graded.result, diag);
    if (result && !kept) {
        json_decref(result);
        result = NULL;
    }
    sandbox_free(&graded);
    return result;
}

/* Whether the grader can grade at all: the exercise as it was given. If not, a message. */
static bool grader_works(const Class *class, Diag *diag) {
    SandboxResult graded;
    SandboxRequest request = asked_request(class);
    LOCAL_TEXT why = {0}, given = {0};
    asked_exercise(class, &given);
    json_auto_t *result = asked_result(&request, &given, &graded, &why);
    if (!result) {
        diag_say(diag, "not even the exercise as it was given can be graded here: %.*s", (int)strcspn(text_string(&why), "\n"),
                 text_string(&why));
        diag_hint(diag, "put that right (make doctor may name it); the same command goes on");
    }
    sandbox_free(&graded);
    return !diag->set;
}

/* What the grader says of the bytes, or said already, under one secret. */
static json_t *judge(Submitted *taken, unsigned draw, ClassProgress *did, Diag *diag) {
    const Class *class = taken->class;
    submitted_name(taken, draw);
    LOCAL_TEXT path = submitted_path(taken, ".json");
    int claim = class_lock(class, "locks", taken->key);
    json_t *result = class->request.again ? NULL : class_read(class, text_string(&path));
    if (!result) {
        did->graded++;
        setenv("WARPSCOPE_SECRET", class->secrets[draw], 1);
        result = grade_bytes(taken, diag);
    }
    class_unlock(claim);
    return result;
}

/* The least of all draws; the first among equals. */
static json_t *judge_all(Submitted *taken, ClassProgress *did, Diag *diag) {
    json_t *least = judge(taken, 0, did, diag);
    for (unsigned draw = 1; least && !json_object_get(least, "refused") && draw < taken->class->request.draws; draw++) {
        json_t *next = judge(taken, draw, did, diag);
        bool less =
            !next || json_number_value(json_object_get(next, "score")) < json_number_value(json_object_get(least, "score"));
        json_decref(less ? least : next);
        if (less) least = next;
    }
    submitted_name(taken, 0);
    return least;
}

bool class_put_result(const Class *class, const Submission *submission, json_t *object, Diag *diag) {
    LOCAL_TEXT path = class_path(submission, "result.json"), text = {0};
    result_write(object, &text);
    int claim = class_lock(class, "names", submission->slug);
    bool good = out_put(&class->out, text_string(&path), text_string(&text), text.length, diag);
    class_unlock(claim);
    return good;
}

/* False with a message where something stands against grading anything. */
static bool grade_one(const Class *class, const Submission *submission, ClassProgress *did, Diag *diag) {
    Submitted taken;
    json_auto_t *before = class->request.again ? NULL : class_result(class, submission);
    bool known = before && strcmp(object_string(before, "status"), "ungraded") != 0;
    if (known) return true;
    if (!has_room(class, diag)) return false;
    submitted_take(&taken, class, submission);
    json_t *result = taken.why.set ? NULL : judge_all(&taken, did, diag);
    if (!result && !taken.refused) did->ungraded++;
    bool good = !diag->set && class_put_result(class, submission, compose(&taken, result), diag);
    if (diag->set && result) json_decref(result);
    submitted_release(&taken);
    return good;
}

bool class_grade(const Class *class, void (*tell)(const ClassProgress *progress), ClassProgress *progress, int *interrupted,
                 Diag *diag) {
    const CrewTask task = {.jobs = (unsigned)class->request.jobs, .step = grade_one, .works = grader_works};
    return crew_run(class, &task, tell, progress, interrupted, diag);
}
