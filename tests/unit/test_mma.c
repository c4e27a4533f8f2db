/* mma.sync against an H100: tests/hardware/h100-mma.txt has for each product the instruction, how many registers a, b and d have, the spread of the
 * exponents, and then those registers and c's of all lanes, in the order a, b, c, d. */
#include <check.h>
#include <string.h>

#include "base/text.h"
#include "device/device.h"
#include "parsed.h"

enum { WORDS_MOST = 16 };

typedef struct Product {
    char form[80];
    unsigned a, b, d, spread;
    uint32_t words[WORDS_MOST][WARP_LANES];
} Product;

static bool product_read(FILE *file, Product *product) {
    if (fscanf(file, "%79s %u %u %u %u", product->form, &product->a, &product->b, &product->d, &product->spread) != 5)
        return false;
    for (unsigned r = 0; r < product->a + product->b + 2 * product->d; r++)
        for (unsigned l = 0; l < WARP_LANES; l++) ck_assert_int_eq(fscanf(file, "%x", &product->words[r][l]), 1);
    return true;
}

/* A kernel that reads its lanes' registers of a, b and c one behind the other and writes d behind them. */
static void kernel_write(Text *ptx, const Product *product) {
    const unsigned sources = product->a + product->b + product->d, counts[] = {product->d, product->a, product->b, product->d};
    text_add(ptx, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<20>;\n"
                  ".reg .b64 %%rd<3>;\nmov.u32 %%r19, %%tid.x;\nld.param.u64 %%rd1, [p];\nmul.wide.u32 %%rd2, %%r19, 4;\n"
                  "add.s64 %%rd1, %%rd1, %%rd2;\n");
    for (unsigned i = 0; i < sources; i++) text_add(ptx, "ld.global.u32 %%r%u, [%%rd1+%u];\n", product->d + i, 128 * i);
    text_add(ptx, "mma.sync.aligned.%s ", product->form);
    for (unsigned k = 0, next = 0; k < 4; k++)
        for (unsigned i = 0; i < counts[k]; i++)
            text_add(ptx, "%s%%r%u%s", i ? "," : k ? ", {" : "{", next++, i + 1 == counts[k] ? "}" : "");
    text_add(ptx, ";\n");
    for (unsigned i = 0; i < product->d; i++) text_add(ptx, "st.global.u32 [%%rd1+%u], %%r%u;\n", 128 * (sources + i), i);
    text_add(ptx, "ret;\n}\n");
}

static void product_check(const Product *product) {
    LOCAL_TEXT ptx = {0};
    Diag diag = {0};
    LaunchResult result;
    kernel_write(&ptx, product);
    Program *program = parsed(text_string(&ptx));
    Memory *memory = memory_new();
    const unsigned sources = product->a + product->b + product->d, bytes = sizeof *product->words;
    Allocation *buffer = memory_allocate(memory, sizeof product->words, "p", false);
    memcpy(buffer->host, product->words, sources * bytes);
    LaunchRequest request = {.launch = {.kernel = kernel_prepare(program, program->functions),
                                        .grid = {1, 1, 1},
                                        .block = {WARP_LANES, 1, 1},
                                        .params = (const uint8_t *)&buffer->address,
                                        .memory = memory},
                             .profile = profile_find("h200", &diag),
                             .l1 = true};
    ck_assert_msg(device_launch(&request, &result, &diag), "%s", diag.message);
    for (unsigned r = sources; r < sources + product->d; r++)
        for (unsigned l = 0; l < WARP_LANES; l++) {
            uint32_t got;
            memcpy(&got, buffer->host + r * bytes + l * sizeof got, sizeof got);
            ck_assert_msg(got == product->words[r][l], "%s, spread %u: register %u of lane %u is %08x, not %08x", product->form,
                          product->spread, r - sources, l, got, product->words[r][l]);
        }
    device_result_free(&result);
    program_free(program);
    memory_free(memory);
}

START_TEST(products_are_those_of_an_h100_to_the_bit)
{
    FILE *file = fopen("tests/hardware/h100-mma.txt", "r");
    static Product product;
    unsigned products = 0;
    ck_assert_ptr_nonnull(file);
    for (; product_read(file, &product); products++) product_check(&product);
    ck_assert(feof(file));
    fclose(file);
    ck_assert_uint_eq(products, 22);
}
END_TEST

SUITE("mma", products_are_those_of_an_h100_to_the_bit)
