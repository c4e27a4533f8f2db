#include "input/arguments.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/numbers.h"
#include "input/signature.h"

#define ELEMENT_TYPES "u8 i8 u16 i16 u32 i32 u64 i64 f32 f64"

enum { DEFAULT_SEED = 32 };

Arguments arguments_new(void) { return (Arguments){.arena = arena_new()}; }

void arguments_free(Arguments *arguments) {
    arena_free(arguments->arena);
    *arguments = (Arguments){0};
}

uint64_t arguments_random(uint64_t seed, uint64_t index) {
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t memory_limit(void) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / 2 : UINT64_C(1) << 32;
}

/* --- parsing ------------------------------------------------------------------------------------------------------------- */

/* One specification being read: messages begin with the argument's index and text. */
typedef struct SpecificationReader {
    Arguments *arguments;
    Argument *argument;
    Diag *diag;
} SpecificationReader;

static bool wrong(const SpecificationReader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool wrong(const SpecificationReader *reader, const char *format, ...) {
    char what[300];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    return diag_say(reader->diag, "argument %zu, '%.120s': %s", reader->arguments->count, reader->argument->text, what);
}

static bool read_number(const SpecificationReader *reader, const char *text) {
    uint8_t *data = arena_alloc(reader->arguments->arena, 8);
    const char *problem = number_parse(text, strlen(text), reader->argument->type, data);
    if (problem) return wrong(reader, "'%.80s' %s", text, problem);
    reader->argument->data = data;
    reader->argument->count = 1;
    reader->argument->bytes = type_bytes[reader->argument->type];
    return true;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool read_struct(const SpecificationReader *reader, const char *text) {
    size_t length = strlen(text);
    if (!length || length % 2) {
        wrong(reader, "a struct needs two hexadecimal digits for each byte, and here are %zu", length);
        return diag_hint(reader->diag, "bytes:0000803f is the float 1.0, lowest byte first");
    }
    uint8_t *data = arena_alloc(reader->arguments->arena, length / 2);
    for (size_t i = 0; i < length / 2; i++) {
        int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0) return wrong(reader, "'%.2s' at byte %zu is not hexadecimal", text + 2 * i, i);
        data[i] = (uint8_t)(high * 16 + low);
    }
    reader->argument->data = data;
    reader->argument->bytes = length / 2;
    return true;
}

static bool read_list(const SpecificationReader *reader, const char *text) {
    Argument *argument = reader->argument;
    unsigned size = type_bytes[argument->type];
    uint64_t values = *text ? 1 : 0;
    for (const char *at = text; *at; at++) values += *at == ',';
    if (values != argument->count) {
        wrong(reader, "the list has %" PRIu64 " value%s, and the buffer %" PRIu64 " element%s", values, values == 1 ? "" : "s",
              argument->count, argument->count == 1 ? "" : "s");
        return diag_hint(reader->diag, "give just as many, or use zero, iota or random");
    }
    uint8_t *data = arena_alloc(reader->arguments->arena, argument->bytes + 8);
    for (uint64_t i = 0; i < values; i++) {
        size_t length = strcspn(text, ",");
        uint8_t bytes[8];
        const char *problem = number_parse(text, length, argument->type, bytes);
        if (problem)
            return wrong(reader, "value %" PRIu64 " of the list, '%.*s', %s", i, (int)(length < 60 ? length : 60), text,
                         problem);
        memcpy(data + i * size, bytes, size);
        text += length + 1;
    }
    argument->data = data;
    return true;
}

static bool read_file(const SpecificationReader *reader, const char *path) {
    Argument *argument = reader->argument;
    size_t length;
    FREED char *bytes = text_read_file(path, argument->bytes, &length);
    if (!bytes && errno != EFBIG) return wrong(reader, "cannot read '%.100s': %s", path, text_file_problem(errno));
    if (!bytes || length != argument->bytes) {
        char got[40] = "more";
        if (bytes) snprintf(got, sizeof got, "%zu bytes", length);
        return wrong(reader, "%" PRIu64 " elements of %s are %" PRIu64 " bytes, and the file has %s", argument->count,
                     number_type_name(argument->type), argument->bytes, got);
    }
    argument->data = (uint8_t *)arena_copy(reader->arguments->arena, bytes, length);
    return true;
}

static bool read_fill(const SpecificationReader *reader, const char *fill) {
    Argument *argument = reader->argument;
    if (strcmp(fill, "zero") == 0) {
        argument->fill = FILL_ZERO;
    } else if (strcmp(fill, "iota") == 0) {
        argument->fill = FILL_IOTA;
    } else if (strcmp(fill, "random") == 0 || strncmp(fill, "random:", 7) == 0) {
        argument->fill = FILL_RANDOM;
        argument->seed = DEFAULT_SEED;
        if (fill[6] && !number_unsigned(fill + 7, strlen(fill + 7), UINT64_MAX, &argument->seed))
            return wrong(reader, "the seed '%.60s' is not a number from 0 to 2^64 - 1", fill + 7);
    } else if (strncmp(fill, "list:", 5) == 0) {
        argument->fill = FILL_BYTES;
        return read_list(reader, fill + 5);
    } else if (fill[0] == '@') {
        argument->fill = FILL_BYTES;
        return read_file(reader, fill + 1);
    } else {
        wrong(reader, "unknown fill '%.60s'", fill);
        return diag_hint(reader->diag, "a buffer is filled by zero, iota, random[:SEED], list:a,b,c or @FILE");
    }
    return true;
}

/* The buffer's bytes, where there is room for its elements. */
static bool take_room(const SpecificationReader *reader) {
    Arguments *arguments = reader->arguments;
    Argument *argument = reader->argument;
    uint64_t limit = arguments->limit_bytes ? arguments->limit_bytes : memory_limit();
    unsigned size = type_bytes[argument->type];
    if (argument->count > limit / size || argument->count * size > limit - arguments->buffer_bytes) {
        wrong(reader, "too large: all buffers together may take %s%" PRIu64 " MiB%s",
              arguments->limit_bytes ? "" : "half of this computer's memory, ", limit >> 20,
              arguments->limit_bytes ? " here" : "");
        return diag_hint(reader->diag, "the checks of a launch need as much again");
    }
    argument->bytes = argument->count * size;
    arguments->buffer_bytes += argument->bytes;
    return true;
}

static bool read_buffer(const SpecificationReader *reader, const char *text) {
    Argument *argument = reader->argument;
    size_t length = strcspn(text, ":");
    argument->is_buffer = true;
    argument->type = number_type(text, length);
    if (argument->type == TYPE_none) {
        wrong(reader, "unknown element type '%.*s'", (int)(length < 60 ? length : 60), text);
        return diag_hint(reader->diag, "the types are " ELEMENT_TYPES);
    }
    if (!text[length]) {
        wrong(reader, "the number of elements is missing");
        return diag_hint(reader->diag, "a buffer is buf:TYPE:COUNT[:FILL], such as buf:f32:1024:random");
    }
    text += length + 1;
    length = strcspn(text, ":");
    if (!number_unsigned(text, length, UINT64_MAX, &argument->count))
        return wrong(reader, "the number of elements, '%.*s', is not a positive whole number", (int)(length < 60 ? length : 60),
                     text);
    if (!take_room(reader)) return false;
    return text[length] ? read_fill(reader, text + length + 1) : true;
}

static bool read_tensor(const SpecificationReader *reader, const char *text) {
    Argument *argument = reader->argument;
    TensorArgument *tensor = argument->tensor = ARENA_NEW(reader->arguments->arena, TensorArgument);
    Diag problem = {0};
    const char *fill;
    if (!tensor_argument_read(text, tensor, &fill, &problem)) {
        wrong(reader, "%s", problem.message);
        return problem.hint[0] ? diag_hint(reader->diag, "%s", problem.hint) : false;
    }
    argument->type = tensor->type;
    argument->count = tensor->count;
    argument->is_buffer = !tensor->of_other;
    return !argument->is_buffer || (take_room(reader) && (!fill || read_fill(reader, fill)));
}

bool arguments_add(Arguments *arguments, const char *text, Diag *diag) {
    arguments->items = arena_more(arguments->arena, arguments->items, arguments->count, sizeof *arguments->items);
    Argument *argument = &arguments->items[arguments->count];
    *argument = (Argument){.text = arena_copy(arguments->arena, text, strlen(text))};
    SpecificationReader reader = {arguments, argument, diag};
    text = argument->text;
    size_t length = strcspn(text, ":");
    bool good;
    if (text[length] && (argument->type = number_type(text, length)) != TYPE_none) {
        good = read_number(&reader, text + length + 1);
    } else if (strncmp(text, "bytes:", 6) == 0) {
        good = read_struct(&reader, text + 6);
    } else if (strncmp(text, "buf:", 4) == 0) {
        good = read_buffer(&reader, text + 4);
    } else if (strncmp(text, "tmap:", 5) == 0) {
        good = read_tensor(&reader, text + 5);
    } else {
        wrong(&reader, "not of the form TYPE:VALUE, bytes:HEX, buf:TYPE:COUNT[:FILL] or tmap:TYPE:SIZES");
        good = diag_hint(diag, "the types are " ELEMENT_TYPES);
    }
    if (good) arguments->count++;
    return good;
}

/* --- against the kernel -------------------------------------------------------------------------------------------------- */

static bool wrong_count(const Arguments *arguments, const Program *program, const Function *kernel, const Signature *signature,
                        Diag *diag) {
    diag_say(diag, "kernel '%.200s' takes %" PRIu32 " argument%s, given %zu", signature->text, kernel->n_params,
             kernel->n_params == 1 ? "" : "s", arguments->count);
    LOCAL_TEXT list = {0};
    for (uint32_t i = 0; i < kernel->n_params; i++) {
        char what[120];
        signature_describe(signature, i, program->variables[kernel->params[i]].bytes, what, sizeof what);
        text_add(&list, "%s%" PRIu32 ": %s", i ? "; " : "", i, what);
    }
    if (list.length) diag_hint(diag, "%s", text_string(&list));
    return false;
}

/* What to write for a parameter of this kind and size. */
static const char *example(ParamKind kind, uint64_t bytes) {
    if (kind == PARAM_POINTER) return "a buffer, such as buf:f32:1024:random";
    if (kind == PARAM_FLOAT) return bytes == 8 ? "f64:1.5" : "f32:1.5";
    if (bytes == 8)
        return kind == PARAM_INTEGER ? "i64:5" : "a buffer, such as buf:f32:1024:random, or a number, i64:5 or f64:1.5";
    if (bytes == 4) return kind == PARAM_INTEGER ? "i32:5" : "i32:5 or f32:1.5";
    if (bytes == 2) return "i16:5";
    if (bytes == TENSORMAP_BYTES)
        return "bytes: and the hexadecimal digits of a struct, or a tensor map, tmap:f32:64x32:box=32x8";
    return bytes == 1 ? "u8:1" : "bytes: and the hexadecimal digits of a struct";
}

static bool argument_fits(const Argument *argument, ParamKind kind, uint64_t bytes) {
    if (argument->tensor) return bytes == TENSORMAP_BYTES;
    if (argument->is_buffer) return bytes == 8 && (kind == PARAM_POINTER || kind == PARAM_UNKNOWN);
    if (argument->bytes != bytes) return false;
    if (argument->type == TYPE_none || kind == PARAM_UNKNOWN) return true;
    return (type_kinds[argument->type] == KIND_FLOAT) == (kind == PARAM_FLOAT);
}

/* Whether the buffer that the tensor is, another argument's, is one, and large enough. */
static bool tensor_fits(const Arguments *arguments, const Argument *argument, Diag *diag) {
    const TensorArgument *tensor = argument->tensor;
    if (!tensor || !tensor->of_other) return true;
    const Argument *of = tensor->of < arguments->count ? &arguments->items[tensor->of] : NULL;
    const uint64_t wanted = tensor->count * type_bytes[argument->type];
    if (!of || !of->is_buffer) return diag_say(diag, "'%.100s': argument %" PRIu64 " is no buffer", argument->text, tensor->of);
    return of->bytes >= wanted || diag_say(diag, "'%.100s' has %" PRIu64 " bytes, and argument %" PRIu64 " %" PRIu64,
                                           argument->text, wanted, tensor->of, of->bytes);
}

bool arguments_fit(const Arguments *arguments, const Program *program, const Function *kernel, Diag *diag) {
    Signature signature = signature_of(kernel);
    bool good = arguments->count == kernel->n_params || wrong_count(arguments, program, kernel, &signature, diag);
    for (uint32_t i = 0; good && i < kernel->n_params; i++) {
        uint64_t bytes = program->variables[kernel->params[i]].bytes;
        ParamKind kind = signature_kind(&signature, i);
        if (argument_fits(&arguments->items[i], kind, bytes)) {
            good = tensor_fits(arguments, &arguments->items[i], diag);
            continue;
        }
        char what[120];
        signature_describe(&signature, i, bytes, what, sizeof what);
        diag_say(diag, "argument %" PRIu32 " of kernel '%.160s' is %s, given '%.100s'", i, signature.text, what,
                 arguments->items[i].text);
        good = diag_hint(diag, "give %s", example(kind, bytes));
    }
    signature_free(&signature);
    return good;
}

/* --- buffers ------------------------------------------------------------------------------------------------------------- */

static void fill_iota(const Argument *argument, uint8_t *bytes) {
    unsigned size = type_bytes[argument->type];
    for (uint64_t i = 0; i < argument->count; i++) {
        float narrow = (float)i;
        double wide = (double)i;
        const void *value = argument->type == TYPE_f32   ? (void *)&narrow
                            : argument->type == TYPE_f64 ? (void *)&wide
                                                         : (void *)&i;
        memcpy(bytes + i * size, value, size);
    }
}

static void fill_random(const Argument *argument, uint8_t *bytes) {
    unsigned size = type_bytes[argument->type];
    for (uint64_t i = 0; i < argument->count; i++) {
        uint64_t bits = arguments_random(argument->seed, i);
        float narrow = (float)(bits >> 40) * 0x1p-23f - 1;
        double wide = (double)(bits >> 11) * 0x1p-52 - 1;
        const void *value = argument->type == TYPE_f32   ? (void *)&narrow
                            : argument->type == TYPE_f64 ? (void *)&wide
                                                         : (void *)&bits;
        memcpy(bytes + i * size, value, size);
    }
}

static Allocation *build_buffer(const Argument *argument, uint32_t index, Memory *memory) {
    char name[24];
    snprintf(name, sizeof name, "argument %" PRIu32, index);
    Allocation *allocation = memory_allocate(memory, argument->bytes, name, false);
    allocation->initialized = argument->fill != FILL_NONE;
    switch ((Fill)argument->fill) {
    case FILL_NONE:
    case FILL_ZERO: break;
    case FILL_IOTA: fill_iota(argument, allocation->host); break;
    case FILL_RANDOM: fill_random(argument, allocation->host); break;
    case FILL_BYTES:
        if (argument->bytes) memcpy(allocation->host, argument->data, argument->bytes);
        break;
    }
    return allocation;
}

static void build_map(const TensorArgument *tensor, const Allocation *buffer, uint8_t *param) {
    TensorMap map = tensor->map;
    map.address = buffer->address;
    tensormap_encode(&map, param);
}

void arguments_build(const Arguments *arguments, const Program *program, const Function *kernel, Memory *memory,
                     uint8_t *params, Allocation **buffers) {
    for (uint32_t i = 0; i < kernel->n_params; i++)
        buffers[i] = arguments->items[i].is_buffer ? build_buffer(&arguments->items[i], i, memory) : NULL;
    for (uint32_t i = 0; i < kernel->n_params; i++) {
        const Argument *argument = &arguments->items[i];
        uint8_t *param = params + program->variables[kernel->params[i]].offset;
        if (argument->tensor)
            build_map(argument->tensor, buffers[argument->tensor->of_other ? argument->tensor->of : i], param);
        else if (buffers[i])
            memcpy(param, &buffers[i]->address, 8);
        else if (argument->bytes)
            memcpy(param, argument->data, argument->bytes);
    }
}
