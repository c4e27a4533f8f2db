#include "serve/http.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/process.h"
#include "report/object.h"

enum { COMMAND_S = 120, SAID_BYTES = 1 << 20, PATH_BYTES = 4096, NUMBER_BYTES = 256 };

/* One request while it comes in. */
typedef struct Request {
    Text body;
    bool is_admitted, is_too_long;
} Request;

/* --- answers -------------------------------------------------------------------------------------------------------------- */

static enum MHD_Result send_response(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response) {
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "X-Frame-Options", "SAMEORIGIN");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "Cache-Control", "no-cache");
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

/* Takes the object. */
static enum MHD_Result send_json(struct MHD_Connection *connection, unsigned status, json_t *object) {
    LOCAL_TEXT text = {0};
    object_write(object, JSON_COMPACT, &text);
    json_decref(object);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(text.length, (void *)text_string(&text), MHD_RESPMEM_MUST_COPY);
    MHD_add_response_header(response, "Content-Type", "application/json");
    return send_response(connection, status, response);
}

static enum MHD_Result send_error(struct MHD_Connection *connection, unsigned status, const char *what) {
    json_t *object = json_object();
    object_text(object, "error", what);
    return send_json(connection, status, object);
}

static enum MHD_Result send_elsewhere(struct MHD_Connection *connection, const char *where, const char *cookie) {
    struct MHD_Response *response = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(response, "Location", where);
    if (cookie) MHD_add_response_header(response, "Set-Cookie", cookie);
    return send_response(connection, MHD_HTTP_SEE_OTHER, response);
}

/* --- files ---------------------------------------------------------------------------------------------------------------- */

static const char *type_of(const char *name) {
    static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".css", "text/css"},
                                           {".js", "text/javascript"},
                                           {".svg", "image/svg+xml"},
                                           {".json", "application/json"},
                                           {".png", "image/png"},
                                           {".wasm", "application/wasm"},
                                           {".pdf", "application/pdf"}};
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending && i < sizeof types / sizeof *types; i++)
        if (strcmp(ending, types[i][0]) == 0) return types[i][1];
    return "application/octet-stream";
}

/* Names of the folder itself: no part is hidden or leads upward. */
static bool is_plain(const char *name) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+/";
    return *name && *name != '.' && *name != '/' && !name[strspn(name, allowed)] && !strstr(name, "/.") && !strstr(name, "//");
}

static enum MHD_Result send_file(struct MHD_Connection *connection, const Text *folder, const char *name, const char *absent) {
    char path[PATH_BYTES];
    struct stat status;
    int length = snprintf(path, sizeof path, "%s/%s", text_string(folder), name);
    int file = is_plain(name) && length < PATH_BYTES ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        if (file >= 0) close(file);
        return send_error(connection, MHD_HTTP_NOT_FOUND, absent);
    }
    struct MHD_Response *response = MHD_create_response_from_fd((size_t)status.st_size, file);
    MHD_add_response_header(response, "Content-Type", type_of(name));
    return send_response(connection, MHD_HTTP_OK, response);
}

/* --- labs ----------------------------------------------------------------------------------------------------------------- */

static json_t *list_labs(const CourseServer *course) {
    json_t *labs = json_array();
    for (size_t i = 0; i < course->desk.count; i++) {
        const DeskLab *of = &course->desk.labs[i];
        json_t *lab = json_object();
        object_text(lab, "lab", of->number);
        object_text(lab, "title", of->title);
        if (of->entry) object_text(lab, "folder", of->entry->folder); /* a listing is of no lab */
        json_array_append_new(labs, lab);
    }
    return labs;
}

static enum MHD_Result save(CourseServer *course, struct MHD_Connection *connection, DeskLab *lab, const Text *body) {
    Diag diag = {0};
    const char *version = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "X-Version");
    switch (desk_save(&course->desk, lab, version ? version : "", text_string(body), body->length, &diag)) {
    case DESK_SAVED: return send_json(connection, MHD_HTTP_OK, desk_state(lab));
    case DESK_CHANGED: return send_json(connection, MHD_HTTP_CONFLICT, desk_state(lab));
    case DESK_UNWRITTEN: break;
    }
    return send_error(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, diag.message);
}

