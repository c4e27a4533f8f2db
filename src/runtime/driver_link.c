/* The driver API's linker: it takes PTX, and what it makes is loaded by cuModuleLoadData: the texts, one behind the other, which are linked then. */
#include "runtime/driver_link.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/calls.h"
#include "runtime/driver_module.h"
#include "runtime/fatbin.h"
#include "runtime/image.h"
#include "runtime/jit_log.h"

#define LINK_FILE_LIMIT ((size_t)256 << 20)

static const char magic[8] = {'\177', 'w', 's', 'l', 'i', 'n', 'k', '\n'}; /* as no text begins */

typedef struct LinkedImage {
    char magic[8];
    size_t count, bytes; /* texts; of all of it. Behind it each text's length, then its characters and a NUL */
} LinkedImage;

struct CUlinkState_st {
    struct CUlinkState_st *next;
    ProgramText *texts;
    size_t count;
    bool fails;  /* something was added that does not fit */
    void *image; /* made by cuLinkComplete, kept until cuLinkDestroy */
    JitLogs logs;
    Text said; /* in the log of errors so far */
};

static bool are_options(JitOptions given) { return !given.count || (given.options && given.values); }

static API_CALL(create, (CUlinkState * state, JitOptions given), (state, given));
static cudaError_t create_locked(Context *context, CUlinkState *state, JitOptions given) {
    if (!state || !are_options(given)) return cudaErrorInvalidValue;
    *state = alloc_zeroed(1, sizeof **state);
    (*state)->logs = jit_logs(given);
    (*state)->next = context->links;
    context->links = *state;
    return cudaSuccess;
}

static CUlinkState *place_of(Context *context, CUlinkState state) {
    CUlinkState *at = &context->links;
    while (*at && *at != state) at = &(*at)->next;
    return at;
}

bool driver_link_made(const void *data) { return strncmp(data, magic, sizeof magic) == 0; }

/* One text, and *at moved behind it, of which *left bytes are there. */
static bool take_text(const char **at, size_t *left, ProgramText *text) {
    size_t length;
    if (*left <= sizeof length) return false;
    memcpy(&length, *at, sizeof length);
    *left -= sizeof length;
    text->text = *at + sizeof length;
    text->length = length;
    if (length >= *left || strnlen(text->text, length + 1) != length) return false;
    *left -= length + 1;
    *at = text->text + length + 1;
    return true;
}

ProgramText *driver_link_texts(const void *image, size_t bytes, const char *name, size_t *count) {
    LinkedImage head;
    *count = 0;
    if (bytes && bytes < sizeof head) return NULL;
    memcpy(&head, image, sizeof head);
    if (head.bytes < sizeof head || (bytes && head.bytes > bytes)) return NULL;
    const char *at = (const char *)image + sizeof head;
    size_t left = head.bytes - sizeof head, n = 0;
    ProgramText *texts = NULL, text = {.name = name};
    while (n < head.count && take_text(&at, &left, &text)) ALLOC_ADD(texts, n) = text;
    if (n && n == head.count) return *count = n, texts;
    free(texts);
    return NULL;
}

DRIVER_CALL(DRIVER_CURRENT, cuLinkCreate, (unsigned count, CUjit_option *options, void **values, CUlinkState *state),
            (count, options, values, state)) {
    return create(state, (JitOptions){count, options, values});
}

typedef struct LinkInput {
    CUjitInputType type;
    const void *data;
    size_t bytes;
    const char *name;
    JitOptions jit; /* for this input */
} LinkInput;

