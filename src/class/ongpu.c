#include "class/ongpu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "class/asked.h"
#include "class/crew.h"
#include "class/submitted.h"
#include "report/object.h"

enum { PTX_BYTES = 64 << 20 };

bool ongpu_find(GpuInfo *gpu, Diag *diag) {
    Gpu *probed = gpu_new();
    bool found = gpu_probe(probed, gpu, diag);
    gpu_free(probed);
    if (!found) diag->hint[0] = 0; /* which speaks to one who wants times of one kernel */
    return found || diag_hint(diag, "points need no GPU: leave out --on gpu (DEVICE=gpu); on a cluster add SLURM=1");
}

bool ongpu_is_wanted(const json_t *result) {
    const json_t *measured = json_object_get(result, "measured");
    return result && strcmp(object_string(result, "status"), "graded") == 0 &&
           (!measured || json_object_get(measured, "unable"));
}

size_t ongpu_count(const Class *class) {
    size_t count = 0;
    for (size_t i = class->request.share - 1; i < class->submissions.count; i += class->request.shares) {
        json_auto_t *result = class_result(class, &class->submissions.items[i]);
        count += ongpu_is_wanted(result);
    }
    return count;
}

/* --- one at a time -------------------------------------------------------------------------------------------------------- */

/* Locked while this computer's GPU is measured on, whoever does so for whatever class. It ends with the process. */
static int lock_gpu(const GpuInfo *gpu, Diag *diag) {
    LOCAL_TEXT path = text_from("/tmp/warpscope-gpu-%s", gpu->bus);
    int fd = open(path.data, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) {
        fd = open(path.data, O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (fd >= 0) fchmod(fd, 0644); /* others wait at it too, whatever the umask */
    }
    bool locked = false;
    while (fd >= 0 && !(locked = flock(fd, LOCK_EX) == 0) && errno == EINTR) {}
    if (!locked) diag_error(diag, path.data, 0, 0, "the GPU cannot be reserved: %s", strerror(errno));
    if (!locked && fd >= 0) close(fd);
    return locked ? fd : -1;
}

/* --- one submission ------------------------------------------------------------------------------------------------------- */

static json_t *only(const char *key, const char *why) {
    json_t *object = json_object();
    LOCAL_TEXT line = {0};
    text_add_bytes(&line, why, strcspn(why, "\n"));
    object_text(object, key, text_string(&line));
    return object;
}

/* The names of those that are right, with commas between. */
static void add_right(const json_t *result, Text *names) {
    size_t i;
    json_t *kernel;
    json_array_foreach(json_object_get(json_object_get(result, "result"), "kernels"), i,
                       kernel) if (json_is_true(json_object_get(kernel, "correct")))
        text_add(names, "%s%s", names->length ? "," : "", object_string(kernel, "name"));
}

/* What of the lab's words is kept. It comes from a process that somebody else's kernel ran beside: for people to read, and for nothing else. */
static json_t *keep(const json_t *said) {
    static const char *const keys[] = {"device", "driver", "clock_mhz", "kernels", "goals"};
    const char *absent = json_string_value(json_object_get(said, "skipped"));
    size_t i;
    json_t *kernel, *kept = absent ? only("unable", absent) : json_object();
    for (size_t k = 0; !absent && k < sizeof keys / sizeof *keys; k++)
        if (json_object_get(said, keys[k])) object_set(kept, keys[k], json_incref(json_object_get(said, keys[k])));
    json_array_foreach(json_object_get(kept, "kernels"), i, kernel) {
        const char *unable = json_string_value(json_object_get(kernel, "unable"));
        if (unable && !json_object_get(kept, "unable")) object_text(kept, "unable", unable);
    }
    if (!absent && !json_is_array(json_object_get(kept, "kernels")))
        object_text(kept, "unable", "the grader said nothing of it");
    return kept;
}

static json_t *ask_gpu(const SandboxRequest *request, const Text *bytes) {
    SandboxResult graded;
    LOCAL_TEXT why = {0};
    unsetenv("WARPSCOPE_SECRET"); /* the seed is enough, and no secret is to be where these kernels are */
    json_auto_t *said = asked_result(request, bytes, &graded, &why);
    json_t *measured = said ? keep(said) : only("unable", text_string(&why));
    sandbox_free(&graded);
    return measured;
}

/* On the data of the grading. NULL with a message where the GPU cannot be reserved. */
static json_t *run_kernels(const Submitted *taken, const json_t *result, const char *names, ClassProgress *did, Diag *diag) {
    const Class *class = taken->class;
    LOCAL_TEXT path = submitted_path(taken, ".ptx"), ptx = {0};
    char seed[24];
    json_t *measured = NULL;
    snprintf(seed, sizeof seed, "%" JSON_INTEGER_FORMAT,
             json_integer_value(json_object_get(json_object_get(result, "result"), "seed")));
    ptx.data = out_read(&class->out, text_string(&path), PTX_BYTES, &ptx.length);
    int lock = ptx.data ? lock_gpu(&class->gpu, diag) : -1;
    if (!ptx.data) {
        measured = only("unable", "its PTX is not there: --again grades it anew");
    } else if (lock >= 0) {
        SandboxRequest request = asked_request(class);
        request.variant = submitted_variant(taken);
        request.is_archive = taken->submission->is_archive;
        request.only = names;
        request.ptx = &ptx;
        request.seed = seed;
        measured = ask_gpu(&request, &taken->bytes);
        close(lock);
    }
    did->graded = 1;
    did->ungraded = measured && json_object_get(measured, "unable");
    return measured;
}

/* NULL with a message where something stands against measuring anything. */
static json_t *measure(const Submitted *taken, const json_t *result, ClassProgress *did, Diag *diag) {
    const Class *class = taken->class;
    LOCAL_TEXT names = {0}, path = submitted_path(taken, ".gpu"), text = {0};
    add_right(result, &names);
    int claim = class_lock(class, "locks", taken->key);
    json_t *measured = class->request.again ? NULL : class_read(class, text_string(&path));
    if (!measured && !names.length) measured = only("skipped", "no kernel is right on the emulated device");
    if (!measured) {
        measured = run_kernels(taken, result, text_string(&names), did, diag);
        if (measured && !did->ungraded) {
            object_write(measured, JSON_INDENT(2) | JSON_REAL_PRECISION(10), &text);
            out_put(&class->out, text_string(&path), text_string(&text), text.length, diag);
        }
    }
    class_unlock(claim);
    return measured;
}

/* What changed meanwhile is measured by the call that grades it. */
static bool measure_one(const Class *class, const Submission *submission, ClassProgress *did, Diag *diag) {
    json_auto_t *result = class_result(class, submission);
    Submitted taken;
    if (!ongpu_is_wanted(result)) return true;
    submitted_take(&taken, class, submission);
    if (strcmp(taken.key, object_string(result, "key")) == 0) {
        json_t *measured = measure(&taken, result, did, diag);
        if (measured) object_set(result, "measured", measured);
        if (measured && !diag->set) {
            class_put_result(class, submission, result, diag);
            result = NULL;
        }
    }
    submitted_release(&taken);
    return !diag->set;
}

/* --- all of them ---------------------------------------------------------------------------------------------------------- */

/* Whether the sandbox lets the GPU be used at all: the exercise as it was given, of which nothing is run. */
static bool gpu_works(const Class *class, Diag *diag) {
    LOCAL_TEXT given = {0};
    SandboxRequest request = asked_request(class);
    request.only = "";
    request.seed = "0";
    asked_exercise(class, &given);
    json_auto_t *measured = ask_gpu(&request, &given);
    if (json_object_get(measured, "unable")) {
        diag_say(diag, "this GPU cannot be used in the sandbox: %s", object_string(measured, "unable"));
        diag_hint(diag, "all points are there; without --on gpu (DEVICE=gpu) the gradebook is written");
    }
    return !diag->set;
}

bool ongpu_measure(const Class *class, void (*tell)(const ClassProgress *progress), ClassProgress *progress, int *interrupted,
                   Diag *diag) {
    const CrewTask task = {.jobs = 1, .step = measure_one, .works = gpu_works};
    *interrupted = 0;
    return gpu_works(class, diag) && crew_run(class, &task, tell, progress, interrupted, diag);
}

/* --- in words ------------------------------------------------------------------------------------------------------------- */

static void add_goal(const json_t *goal, Text *out) {
    const json_t *value = json_object_get(goal, "value");
    if (value)
        text_add(out, "; %s %.3f of the copy, %s", object_string(goal, "name"), json_number_value(value),
                 object_string(goal, "verdict"));
}

void ongpu_add(const json_t *measured, Text *out) {
    size_t i;
    json_t *one;
    const char *unable = object_string(measured, "unable"), *skipped = object_string(measured, "skipped");
    if (!measured) return;
    if (*unable || *skipped) {
        text_add(out, "%s%s", *unable ? "could not be measured: " : "", *unable ? unable : skipped);
        return;
    }
    bool wrong = false;
    json_array_foreach(json_object_get(measured, "kernels"), i, one) {
        if (wrong || !json_is_false(json_object_get(one, "correct"))) continue;
        wrong = true;
        const char *message = object_string(one, "message");
        text_add(out, "%s is wrong: %.*s", object_string(one, "name"), (int)strcspn(message, "\n"), message);
    }
    if (!wrong) text_add(out, "right");
    json_array_foreach(json_object_get(measured, "goals"), i, one) add_goal(one, out);
}

bool ongpu_value(const json_t *measured, const char *goal, double *value) {
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(measured, "goals"), i, one) {
        const json_t *share = json_object_get(one, "value");
        if (!share || strcmp(object_string(one, "name"), goal) != 0) continue;
        *value = json_number_value(share);
        return true;
    }
    return false;
}
