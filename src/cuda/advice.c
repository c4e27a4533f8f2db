#define _GNU_SOURCE /* strcasecmp */
#include "cuda/advice.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NAME_BYTES = 64 };

/* An error, and the text that it is about. */
typedef struct Error {
    Diag *diag;
    const char *messages, *path, *text;
    char code[400]; /* its line, without comments, strings and characters in quotes, which become blanks */
} Error;

static bool says(const Error *error, const char *words) { return strstr(error->diag->message, words) != NULL; }

/* What stands between the word and the quote that follows; false: the word is not there. */
static bool quoted(const char *message, const char *before, char name[NAME_BYTES]) {
    const char *at = strstr(message, before);
    if (!at) return false;
    at += strlen(before);
    size_t length = strcspn(at, "'\"(");
    snprintf(name, NAME_BYTES, "%.*s", (int)(length < NAME_BYTES ? length : 0), at);
    return name[0] != 0;
}

/* --- text ----------------------------------------------------------------------------------------------------------------- */

/* Behind the comment, string or character in quotes that begins here; NULL: none does. */
static const char *behind(const char *at) {
    const char *end;
    if (strncmp(at, "//", 2) == 0) return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0) return (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
    if (*at != '"' && *at != '\'') return NULL;
    for (end = at + 1; *end && *end != *at && *end != '\n'; end++) end += *end == '\\' && end[1];
    return *end == *at ? end + 1 : NULL;
}

static void read_code(Error *error) {
    size_t length = 0;
    unsigned line = 1;
    for (const char *at = error->text ? error->text : ""; *at && line <= error->diag->line;) {
        const char *end = behind(at);
        for (const char *each = at; each < (end ? end : at + 1); each++) {
            bool kept = line == error->diag->line && *each != '\n' && length < sizeof error->code - 1;
            if (kept) error->code[length++] = end ? ' ' : *each;
            line += *each == '\n';
        }
        at = end ? end : at + 1;
    }
    error->code[length] = 0;
}

/* Of a character that no C++ has outside of comments and strings; NULL: it may be a letter, as of a name. */
static const char *character_name(unsigned code) {
    switch (code) {
    case 0xa0: return "a blank that does not break, as web pages and PDF have it";
    case 0x2018:
    case 0x2019:
    case 0x201c:
    case 0x201d:
    case 0x201e: return "a quotation mark of word processors";
    case 0x2010:
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2014: return "a dash, not the minus of C++";
    case 0x2212: return "a minus of printed formulas, not that of C++";
    case 0x200b:
    case 0x2060:
    case 0xfeff: return "a blank that is not seen";
    default: return NULL;
    }
}

/* The code of the character of two or three bytes of UTF-8 that begins here; 0: something else does. */
static unsigned decode(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    bool two = at[0] >> 5 == 6 && at[1] >> 6 == 2, three = at[0] >> 4 == 14 && at[1] >> 6 == 2 && at[2] >> 6 == 2;
    if (two) return (at[0] & 31u) << 6 | (at[1] & 63u);
    return three ? (at[0] & 15u) << 12 | (at[1] & 63u) << 6 | (at[2] & 63u) : 0;
}

/* What stands in the line that came from somewhere else: a word processor, a web page, git. */
static bool explain_pasted(const Error *error) {
    const char *code = error->code;
    unsigned line = error->diag->line;
    for (const char *at = code; *at; at++) {
        unsigned found = decode(at);
        const char *name = found ? character_name(found) : NULL;
        if (!name) continue;
        diag_hint(error->diag, "line %u has the character U+%04X, %s: type it anew", line, found, name);
        return true;
    }
    if (strncmp(code, "<<<<<<<", 7) == 0 || strncmp(code, "=======", 7) == 0 || strncmp(code, ">>>>>>>", 7) == 0)
        diag_hint(error->diag, "git left both versions here: delete one of them, and the lines <<<<<<<, ======= and >>>>>>>");
    else if (strncmp(code, "```", 3) == 0)
        diag_hint(error->diag, "``` marks code in Markdown: delete the lines that begin with it");
    else if (strstr(code, "&lt;") || strstr(code, "&gt;") || strstr(code, "&amp;"))
        diag_hint(error->diag, "&lt; &gt; and &amp; are HTML: write < > and &");
    else
        return false;
    return true;
}

