#include "runtime/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/fatbin.h"
#include "runtime/names.h"

#define SOURCE_LIMIT ((size_t)16 << 20) /* a longer file's lines are not shown */

static void *new_zeroed(size_t bytes) {
    void *memory = calloc(1, bytes);
    if (!memory) abort();
    return memory;
}

static char *copy_text(const char *text) {
    char *copy = strdup(text);
    if (!copy) abort();
    return copy;
}

/* --- loading --- */

/* "nvcc 13.0" from nvcc's "// Cuda compilation tools, release 13.0, V13.0.88"; what `warpscope compile` writes: "// compiled by …". */
static void find_compiler(Image *image, const char *told, const char *text, size_t length) {
    static const struct { const char *key, *name; } known[] = {{"// compiled by ", ""}, {"tools, release ", "nvcc "}};
    if (told) snprintf(image->compiler, sizeof image->compiler, "%s", told);
    char head[1024];
    snprintf(head, sizeof head, "%.*s", (int)(length < sizeof head ? length : sizeof head - 1), text);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *at = strstr(head, known[i].key);
        if (!at) continue;
        at += strlen(known[i].key);
        snprintf(image->compiler, sizeof image->compiler, "%s%.*s", known[i].name, (int)strcspn(at, ",\n"), at);
        return;
    }
}

/* The file of the first kernel's first instruction that has a place, so that its lines can be shown. */
static void find_source(Image *image) {
    const Program *program = image->program;
    for (uint32_t f = 0; f < program->n_functions && !image->source_path; f++) {
        const Function *function = &program->functions[f];
        if (!function->is_entry || !function->is_defined) continue;
        for (uint32_t i = function->first; i < function->first + function->count && !image->source_path; i++) {
            const Location *location = program_location(program, i, NULL);
            if (location->line) image->source_path = copy_text(program->files[location->file]);
        }
    }
    size_t length;
    if (image->source_path) image->source_text = text_read_file(image->source_path, SOURCE_LIMIT, &length);
}

static void bind(Image *image) {
    const Program *program = image->program;
    for (Kernel *kernel = image->kernels; kernel; kernel = kernel->next)
        for (uint32_t f = 0; f < program->n_functions; f++) {
            const Function *function = &program->functions[f];
            if (function->is_entry && function->is_defined && strcmp(function->name, kernel->name) == 0)
                kernel->function = function;
        }
    for (Symbol *symbol = image->symbols; symbol; symbol = symbol->next)
        for (uint32_t v = 0; v < program->n_variables; v++)
            if (image->module->variables[v] && strcmp(program->variables[v].name, symbol->name) == 0) {
                symbol->allocation = image->module->variables[v];
                if (symbol->managed) *symbol->managed = symbol->allocation->host;
            }
}

/* clang gives a managed variable's host half the room for it, in a section of its own (cuda/include/warpscope/qualifiers.h); the linker
 * names the section's ends where there is one. */
extern char __start_warpscope_managed[] __attribute__((weak)), __stop_warpscope_managed[] __attribute__((weak));

static bool holds_variable(const Symbol *symbol) {
    uintptr_t host = (uintptr_t)symbol->host;
    return host >= (uintptr_t)__start_warpscope_managed && host < (uintptr_t)__stop_warpscope_managed;
}

static void *find_place(void *self, const char *variable) {
    for (const Symbol *symbol = ((Image *)self)->symbols; symbol; symbol = symbol->next)
        if (holds_variable(symbol) && strcmp(symbol->name, variable) == 0) return (void *)symbol->host;
    return NULL;
}

static void load_variables(Image *image, Memory *memory) {
    Places places = {.self = image, .find = find_place};
    image->module = module_load(image->program, memory, &places);
}

cudaError_t image_load(Context *context, Image *image) {
    if (image->program || image->error) return image->error;
    const Profile *profile = context->options.profile;
    Diag diag = {0};
    const char *text;
    size_t length;
    if (!fatbin_ptx(image->data, 10 * profile->compute_major + profile->compute_minor, &text, &length, &diag)) {
        note_diag("cannot load the program's device code", &diag);
        return image->error = cudaErrorNoKernelImageForDevice;
    }
    find_compiler(image, context->options.compiler, text, length);
    image->program = program_parse(text, length, "PTX of the program", &diag);
    if (!image->program) {
        note_diag("cannot read the program's device code", &diag);
        return image->error = cudaErrorInvalidPtx;
    }
    load_variables(image, context->memory);
    find_source(image);
    bind(image);
    return cudaSuccess;
}

/* "scale" of "void space::scale<float>(float*, int)". The caller frees. */
static char *plain_name(const char *mangled) {
    char *readable = program_demangle(mangled);
    readable[strcspn(readable, "<(")] = 0;
    const char *start = readable;
    for (const char *at = readable; *at; at++)
        if (*at == ' ' || *at == ':') start = at + 1;
    char *plain = copy_text(start);
    free(readable);
    return plain;
}