/* The learner's own commands, as make has them. What is to be asked first, the page has asked. */
static enum MHD_Result command(const CourseServer *course, struct MHD_Connection *connection, const DeskLab *lab,
                               const char *word) {
    static const char *const words[][2] = {{"grade"}, {"hint"}, {"reset", "--yes"}, {"explore"}};
    size_t which = 0, count = sizeof words / sizeof *words;
    while (which < count && strcmp(words[which][0], word) != 0) which++;
    if (which == count) return send_error(connection, MHD_HTTP_NOT_FOUND, "there is no such command");
    const char *const argv[] = {course->warpscope, "lab", words[which][0], lab->number, words[which][1], NULL};
    ProcessRequest request = {
        .argv = argv, .folder = text_string(&course->root), .timeout_s = COMMAND_S, .output_limit = SAID_BYTES};
    ProcessResult result;
    process_run(&request, &result);
    json_t *object = json_object();
    object_number(object, "status", (uint64_t)(result.status < 0 ? 255 : result.status));
    if (result.timed_out)
        text_add(&result.output,
                 "%s was ended after %d s, since the desk waits no longer: this computer is busy, or the kernel slow.\n"
                 "Try again later, or in a terminal, which waits: make %s LAB=%s\n",
                 word, COMMAND_S, word, lab->number);
    if (result.error) text_add(&result.output, "%s cannot be started: %s\n", argv[0], strerror(result.error));
    object_text(object, "said", text_string(&result.output));
    desk_add_recorded(lab, object);
    text_free(&result.output);
    return send_json(connection, MHD_HTTP_OK, object);
}

/* A text that gives way to another: {"said": the name of its file}. */
static enum MHD_Result keep(struct MHD_Connection *connection, const DeskLab *lab, const Text *body) {
    Diag diag = {0};
    LOCAL_TEXT name = {0};
    if (!desk_keep(lab, text_string(body), body->length, &name, &diag))
        return send_error(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, diag.message);
    json_t *object = json_object();
    object_text(object, "said", text_string(&name));
    return send_json(connection, MHD_HTTP_OK, object);
}

/* What is done to a listing: nothing but this. */
static enum MHD_Result put_back(CourseServer *course, struct MHD_Connection *connection, DeskLab *lab, const char *word) {
    Diag diag = {0};
    if (strcmp(word, "reset") != 0) return send_error(connection, MHD_HTTP_NOT_FOUND, "that is done to labs alone");
    LOCAL_TEXT said = {0};
    if (!desk_put_back(&course->desk, lab, &said, &diag))
        return send_error(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, diag.message);
    json_t *object = json_object();
    object_number(object, "status", 0);
    object_text(object, "said", text_string(&said));
    return send_json(connection, MHD_HTTP_OK, object);
}

static json_t *hello(const DeskLab *lab) {
    json_t *object = desk_state(lab);
    if (lab->remarks) object_set(object, "remarks", json_incref(lab->remarks));
    return object;
}

/* NUMBER or NUMBER/WORD. */
static enum MHD_Result answer_lab(CourseServer *course, struct MHD_Connection *connection, const char *path, const char *method,
                                  const Text *body) {
    char number[NUMBER_BYTES];
    Diag diag = {0};
    size_t length = strcspn(path, "/");
    snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : 0), path);
    const char *word = path[length] ? path + length + 1 : "";
    DeskLab *lab = desk_find(&course->desk, number);
    if (!lab) return send_error(connection, MHD_HTTP_NOT_FOUND, "there is no such lab");
    if (!desk_lay(&course->desk, lab, &diag)) return send_error(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, diag.message);
    if (strcmp(method, "PUT") == 0 && !*word) return save(course, connection, lab, body);
    if (strcmp(method, "POST") == 0 && strcmp(word, "keep") == 0) return keep(connection, lab, body);
    if (strcmp(method, "POST") == 0)
        return lab->listing ? put_back(course, connection, lab, word) : command(course, connection, lab, word);
    if (strcmp(method, "GET") == 0 && !*word) return send_json(connection, MHD_HTTP_OK, desk_state(lab));
    if (strcmp(method, "GET") == 0 && strcmp(word, "events") == 0) {
        desk_wanted(lab);
        return events_begin(&course->events, connection, lab, hello(lab));
    }
    return send_error(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "that is not done to a lab");
}

