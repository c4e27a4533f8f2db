/* The runtime's pieces that need no device: fat binaries, names of parameters, the kernels' heap. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/heap.h"
#include "runtime/fatbin.h"
#include "runtime/names.h"
#include "suite.h"

/* --- fat binaries, as nvcc 13.0 was seen to write them --- */

typedef struct Entry {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t payload_bytes;
    uint32_t compressed_bytes, options_offset;
    uint16_t code_minor, code_major;
    uint32_t arch, name_offset, name_bytes;
    uint64_t flags, reserved, whole_bytes;
    char payload[32];
} Entry;

typedef struct Fatbin {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes;
    Entry entries[3];
} Fatbin;

static Entry entry(uint16_t kind, uint32_t arch, uint64_t flags, const char *text) {
    Entry made = {.kind = kind, .header_bytes = 64, .payload_bytes = 32, .arch = arch, .flags = flags};
    strcpy(made.payload, text);
    return made;
}

static Fatbin fatbin(Entry a, Entry b, Entry c) {
    return (Fatbin){.magic = 0xba55ed50, .version = 1, .header_bytes = 16, .bytes = 3 * sizeof(Entry), .entries = {a, b, c}};
}

static const char *ptx_in(const void *data, unsigned newest) {
    static char found[64];
    const char *text;
    size_t length;
    Diag diag = {0};
    if (!fatbin_ptx(data, newest, &text, &length, &diag)) {
        ck_assert(diag.set);
        return NULL;
    }
    snprintf(found, sizeof found, "%.*s", (int)length, text);
    return found;
}

START_TEST(the_newest_ptx_up_to_the_device_is_taken)
{
    Fatbin three = fatbin(entry(1, 75, 0x11, "old"), entry(1, 90, 0x11, "new"), entry(2, 90, 0x11, "machine code"));
    ck_assert_str_eq(ptx_in(&three, 75), "old");
    ck_assert_str_eq(ptx_in(&three, 89), "old");
    ck_assert_str_eq(ptx_in(&three, 90), "new");
    ck_assert_str_eq(ptx_in(&three, 20), "old"); /* all are too new: the oldest */
}
END_TEST

START_TEST(what_cannot_be_read_is_refused)
{
    Fatbin compressed = fatbin(entry(1, 75, 0x8011, "?"), entry(2, 75, 0x11, "m"), entry(2, 80, 0x11, "m"));
    Fatbin none = fatbin(entry(2, 75, 0x11, "m"), entry(2, 75, 0x11, "m"), entry(2, 80, 0x11, "m"));
    Fatbin lies = fatbin(entry(1, 75, 0x11, "first"), entry(1, 90, 0x11, "second"), entry(2, 80, 0x11, "m"));
    lies.entries[1].payload_bytes = UINT64_MAX - 10;
    ck_assert_ptr_null(ptx_in(&compressed, 90));
    ck_assert_ptr_null(ptx_in(&none, 90));
    ck_assert_str_eq(ptx_in(&lies, 90), "first");
    ck_assert_ptr_null(ptx_in("\x7f"
                              "ELF",
                              90));
}
END_TEST