const char *image_parameter(Kernel *kernel, uint32_t index) {
    uint32_t n = kernel->function->n_params;
    if (!kernel->names) {
        kernel->names = new_zeroed((n + 1) * sizeof *kernel->names);
        char *plain = plain_name(kernel->name);
        if (kernel->image->source_text) names_find(kernel->image->source_text, plain, n, kernel->names);
        free(plain);
    }
    return index < n ? kernel->names[index] : NULL;
}

Kernel *image_kernel(Context *context, const void *stub, cudaError_t *error) {
    *error = cudaErrorInvalidDeviceFunction;
    for (Image *image = context->images; image; image = image->next)
        for (Kernel *kernel = image->kernels; kernel; kernel = kernel->next) {
            if (kernel->stub != stub && (const void *)kernel != stub) continue;
            cudaError_t loaded = image_load(context, image);
            if (loaded) *error = loaded;
            if (!kernel->function) return NULL;
            *error = cudaSuccess;
            return kernel;
        }
    return NULL;
}

void image_reset(Context *context) {
    for (Image *image = context->images; image; image = image->next) {
        if (!image->program) continue;
        module_unload(image->module, context->memory);
        load_variables(image, context->memory);
        bind(image);
    }
}

Symbol *image_symbol(Context *context, const void *host, cudaError_t *error) {
    *error = cudaErrorInvalidSymbol;
    for (Image *image = context->images; image; image = image->next)
        for (Symbol *symbol = image->symbols; symbol; symbol = symbol->next) {
            if (symbol->host != host) continue;
            cudaError_t loaded = image_load(context, image);
            if (loaded) *error = loaded;
            if (!symbol->allocation) return NULL;
            *error = cudaSuccess;
            return symbol;
        }
    return NULL;
}

/* --- registration, by code that the compiler puts before main --- */

void **__cudaRegisterFatBinary(void *wrapper) {
    Context *context = context_lock();
    const FatbinWrapper *given = wrapper;
    Image *image = new_zeroed(sizeof *image);
    image->data = given->magic == FATBIN_WRAPPER_MAGIC ? given->data : wrapper;
    image->next = context->images;
    context->images = image;
    context_unlock(context);
    return (void **)image;
}

/* The host may read a managed variable before it calls anything of the runtime. */
void __cudaRegisterFatBinaryEnd(void **handle) {
    Context *context = context_lock();
    Image *image = (Image *)handle;
    bool managed = false;
    for (const Symbol *symbol = image->symbols; symbol && !managed; symbol = symbol->next) managed = holds_variable(symbol);
    if (managed) image_load(context, image);
    context_unlock(context);
}

/* Runs when the program ends; the report still needs what is loaded. */
void __cudaUnregisterFatBinary(void **handle) { (void)handle; }

void __cudaRegisterFunction(void **handle, const char *stub, char *device_stub, const char *name, int thread_limit,
                            uint3 *thread, uint3 *block, dim3 *block_dim, dim3 *grid_dim, int *warp_size) {
    (void)device_stub, (void)thread_limit, (void)thread, (void)block, (void)block_dim, (void)grid_dim, (void)warp_size;
    Image *image = (Image *)handle;
    Context *context = context_lock();
    Kernel *kernel = new_zeroed(sizeof *kernel);
    *kernel = (Kernel){.next = image->kernels, .image = image, .stub = stub, .name = copy_text(name), .carveout = -1};
    image->kernels = kernel;
    context_unlock(context);
}

static void register_symbol(Image *image, Symbol given) {
    Context *context = context_lock();
    Symbol *symbol = new_zeroed(sizeof *symbol);
    *symbol = given;
    symbol->image = image;
    symbol->name = copy_text(given.name);
    symbol->next = image->symbols;
    image->symbols = symbol;
    context_unlock(context);
}

void __cudaRegisterVar(void **handle, char *host, char *device_address, const char *name, int external, size_t bytes,
                       int constant, int global) {
    (void)device_address, (void)external, (void)constant, (void)global;
    register_symbol((Image *)handle, (Symbol){.host = host, .name = (char *)name, .bytes = bytes});
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device_address, const char *name, int external, size_t bytes,
                              int constant, int global) {
    (void)device_address, (void)external, (void)constant, (void)global;
    register_symbol((Image *)handle, (Symbol){.host = host, .name = (char *)name, .bytes = bytes, .managed = host});
}

char __cudaInitModule(void **handle) {
    Context *context = context_lock();
    cudaError_t error = image_load(context, (Image *)handle);
    context_unlock(context);
    return error == cudaSuccess;
}

/* A kernel's handle is the registered Kernel; one that was never registered gives its host function back, which no launch knows. */
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub) {
    Context *context = context_lock();
    *kernel = (cudaKernel_t)(uintptr_t)stub;
    for (Image *image = context->images; image; image = image->next)
        for (Kernel *known = image->kernels; known; known = known->next)
            if (known->stub == stub) *kernel = (cudaKernel_t)known;
    context_unlock(context);
    return cudaSuccess;
}