/* The PTX of what is added, which is also what nvcc -cubin and nvrtcGetCUBIN make here; refused by name what has none. */
static cudaError_t find_ptx(Context *context, const LinkInput *input, ProgramText *text, Diag *diag) {
    const Profile *profile = context->options.profile;
    const bool is_machine_code = input->bytes > 4 && memcmp(input->data, "\177ELF", 4) == 0;
    const bool has_ptx = input->type == CU_JIT_INPUT_PTX || input->type == CU_JIT_INPUT_FATBINARY ||
                         (input->type == CU_JIT_INPUT_CUBIN && !is_machine_code);
    if (!has_ptx) {
        context->not_emulated = true;
        diag_say(diag, "machine code, objects and libraries cannot be linked: the emulated device runs PTX");
        diag_hint(diag, "add PTX, or a fat binary that has it: nvcc -ptx, or -gencode arch=compute_75,code=compute_75");
        return cudaErrorNotSupported;
    }
    if (!fatbin_inside(input->data, input->bytes)) return diag_say(diag, "it is not whole"), cudaErrorInvalidKernelImage;
    text->name = input->name;
    return fatbin_ptx(input->data, 10 * profile->compute_major + profile->compute_minor, &text->text, &text->length, diag)
               ? cudaSuccess
               : cudaErrorInvalidKernelImage;
}

/* What all texts are together, and one more, where there is one; NULL, and why, where they do not fit. */
static Program *join(const struct CUlinkState_st *state, const ProgramText *more, Diag *diag) {
    FREED ProgramText *named = alloc_zeroed(state->count + 1, sizeof *named);
    for (size_t i = 0; i < state->count; i++)
        named[i] = (ProgramText){state->texts[i].text, state->texts[i].length, "the linked module"};
    if (more) named[state->count] = *more;
    return program_link(named, state->count + (more != NULL), diag);
}

/* Fits the text to the others. */
static cudaError_t check_input(const struct CUlinkState_st *state, const ProgramText *text, Diag *diag) {
    Program *alone = program_parse(text->text, text->length, text->name, diag);
    if (!alone) return cudaErrorInvalidPtx;
    program_free(alone);
    Program *together = join(state, text, diag);
    if (!together) return cudaErrorInvalidSource;
    program_free(together);
    return cudaSuccess;
}

static bool is_asked(const JitLogs *logs) {
    return logs->error.into || logs->error.written || logs->info.into || logs->info.written;
}

/* Tells of an error, where there is one, and writes logs: the input's own, where it has any, and the linker's, which goes on. */
static void write_logs(struct CUlinkState_st *state, const JitLogs *own, const char *what, const Diag *diag) {
    LOCAL_TEXT said = {0};
    if (diag->message[0]) {
        note_diag(what, diag);
        diag_format(diag, &said);
        text_add(&state->said, "%s%s", state->said.length ? "\n" : "", text_string(&said));
    }
    if (is_asked(own)) jit_logs_write(own, text_string(&said));
    jit_logs_write(&state->logs, text_string(&state->said));
}

static API_CALL(add_input, (CUlinkState handle, LinkInput input), (handle, input));
static cudaError_t add_input_locked(Context *context, CUlinkState handle, LinkInput input) {
    CUlinkState state = *place_of(context, handle);
    Diag diag = {0};
    ProgramText text = {0};
    if (!state || state->image || !input.data || !input.bytes || (unsigned)input.type >= CU_JIT_NUM_INPUT_TYPES ||
        !are_options(input.jit))
        return cudaErrorInvalidValue;
    const JitLogs own = jit_logs(input.jit);
    FREED char *copy = alloc_bytes(input.bytes + 1); /* bare text need not end with a NUL here */
    memcpy(copy, input.data, input.bytes);
    copy[input.bytes++] = 0;
    input.data = copy;
    cudaError_t error = find_ptx(context, &input, &text, &diag);
    if (!error) error = check_input(state, &text, &diag);
    LOCAL_TEXT what = text_from("cannot link %s", input.name);
    write_logs(state, &own, text_string(&what), &diag);
    state->fails |= error == cudaErrorInvalidSource;
    if (error) return error;
    char *kept = alloc_bytes(text.length + 1);
    memcpy(kept, text.text, text.length);
    kept[text.length] = 0;
    ALLOC_ADD(state->texts, state->count) = (ProgramText){kept, text.length, NULL};
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_CURRENT, cuLinkAddData,
            (CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name, unsigned count,
             CUjit_option *options, void **values),
            (state, type, data, bytes, name, count, options, values)) {
    return add_input(state, (LinkInput){type, data, bytes, name ? name : "what has no name", {count, options, values}});
}