/* Sizes that lie: the entries before are read. A header is 64 bytes at least; a payload ends with the binary. */
START_TEST(entries_end_where_the_binary_does)
{
    static const struct {
        uint32_t header_bytes;
        uint64_t payload_bytes, bytes; /* of the second entry; of all entries */
        bool found;
    } rows[] = {{64, 32, 192, true}, {64, 32, 191, false}, {63, 33, 192, false}, {65, 31, 192, true},
                {96, 0, 192, true},  {97, 0, 192, false},  {64, 33, 192, false}, {64, 0, 160, true},
                {64, 0, 159, false}, {128, 0, 192, false}, {0, 96, 192, false},  {UINT32_MAX, 0, 192, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Fatbin two = fatbin(entry(1, 75, 0x11, "first"), entry(1, 90, 0x11, "second"), entry(2, 80, 0x11, "m"));
        two.entries[1].header_bytes = rows[i].header_bytes;
        two.entries[1].payload_bytes = rows[i].payload_bytes;
        two.bytes = rows[i].bytes;
        const char *taken = ptx_in(&two, 90);
        ck_assert_msg((strcmp(taken, "first") != 0) == rows[i].found, "row %zu: %s", i, taken);
    }
}
END_TEST

START_TEST(the_entry_taken_decides_and_no_other)
{
    static const uint64_t compressed[] = {0x2011, 0x8011, 0xa011}; /* LZ4, zstd */
    Entry whole = entry(1, 80, 0x11, "");
    for (size_t i = 0; i < sizeof compressed / sizeof *compressed; i++) {
        Fatbin taken = fatbin(entry(1, 75, 0x11, "old"), entry(1, 90, compressed[i], "?"), entry(2, 80, 0x11, "m"));
        ck_assert_ptr_null(ptx_in(&taken, 90));
        ck_assert_str_eq(ptx_in(&taken, 89), "old");
    }
    memset(whole.payload, 'x', sizeof whole.payload); /* no NUL ends it */
    Fatbin three = fatbin(entry(1, 90, 0x11, "new"), entry(1, 75, 0x5011, "old"), whole);
    ck_assert_str_eq(ptx_in(&three, 80), "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    ck_assert_str_eq(ptx_in(&three, 79), "old");
    ck_assert_str_eq(ptx_in(&three, 70), "old"); /* all are too new: the oldest, in whichever order */
    Fatbin falling = fatbin(entry(1, 75, 0x11, "a"), entry(1, 90, 0x11, "b"), entry(1, 75, 0x11, "c"));
    ck_assert_str_eq(ptx_in(&falling, 70), "a");
    ck_assert_str_eq(ptx_in(&falling, 90), "b");
    ck_assert_str_eq(ptx_in(&falling, 75), "a"); /* the first of two */
}
END_TEST

START_TEST(what_cannot_be_read_says_what_would_help)
{
    Fatbin compressed = fatbin(entry(1, 75, 0x8011, "?"), entry(2, 75, 0x11, "m"), entry(2, 80, 0x11, "m"));
    Fatbin none = fatbin(entry(2, 75, 0x11, "m"), entry(2, 75, 0x11, "m"), entry(2, 80, 0x11, "m"));
    const struct {
        const void *data;
        const char *message, *hint;
    } rows[] = {
        {&compressed, "the program's device code is compressed", "build it with 'warpscope cc', or with nvcc -no-compress"},
        {&none, "the program's device code is machine code alone, without PTX",
         "build it with 'warpscope cc', or with nvcc -gencode arch=compute_75,code=compute_75"},
        {".versio 8.0", "the program's device code is neither a fat binary nor PTX text", ""},
        {"/ x", "the program's device code is neither a fat binary nor PTX text", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *text = "";
        size_t length;
        Diag diag = {0};
        ck_assert(!fatbin_ptx(rows[i].data, 90, &text, &length, &diag));
        ck_assert_str_eq(diag.message, rows[i].message);
        ck_assert_str_eq(diag.hint, rows[i].hint);
        ck_assert_ptr_null(text);
    }
}
END_TEST

START_TEST(plain_text_is_ptx)
{
    ck_assert_str_eq(ptx_in("\n .version 8.0\n", 75), "\n .version 8.0\n");
    ck_assert_str_eq(ptx_in("// x", 75), "// x");
    ck_assert_str_eq(ptx_in("\t\r\n.version", 75), "\t\r\n.version");
}
END_TEST

/* What fatbin_ptx may be shown: a header is 16 bytes, text ends with a NUL. A binary whose sizes are 0 has no header either. */
START_TEST(what_is_cut_off_is_not_inside)
{
#define BEGUN "\x50\xed\x55\xba"
    static const struct {
        const char *data;
        size_t bytes;
        bool inside;
    } rows[] = {{BEGUN, 4, false},
                {BEGUN, 5, false},
                {BEGUN "\1\0\x10\0\0\0\0\0\0\0\0", 15, false},
                {BEGUN "\1\0\x10\0\0\0\0\0\0\0\0\0", 16, true},
                {BEGUN "\1\0\x10\0\1\0\0\0\0\0\0\0", 16, false},
                {BEGUN "\1\0\0\0\0\0\0\0\0\0\0\0", 16, false},
                {"//", 3, false},
                {"// ", 3, false},
                {"// ", 4, true},
                {"", 0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(fatbin_inside(rows[i].data, rows[i].bytes) == rows[i].inside, "row %zu", i);
#undef BEGUN
}
END_TEST

/* --- names --- */

/* The parameters' names with blanks between them, "" when they are not found. */
static const char *names_of(const char *source, const char *kernel, uint32_t n) {
    static char text[200];
    char *names[8] = {NULL};
    text[0] = 0;
    if (!names_find(source, kernel, n, names)) {
        for (int i = 0; i < 8; i++) ck_assert_ptr_null(names[i]); /* none is left behind */
        return text;
    }
    for (uint32_t i = 0; i < n; i++) {
        strcat(strcat(text, i ? " " : ""), names[i]);
        free(names[i]);
    }
    return text;
}

START_TEST(parameters_have_the_names_of_the_source)
{
    static const struct {
        const char *source, *kernel;
        uint32_t n;
        const char *names;
    } cases[] = {
        {"__global__ void add(const float *a, const float *__restrict__ b, float *c, int n) {", "add", 4, "a b c n"},
        {"template <typename T>\n__global__ void scale(T *out, T const *in,\n   size_t M)\n{", "scale", 3, "out in M"},
        {"__global__ __launch_bounds__(256) void f(Matrix<float, 3> m, int (&x)[3], int y = 4);", "f", 3, "m x y"},
        {"__global__ void f(int a /* , int b */, // c\n int d) {}", "f", 2, "a d"},
        {"void host(float *x) { f(x); }\n__global__ void f(float *y) {}", "f", 1, "y"},
        {"__device__ float add(float p, float q);\n__global__ void add(float *r, int s);", "add", 2, "r s"},
        {"const char *s = \"__global__ void f(int no)\";\n__global__ void f(int yes);", "f", 1, "yes"},
        {"__global__ void f(int, float);", "f", 2, ""},
        {"__global__ void f(int a);", "f", 2, ""},
        {"__global__ void f(int a, int b);", "f", 1, ""},
        {"__global__ void ff(int a);", "f", 1, ""},
        {"KERNEL(f)(int a);", "f", 1, ""},
        {"__global__ void f(int a", "f", 1, ""},
        {"", "f", 1, ""},
        {"__global__ void f(", "f", 1, ""},
        {"/* __global__ void f(int a", "f", 1, ""},
        {"\"", "f", 1, ""},
        /* blanks, words that the name is a part of, declarations that end before it */
        {"__global__ void f \t\r\n (int _a1, int B_2, int **c, int &d7);", "f", 4, "_a1 B_2 c d7"},
        {"__global__ void f/* x */(int a);", "f", 1, "a"},
        {"__global__ void ff(int a); __global__ void xf(int b); __global__ void f(int c);", "f", 1, "c"},
        {"__global__ void _f(int a); __global__ void f_(int b); __global__ void f7(int c);", "f", 1, ""},
        {"__global__ void g(int a); void f(int b);", "f", 1, ""},
        {"__global__ void g(int a) {} void f(int b);", "f", 1, ""},
        {"void f(int b) __global__;", "f", 1, ""},
        {"f(int a) __global__", "f", 1, ""},
        {"__global__ void f; __global__ void f[2]; __global__ void f(int a);", "f", 1, "a"},
        {"__global__ void f(int a) {}\n__global__ void f(int c, int d) {}", "f", 2, "c d"},
        {"__global__ void f(int a) {}\n__global__ void f(int c, int d) {}", "f", 3, ""},
        /* brackets within brackets, defaults, extents */
        {"__global__ void f(A<int, (1, 2)> a, int b[C(1, 2)][3], float4 v = {1, 2, 3, 4}, int n = g(5, 6));", "f", 4,
         "a b v n"},
        {"__global__ void f(int a =b, int c[d]);", "f", 2, "a c"},
        {"__global__ void f(inta);", "f", 1, ""},
        {"__global__ void f(int 7);", "f", 1, ""},
        {"__global__ void f(int a, int);", "f", 2, ""},
        {"__global__ void f(int *);", "f", 1, ""},
        {"__global__ void f();", "f", 1, ""},
        {"__global__ void f(int a);", "f", 0, ""},
        {"__global__ void f(int a);", "", 1, ""},
        {"__global__ void f(int a, int b, int c", "f", 2, ""},
        /* comments and strings end where they end */
        {"x = 1 / 2; __global__ void f(int a);", "f", 1, "a"},
        {"/*/ __global__ void f(int no); */ __global__ void f(int a);", "f", 1, "a"},
        {"/**/ __global__ void f(int a /**/);", "f", 1, "a"},
        {"// __global__ void f(int no);\n__global__ void f(int a);", "f", 1, "a"},
        {"\"\\\"; __global__ void f(int no);\" __global__ void f(int a);", "f", 1, "a"},
        {"\"x\\\\\"; __global__ void f(int a); // \"", "f", 1, "a"},
        {"\"no end\n; __global__ void f(int a);", "f", 1, "a"},
        {"__global__ void f(int a); \"\\", "f", 1, "a"},
        {"\"\"; __global__ void f(int a);", "f", 1, "a"},
        {"__global__ void f(int a = \"b, c\", int d);", "f", 2, "a d"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_str_eq(names_of(cases[i].source, cases[i].kernel, cases[i].n), cases[i].names);
}
END_TEST

/* --- the heap --- */

START_TEST(the_heap_gives_pieces_that_do_not_overlap)
{
    Memory *memory = memory_new();
    Heap *heap = heap_new(memory, 1 << 16, "device heap");
    uint64_t pieces[100];
    for (int i = 0; i < 100; i++) {
        pieces[i] = heap_allocate(heap, (uint64_t)i);
        ck_assert_uint_ne(pieces[i], 0);
        ck_assert_uint_eq(pieces[i] % 16, 0);
        const Allocation *in = memory_find(memory, pieces[i]);
        ck_assert_ptr_nonnull(in);
        ck_assert(in->read && in->written);
        for (int j = 0; j < i; j++) ck_assert(pieces[i] >= pieces[j] + (uint64_t)j || pieces[j] >= pieces[i] + (uint64_t)i);
    }
    for (int i = 0; i < 100; i++) ck_assert(heap_release(heap, pieces[i]));
    ck_assert(!heap_release(heap, pieces[5]));
    ck_assert(!heap_release(heap, pieces[5] + 16));
    ck_assert(!heap_release(heap, 12345));
    ck_assert(heap_release(heap, 0));
    heap_free(heap);
    memory_free(memory);
}
END_TEST

START_TEST(the_heap_ends_and_what_is_freed_is_given_again)
{
    Memory *memory = memory_new();
    Heap *heap = heap_new(memory, 4096, "device heap");
    uint64_t last = 0, count = 0;
    ck_assert_uint_eq(heap_allocate(heap, 4096), 0);
    ck_assert_uint_eq(heap_allocate(heap, UINT64_MAX), 0);
    for (uint64_t piece; (piece = heap_allocate(heap, 48)) != 0; count++) last = piece;
    ck_assert_uint_eq(count, 64); /* 48 and 16 bytes each */
    ck_assert(heap_release(heap, last));
    ck_assert_uint_eq(heap_allocate(heap, 40), last);
    ck_assert_uint_eq(heap_allocate(heap, 1), 0);
    heap_free(heap);
    memory_free(memory);
}
END_TEST

/* A kernel that writes beyond its piece spoils what the heap notes there; nothing worse comes of it than a refusal. */
START_TEST(a_spoilt_heap_does_no_harm)
{
    Memory *memory = memory_new();
    Heap *heap = heap_new(memory, 4096, "device heap");
    uint64_t a = heap_allocate(heap, 16), b = heap_allocate(heap, 16);
    Allocation *in = memory_find(memory, a);
    ck_assert(heap_release(heap, b));
    memset(in->host, 0xff, 4096);
    ck_assert(!heap_release(heap, a));
    for (int i = 0; i < 300; i++) heap_allocate(heap, 16);
    heap_free(heap);
    memory_free(memory);
}
END_TEST

SUITE("runtime parts", the_newest_ptx_up_to_the_device_is_taken, what_cannot_be_read_is_refused,
      entries_end_where_the_binary_does, the_entry_taken_decides_and_no_other, what_cannot_be_read_says_what_would_help,
      plain_text_is_ptx, what_is_cut_off_is_not_inside, parameters_have_the_names_of_the_source,
      the_heap_gives_pieces_that_do_not_overlap, the_heap_ends_and_what_is_freed_is_given_again, a_spoilt_heap_does_no_harm)