/* --- names -------------------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *header;
} headers[] = {{"half", "cuda_fp16.h"},
               {"half2", "cuda_fp16.h"},
               {"__half", "cuda_fp16.h"},
               {"__half2", "cuda_fp16.h"},
               {"__float2half", "cuda_fp16.h"},
               {"__half2float", "cuda_fp16.h"},
               {"__nv_bfloat16", "cuda_bf16.h"},
               {"__float2bfloat16", "cuda_bf16.h"},
               {"assert", "cassert"},
               {"cooperative_groups", "cooperative_groups.h"}};

static const char *const without_sync[] = {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__ballot", "__any", "__all"};

static const char *const cuda_names[] = {
    "threadIdx",       "blockIdx",      "blockDim",     "gridDim",    "warpSize",     "__syncthreads",    "__syncwarp",
    "__threadfence",   "__global__",    "__device__",   "__shared__", "__constant__", "__restrict__",     "atomicAdd",
    "atomicCAS",       "atomicMax",     "atomicMin",    "atomicExch", "__shfl_sync",  "__shfl_down_sync", "__shfl_up_sync",
    "__shfl_xor_sync", "__ballot_sync", "__activemask", "__ldg",      "float4",       "make_float4",
};

/* Whether they differ in underscores, capitals and an s at the end alone. */
static bool is_like(const char *a, const char *b) {
    char plain[2][NAME_BYTES];
    for (int i = 0; i < 2; i++) {
        size_t length = 0;
        for (const char *at = i ? b : a; *at && length < NAME_BYTES - 1; at++)
            if (*at != '_') plain[i][length++] = *at;
        while (length && plain[i][length - 1] == 's') length--;
        plain[i][length] = 0;
    }
    return strcasecmp(plain[0], plain[1]) == 0;
}

/* Whether the line has a "for (…);" in whose head the name stands: it is declared there, and the semicolon ends what it is known in. */
static bool ended_at_once(const char *code, const char *name) {
    const char *at = strstr(code, "for (");
    size_t length = strlen(name);
    bool declared = false;
    int depth = 0;
    for (at = at ? at + 4 : ""; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0) break;
        declared |= !text_is_word(at[-1]) && strncmp(at, name, length) == 0 && !text_is_word(at[length]);
    }
    return declared && *at && at[1 + strspn(at + 1, " ")] == ';';
}

static bool explain_name(const Error *error) {
    static const char *const begins[] = {"identifier \"", "undeclared identifier '", "unknown type name '"};
    char name[NAME_BYTES] = "";
    for (size_t i = 0; i < sizeof begins / sizeof *begins && !name[0]; i++) quoted(error->diag->message, begins[i], name);
    if (!name[0] || says(error, "did you mean")) return false;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (strcmp(name, headers[i].name) == 0)
            return diag_hint(error->diag, "#include <%s> declares it", headers[i].header), true;
    for (size_t i = 0; i < sizeof without_sync / sizeof *without_sync; i++)
        if (strcmp(name, without_sync[i]) == 0)
            return diag_hint(error->diag, "it is gone: %s_sync(mask, ...), whose mask names the lanes that take part", name),
                   true;
    for (size_t i = 0; i < sizeof cuda_names / sizeof *cuda_names; i++)
        if (is_like(name, cuda_names[i])) return diag_hint(error->diag, "did you mean %s?", cuda_names[i]), true;
    if (!ended_at_once(error->code, name)) return false;
    diag_hint(error->diag, "the ; behind for (...) ends the loop, and with it %s", name);
    return true;
}

/* --- what a kernel may not call ----------------------------------------------------------------------------------------------- */

/* The line of the file in which a function of the host that is called is declared; 0: it is not in the file. */
static unsigned declared_by_clang(const Error *error) {
    const char *note = strstr(error->messages, ": note: candidate function not viable: call to __host__ function"),
               *line = note;
    size_t length = strlen(error->path);
    unsigned number = 0;
    if (!note) return 0;
    while (line > error->messages && line[-1] != '\n') line--;
    if (strncmp(line, error->path, length) == 0) sscanf(line + length, ":%u:", &number);
    return number;
}