DRIVER_CALL(DRIVER_CURRENT, cuLinkAddFile,
            (CUlinkState state, CUjitInputType type, const char *path, unsigned count, CUjit_option *options, void **values),
            (state, type, path, count, options, values)) {
    size_t bytes;
    if (!path || (count && (!options || !values))) return cudaErrorInvalidValue;
    FREED char *text = text_read_file(path, LINK_FILE_LIMIT, &bytes);
    if (text) return add_input(state, (LinkInput){type, text, bytes, path, {count, options, values}});
    note("cuLinkAddFile: '%s' cannot be read: %s", path, text_file_problem(errno));
    return cudaErrorFileNotFound;
}

/* Of nothing a module is made that has nothing. */
static void *make_image(struct CUlinkState_st *state, size_t *bytes) {
    static const char empty[] = ".version 6.3\n.target sm_75\n.address_size 64\n";
    if (!state->count) ALLOC_ADD(state->texts, state->count) = (ProgramText){alloc_copy(empty), sizeof empty - 1, NULL};
    LinkedImage head = {.count = state->count, .bytes = sizeof head};
    memcpy(head.magic, magic, sizeof magic);
    for (size_t i = 0; i < state->count; i++) head.bytes += sizeof(size_t) + state->texts[i].length + 1;
    char *image = alloc_bytes(head.bytes), *at = image + sizeof head;
    memcpy(image, &head, sizeof head);
    for (size_t i = 0; i < state->count; i++) {
        const size_t length = state->texts[i].length;
        memcpy(at, &length, sizeof length);
        memcpy(at + sizeof length, state->texts[i].text, length + 1);
        at += sizeof length + length + 1;
    }
    *bytes = head.bytes;
    return image;
}

/* A function that is called and is nowhere. */
static const char *find_missing(const Program *program) {
    for (uint32_t f = 0; f < program->n_functions; f++)
        if (!program->functions[f].is_defined && !call_is_provided(program->functions[f].name))
            return program->functions[f].name;
    return NULL;
}

static API_CALL(complete_link, (CUlinkState handle, void **image, size_t *bytes), (handle, image, bytes));
static cudaError_t complete_link_locked(Context *context, CUlinkState handle, void **image, size_t *bytes) {
    CUlinkState state = *place_of(context, handle);
    Diag diag = {0};
    if (!state || !image || state->image) return cudaErrorInvalidValue;
    if (state->fails) return cudaErrorInvalidSource;
    Program *program = state->count ? join(state, NULL, &diag) : NULL;
    const char *missing = program ? find_missing(program) : NULL;
    if (missing) diag_say(&diag, "'%s' is called, and in nothing that was added", missing);
    write_logs(state, &(JitLogs){0}, "cuLinkComplete", &diag);
    program_free(program);
    if (diag.message[0]) return cudaErrorInvalidSource;
    size_t made;
    *image = state->image = make_image(state, &made);
    if (bytes) *bytes = made;
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_CURRENT, cuLinkComplete, (CUlinkState state, void **image, size_t *bytes), (state, image, bytes)) {
    return complete_link(state, image, bytes);
}

static API_CALL(destroy_link, (CUlinkState handle), (handle));
static cudaError_t destroy_link_locked(Context *context, CUlinkState handle) {
    CUlinkState *at = place_of(context, handle), state = *at;
    if (!state) return cudaErrorInvalidValue;
    *at = state->next;
    for (size_t i = 0; i < state->count; i++) free((char *)(uintptr_t)state->texts[i].text);
    free(state->texts);
    free(state->image);
    text_free(&state->said);
    free(state);
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_CURRENT, cuLinkDestroy, (CUlinkState state), (state)) { return destroy_link(state); }
