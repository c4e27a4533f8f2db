/* Constant expressions of PTX: ptx/parse_constant.c. */
#include <string.h>

#include "base/text.h"
#include "refused.h"

#define MODULE ".version 7.0\n.target sm_75\n.address_size 64\n"

/* As ptxas 13.0 evaluates them. */
START_TEST(constant_expressions_are_those_of_ptxas)
{
    static const struct {
        const char *text;
        uint64_t value;
    } rows[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"10 - 4 - 3", 3},
        {"-7 / 2", (uint64_t)-3},
        {"-7 % 3", 0}, /* 2^64 - 7 is 3 times 0x5555555555555553 */
        {"7 / -1 * 10 + 7 % -1", (uint64_t)-63},
        {"1 << 40", UINT64_C(1) << 40},
        {"-16 >> 2", (uint64_t)-4},
        {"0xF0 | 0x0F & 0x3C ^ 1", 0xfd}, /* 0x0F & 0x3C = 0x0C; ^ 1 = 0x0D; | 0xF0 = 0xFD */
        {"~0", UINT64_MAX},
        {"!5 + !0", 1},
        {"3 < 4 && 4 <= 4 || 0", 1},
        {"(25e-2 == 0.25) + 2 * (2.5E+1 == 25.0) + 4 * (2e2 == 200.0) + 8 * (2e2-100.0 == 100.0)", 15},
        {"2 == 3 ? 10 : 2 != 3 ? 20 : 30", 20},
        {"017", 15},
        {"0b101", 5},
        {"0x10U", 16},
        {"-1 < 0", 1},
        {"-1 < 0U", 0}, /* unsigned as soon as one side is */
        {"(.u64) -1 / 2", UINT64_MAX / 2},
        {"(.s64) 2.9", 2},
        {"WARP_SZ * 2", 64},
        {"-9223372036854775808", UINT64_C(1) << 63},
        {"18446744073709551615", UINT64_MAX},
        {"1 << 63", UINT64_C(1) << 63},
        {"1 << 64", 1},
        {"-2 >> 65", UINT64_MAX},
        {"-1U > 0", 1}, /* stays unsigned, as its complement is */
        {"-(1U) / 2", UINT64_MAX / 2},
        {"-9223372036854775808 / 2", UINT64_C(1) << 62},
        {"~0 > 0", 1},
        {"7 % 4 > -1", 0},
        {"~1 / 5", UINT64_C(0x3333333333333332)},
        {"0x8000000000000000U >> 63", 1},
        {"0x8000000000000000U >> 64", UINT64_C(1) << 63},
        {"-16 >> 2U", (uint64_t)-4}, /* what is shifted says whether it is signed, and of two values the one that is taken */
        {"-16 >> 2U > 0", 0},
        {"(1 ? -1 : 0U) < 0", 1},
        {"(0 ? 0U : -1) / 2", 0},
        {"1.e5 == 100000.0", 1},
        {"1.E5 == 100000.0", 1},
        {"-16 >> 64", (uint64_t)-16},
        {"17% 4", 1}, /* without a blank '%4' is a name, and refused */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text text = {0};
        uint64_t value;
        text_add(&text, MODULE ".global .u64 x = %s;\n", rows[i].text);
        Program *program = parsed(text_string(&text));
        memcpy(&value, program->variables[0].init, sizeof value);
        ck_assert_msg(value == rows[i].value, "%s gives %llx", rows[i].text, (unsigned long long)value);
        program_free(program);
        text_free(&text);
    }
    refuse(MODULE ".global .u64 x = 1 / 0;\n", 4, 20, "zero");
    refuse(MODULE ".global .u64 x = 18446744073709551616;\n", 4, 18, "64 bits");
    refuse(MODULE ".global .u64 x = ~1.5;\n", 4, 18, "integers only");
    refuse(MODULE ".global .u64 x = !1.5;\n", 4, 18, "integers only");
    refuse(MODULE ".global .u64 x = 1.5 && 1.5;\n", 4, 22, "integers only");
    refuse(MODULE ".global .u64 x = 1.5 ? 1 : 2;\n", 4, 22, "integers only");
    refuse(MODULE ".global .u64 x = 2 > 1.5;\n", 4, 20, "do not go together");
    refuse(MODULE ".global .u64 x = 12abc;\n", 4, 20, "goes on");
    refuse(MODULE ".global .u64 x = 018;\n", 4, 20, "goes on");
    refuse(MODULE ".global .u64 x = 0b12;\n", 4, 21, "goes on");
    refuse(MODULE ".global .u64 x = 16u;\n", 4, 20, "goes on");
    refuse(MODULE ".global .u64 x = 0x1fu;\n", 4, 22, "goes on");
    refuse(MODULE ".global .u64 x = 5 U;\n", 4, 20, "'U'");
    refuse(MODULE ".global .u64 x = 17%4;\n", 4, 20, "'%4'");
    refuse(MODULE ".global .f32 x = 0f3F80;\n", 4, 18, "eight");
}
END_TEST

/* PTX ISA, "Addresses as Operands": a register and a constant number of bytes. ptxas 13.0 takes sums and differences of several, from left to right. */
START_TEST(offsets_in_addresses_are_added_from_left_to_right)
{
    static const struct {
        const char *address;
        int64_t offset;
    } rows[] = {
        {"a", 0},       {"a+8", 8},       {"a-8", -8},     {"a+-8", -8},    {"a+8-4", 4},     {"a-4+8", 4},
        {"a-8-4", -12}, {"a-8-4+2", -10}, {"a-2*4+1", -7}, {"a+16/4*2", 8}, {"a-(4+8)", -12},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text text = {0};
        text_add(&text, MODULE ".entry k() { .reg .b64 a; .reg .b32 r; ld.global.b32 r, [%s]; ret; }\n", rows[i].address);
        Program *program = parsed(text_string(&text));
        const int64_t offset = (int64_t)program->insns[0].operands[1].bits;
        ck_assert_msg(offset == rows[i].offset, "[%s] gives %lld", rows[i].address, (long long)offset);
        program_free(program);
        text_free(&text);
    }
}
END_TEST

/* It begins and ends on one line: ptxas 13.0 knows no other, with or without a backslash. */
START_TEST(strings_end_on_their_line)
{
    refuse(MODULE ".file 1 \"a\nb\"\n", 4, 9, "never ends");
    refuse(MODULE ".file 1 \"a\\\nb\"\n", 4, 9, "never ends");
    refuse(MODULE ".file 1 \"a\\\"\n", 4, 9, "never ends");
}
END_TEST

SUITE("expressions", constant_expressions_are_those_of_ptxas, offsets_in_addresses_are_added_from_left_to_right,
      strings_end_on_their_line)