/* The line that has the name with a type in front and a parenthesis behind. */
static unsigned declared_by_text(const Error *error, const char *name) {
    size_t length = strlen(name);
    unsigned line = 1;
    for (const char *at = error->text ? error->text : ""; *at;) {
        const char *end = behind(at);
        bool is_whole = !end && at - error->text >= 7 && strncmp(at, name, length) == 0 && at[length] == '(';
        bool is_typed = is_whole && at[-1] == ' ' && (text_is_word(at[-2]) || strchr("*&>", at[-2]));
        if (is_typed && strncmp(at - 7, "return ", 7) != 0) return line;
        for (const char *each = at; each < (end ? end : at + 1); each++) line += *each == '\n';
        at = end ? end : at + 1;
    }
    return 0;
}

static bool explain_call(const Error *error) {
    char name[NAME_BYTES] = "";
    bool nvccs = quoted(error->diag->message, "__host__ function(\"", name);
    bool clangs = !nvccs && strstr(error->messages, "call to __host__ function from __") &&
                  (quoted(error->diag->message, "no matching function for call to '", name) ||
                   quoted(error->diag->message, "no matching constructor for initialization of '", name) ||
                   quoted(error->diag->message, "reference to __host__ function '", name));
    if (says(error, "constexpr __host__ function(\"m"))
        return diag_hint(error->diag, "in a kernel write min() and max() without std::"), true;
    if (says(error, "--extended-lambda"))
        return diag_hint(error->diag, "in a kernel leave __device__ out: a lambda there is device code as it is"), true;
    if (says(error, "kernel launch from __device__") || says(error, "reference to __global__ function"))
        return diag_hint(error->diag,
                         "the host launches kernels, and a kernel calls __device__ functions; kernels of whole programs "
                         "launch kernels too: warpscope run -rdc=true"),
               true;
    if ((nvccs || says(error, "__host__ variable")) && strstr(error->code, "cout"))
        return diag_hint(error->diag, "a kernel prints with printf"), true;
    if (!nvccs && !clangs) return false;
    unsigned line = clangs ? declared_by_clang(error) : 0;
    if (!line && !strpbrk(name, ": ")) line = declared_by_text(error, name);
    if (line)
        diag_hint(error->diag, "write __device__ in front of %s in line %u: a kernel calls device code alone", name, line);
    else
        diag_hint(error->diag, "a kernel calls __device__ functions alone: the C++ library's, and cudaMalloc, are the host's");
    return true;
}

/* --- how a kernel is declared and launched -------------------------------------------------------------------------------------- */

static bool explain_launch(const Error *error) {
    static const struct {
        const char *message, *code, *hint; /* part of the message, and of its line */
    } rows[] = {
        {"call must be configured", "", "a kernel is launched with <<<blocks, threads>>> between its name and its arguments"},
        {"call to global function", "", "a kernel is launched with <<<blocks, threads>>> between its name and its arguments"},
        {"", ">>(", "a launch has three brackets on either side: <<<blocks, threads>>>"},
        {"execution configuration arguments", "", "a launch needs both numbers: <<<blocks, threads>>>"},
        {"must have void return type", "",
         "a kernel gives nothing back: it writes where a pointer among its arguments points to"},
        {"must have a void return type", "",
         "a kernel gives nothing back: it writes where a pointer among its arguments points to"},
        {"calling a __device__ function(\"", "", "the host launches kernels; what both call begins with __host__ __device__"}};
    const bool narrow = strstr(error->code, ">>(") && !strstr(error->code, ">>>(");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (says(error, rows[i].message) && (*rows[i].message || (narrow && strstr(error->code, rows[i].code))))
            return diag_hint(error->diag, "%s", rows[i].hint), true;
    if (strstr(error->code, "__shared__ alignas") && says(error, "cannot appear here"))
        return diag_hint(error->diag, "clang takes alignas in front of __shared__, or __align__(bytes) behind it"), true;
    if (strstr(error->messages, "WARPSCOPE_REGISTER") && says(error, "__device__ function"))
        return diag_hint(error->diag, ADVICE_REGISTERS), true;
    const bool from_host = strstr(error->messages, "call to __device__ function from __host__ function") != NULL;
    if (from_host && says(error, "no matching function for call"))
        diag_hint(error->diag, "the host launches kernels; what both call begins with __host__ __device__");
    return error->diag->hint[0] != 0;
}