/* --- requests ------------------------------------------------------------------------------------------------------------- */

static const char *behind(const char *path, const char *head) {
    size_t length = strlen(head);
    return strncmp(path, head, length) == 0 ? path + length : NULL;
}

static enum MHD_Result answer(CourseServer *course, struct MHD_Connection *connection, const char *path, const char *method,
                              const Text *body) {
    const char *name;
    if ((name = behind(path, "/api/lab/"))) return answer_lab(course, connection, name, method, body);
    if (strcmp(method, "GET") != 0) return send_error(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "nothing is written here");
    if (strcmp(path, "/api/labs") == 0) return send_json(connection, MHD_HTTP_OK, list_labs(course));
    if (strcmp(path, "/") == 0) return send_file(connection, &course->pages, "desk.html", "the desk's page is missing");
    if ((name = behind(path, "/desk/"))) return send_file(connection, &course->pages, name, "there is no such file");
    if ((name = behind(path, "/codemirror/")))
        return send_file(connection, &course->editor, name, "CodeMirror is missing: ./setup installs it");
    if ((name = behind(path, "/explored/")) && behind(name, "explore-")) /* of the build nothing else: the token is there */
        return send_file(connection, &course->build, name, "nothing was explored yet");
    if ((name = behind(path, "/book/"))) return send_file(connection, &course->site, name, "there is no such page: make book");
    return send_error(connection, MHD_HTTP_NOT_FOUND, "there is no such page");
}

static enum MHD_Result refuse(struct MHD_Connection *connection, const char *why) {
    return send_error(connection, MHD_HTTP_FORBIDDEN, why);
}

/* Wherever the token was said: the address does not keep it, and nobody is sent elsewhere. */
static enum MHD_Result enter(const CourseServer *course, struct MHD_Connection *connection) {
    char cookie[256], home[64];
    admit_cookie(&course->admission, cookie, sizeof cookie);
    admit_home(&course->admission, home, sizeof home);
    return send_elsewhere(connection, home, cookie);
}

enum MHD_Result http_answer(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                            const char *version, const char *upload, size_t *upload_bytes, void **kept) {
    CourseServer *course = context;
    Request *request = *kept;
    const char *why;
    (void)version;
    bool changes = strcmp(method, "GET") != 0;
    if (!request) { /* its headers have come */
        *kept = request = calloc(1, sizeof *request);
        LetIn admitted = admit(&course->admission, connection, path, changes, &why);
        if (admitted == ADMIT_NO) return refuse(connection, why);
        if (admitted == ADMIT_ENTERS) return enter(course, connection);
        strangers_admit(connection);
        return MHD_YES;
    }
    if (*upload_bytes) {
        request->is_too_long |= request->body.length + *upload_bytes > KERNEL_BYTES;
        if (!request->is_too_long) text_add_bytes(&request->body, upload, *upload_bytes);
        *upload_bytes = 0;
        return MHD_YES;
    }
    if (request->is_too_long) return send_error(connection, MHD_HTTP_CONTENT_TOO_LARGE, "a kernel.cu has at most 1 MiB");
    return answer(course, connection, admit_path(&course->admission, path), method, &request->body);
}

void http_ended(void *context, struct MHD_Connection *connection, void **kept, enum MHD_RequestTerminationCode code) {
    Request *request = *kept;
    (void)context, (void)connection, (void)code;
    if (!request) return;
    text_free(&request->body);
    free(request);
    *kept = NULL;
}
