#include "class/asked.h"

#include "grade/scratch.h"

SandboxRequest asked_request(const Class *class) {
    return (SandboxRequest){.build = class->request.build,
                            .lab = class->request.lab->folder,
                            .name = "kernel.cu",
                            .cc = class->request.cc,
                            .kept = scratch_folder(),
                            .json = true};
}

json_t *asked_result(const SandboxRequest *request, const Text *bytes, SandboxResult *graded, Text *why) {
    sandbox_grade(request, bytes, graded);
    json_t *result = json_loadb(text_string(&graded->result), graded->result.length, 0, NULL);
    const char *unable = json_string_value(json_object_get(json_object_get(result, "error"), "message"));
    if (result && !unable && graded->status != GRADED_USAGE && graded->status != GRADED_UNABLE) return result;
    const char *said = text_string(&graded->said);
    text_add(why, "%s", unable ? unable : *said ? said : "the grader ended without a result");
    json_decref(result);
    return NULL;
}

void asked_exercise(const Class *class, Text *given) {
    given->data = text_read_file(class->request.lab->untouched, SUBMITTED_BYTES, &given->length);
}