/* --- braces ------------------------------------------------------------------------------------------------------------------- */

/* Compilers find out late, and say then what does not follow from it at all. */
static bool explain_braces(const Error *error) {
    int depth = 0;
    unsigned line = 1, inside = 0;
    const char *text = error->text ? error->text : "";
    if (strstr(text, "#else") || strstr(text, "#elif")) return false; /* not all of the braces are compiled */
    for (const char *at = text; *at;) {
        const char *end = behind(at);
        bool begins = !end && (at == text || at[-1] == '\n');
        if (begins && depth > 0 && !inside &&
            (strncmp(at, "extern \"C\" __global__", 21) == 0 || strncmp(at, "__global__", 10) == 0))
            inside = line;
        depth += (*at == '{') - (*at == '}');
        if (depth < 0)
            return diag_hint(error->diag, "the } in line %u closes nothing: is a { missing above, or is it one too many?",
                             line),
                   true;
        for (const char *each = at; each < (end ? end : at + 1); each++) line += *each == '\n';
        at = end ? end : at + 1;
    }
    if (depth > 0 && inside)
        diag_hint(error->diag, "a { above line %u is not closed: there the next kernel begins", inside);
    else if (depth > 0)
        diag_hint(error->diag, "the file has %d { more than }", depth);
    return depth > 0;
}

/* --- libraries ---------------------------------------------------------------------------------------------------------------- */

/* Headers that come with NVIDIA's toolkit alone. */
static bool is_toolkits(const char *header) {
    static const char *const begins[] = {"thrust/",  "cub/",     "cuda/", "curand", "cublas", "cufft",
                                         "cusparse", "cusolver", "cudnn", "nccl",   "npp",    "mma.h"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(header, begins[i], strlen(begins[i])) == 0) return true;
    return false;
}

/* One of them is not there, or clang does not take what it includes: who includes the place of the first error stands before that. */
static bool needs_toolkit(const char *message, const char *messages) {
    static const char included[] = "In file included from ", folder[] = "/include/";
    if (strstr(message, "' file not found")) return is_toolkits(message + 1);
    const char *first = strstr(messages, " error: "), *at = messages;
    if (!first || !strstr(first, " generated when compiling for ")) return false;
    while ((at = strstr(at, included)) && at < first) {
        const char *header = strstr(at, folder);
        at += strcspn(at, "\n");
        if (header && header < at && is_toolkits(header + strlen(folder))) return true;
    }
    return false;
}

/* NVIDIA's declarations of mathematical functions that the C library has since declared itself. */
static bool is_newer_library(const Diag *diag) {
    return strstr(diag->message, "exception specification is incompatible") && strstr(diag->file, "/bits/");
}

/* `texture<float, 2> t;`, and what bound it to memory. */
static bool is_texture_reference(const char *message) {
    static const char *const says[] = {"texture is not a template", "no template named 'texture'", "\"cudaBindTexture",
                                       "'cudaBindTexture"};
    bool any = false;
    for (size_t i = 0; i < sizeof says / sizeof *says; i++) any |= strstr(message, says[i]) != NULL;
    return any;
}

void advice_add(Diag *diag, const char *messages, const char *path, const char *text) {
    Error error = {.diag = diag, .messages = messages, .path = path, .text = text};
    if (needs_toolkit(diag->message, messages))
        diag_hint(diag, "this comes with NVIDIA's CUDA toolkit: --cc nvcc; no lab needs it");
    if (is_texture_reference(diag->message))
        diag_hint(diag, "CUDA 12 removed texture references: make an object by cudaCreateTextureObject, pass it to the kernel, "
                        "and read tex2D<float>(object, x, y)");
    if (is_newer_library(diag))
        diag_hint(diag, "nvcc is too old for this C library: ./setup --cuda gets a newer one; or --cc clang");
    if (diag->hint[0] || strcmp(diag->file, path) != 0) {
        /* "At end of source" has no file. */
        if (!diag->hint[0] && diag->line == 0) explain_braces(&error);
        return;
    }
    read_code(&error);
    if (!explain_pasted(&error) && !explain_launch(&error) && !explain_call(&error) && !explain_name(&error))
        explain_braces(&error);
}
