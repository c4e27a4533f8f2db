/* Which sums become an fma: the rule of ptx/contract.h, case by case, and which of factors and addend are negated. What the results are to the
 * bit, tests/ptx/products_and_sums.ptx and tests/contract hold. */
#include <string.h>

#include "parsed.h"
#include "ptx/opcode.h"
#include "ptx/program.h"

/* What became of each add and sub, in order: '+' and '-' as they stand; 'f' an fma, 'p' with its product negated, 'a' with its addend, 'b' both. */
static void sums_of(const char *body, char *found, size_t size) {
    Program *program = parsed_of(
        ".version 8.6\n.target sm_90\n.address_size 64\n.func g(.param .b32 a) { ret; } .func g2(.param .b32 a, .param "
        ".b32 b) { ret; }\n"
        ".func (.param .b32 r) h() { ret; }\n"
        ".entry k() { .reg .f32 x, y, z, w, p, q, r, s, t, u, v; .reg .f64 d, e, f; .reg .pred c; .reg .b32 i, ix, iy, "
        "iz, ip, iq, is; .reg .b64 at; .reg .b16 hx, hy, hz, hp, hq, hs;\n"
        "ts: .branchtargets L, M;\n%s\nL: ret; M: ret; }\n",
        body);
    size_t n = 0;
    for (uint32_t i = 0; i < program->n_insns && n + 1 < size; i++) {
        const Insn *insn = &program->insns[i];
        if (insn->op == OP_add || insn->op == OP_sub) found[n++] = insn->op == OP_add ? '+' : '-';
        if (insn->op != OP_fma) continue;
        ck_assert(insn->rounding == ROUND_RN && insn->n_src == 3);
        found[n++] = insn->variant == FMA_NEGATES_PRODUCT  ? 'p'
                     : insn->variant == FMA_NEGATES_ADDEND ? 'a'
                     : insn->variant == FMA_NEGATES_BOTH   ? 'b'
                                                           : 'f';
    }
    found[n] = 0;
    program_free(program);
}

START_TEST(sums_take_products_by_the_rule)
{
    static const struct {
        const char *body, *sums;
    } rows[] = {
        /* signs: p + z, z + p, p - z, z - p; and of -p */
        {"mul.f32 p, x, y; add.f32 s, p, z;", "f"},
        {"mul.f32 p, x, y; add.f32 s, z, p;", "f"},
        {"mul.f32 p, x, y; sub.f32 s, p, z;", "a"},
        {"mul.f32 p, x, y; sub.f32 s, z, p;", "p"},
        {"mul.f32 p, x, y; neg.f32 q, p; add.f32 s, q, z;", "p"},
        {"mul.f32 p, x, y; neg.f32 q, p; sub.f32 s, q, z;", "b"},
        {"mul.f32 p, x, y; neg.f32 q, p; sub.f32 s, z, q;", "f"},
        {"mul.f32 p, x, y; neg.f32 q, p; neg.f32 r, q; add.f32 s, r, z;", "f"},
        {"mul.f32 p, x, y; mov.f32 q, p; add.f32 s, q, z;", "f"},
        {"mul.f32 p, x, y; mov.b32 q, p; add.f32 s, z, q;", "f"},
        {"mul.f64 d, e, f; add.f64 e, d, f;", "f"},
        /* halves; a pair of bf16 has no neg that ptxas sees through: ptxas 13.0 for sm_90 makes HFMA2, HFMA2, HADD2 of it */
        {"mul.f16x2 ip, ix, iy; neg.f16x2 iq, ip; add.f16x2 is, iq, iz;", "p"},
        {"mul.bf16 hp, hx, hy; neg.bf16 hq, hp; add.bf16 hs, hq, hz;", "p"},
        {"mul.bf16x2 ip, ix, iy; add.bf16x2 is, ip, iz;", "f"},
        {"mul.bf16x2 ip, ix, iy; neg.bf16x2 iq, ip; add.bf16x2 is, iq, iz;", "+"},
        /* a rounding, .sat, a guard, another .ftz or type */
        {"mul.rn.f32 p, x, y; add.f32 s, p, z;", "+"},
        {"mul.f32 p, x, y; add.rn.f32 s, p, z;", "+"},
        {"mul.sat.f32 p, x, y; add.f32 s, p, z;", "+"},
        {"@c mul.f32 p, x, y; add.f32 s, p, z;", "+"},
        {"mul.ftz.f32 p, x, y; add.f32 s, p, z;", "+"},
        {"mul.f32 p, x, y; add.ftz.f32 s, p, z;", "+"},
        {"mul.ftz.f32 p, x, y; add.ftz.f32 s, p, z;", "f"},
        {"mul.f32 p, x, y; @c neg.f32 p, p; add.f32 s, p, z;", "+"},
        {"mov.f32 q, w; mul.f32 p, x, y; @c neg.f32 q, p; add.f32 s, q, z;", "+"},
        {"mov.f32 q, w; mul.f32 p, x, y; @c mov.f32 q, p; add.f32 s, q, z;", "+"},
        /* something else reads it: before, behind, in another block, a call's first or last argument, an address */
        {"mul.f32 p, x, y; add.f32 s, p, z; st.global.f32 [8], p;", "+"},
        {"mul.f32 p, x, y; st.global.f32 [8], p; add.f32 s, p, z;", "+"},
        {"mul.f32 p, x, y; add.f32 s, p, z; call g, (p);", "+"},
        {"mul.f32 p, x, y; add.f32 s, p, z; call g2, (z, p);", "+"},
        {"mul.f32 p, x, y; add.f32 s, p, z; call g2, (z, x);", "f"},
        {"mul.f32 p, x, y; add.f32 s, p, z; call (p), h; st.global.f32 [8], p;", "f"},
        {"mul.f32 p, x, y; add.f32 s, p, z; bra N; N: st.global.f32 [8], p;", "+"},
        {"bra L; mul.f32 p, x, y; add.f32 s, p, z; st.global.f32 [8], s;", "f"},
        {"mul.f32 p, x, y; add.f32 s, p, z; bra L; mov.f32 p, 0f00000000; st.global.f32 [8], p;", "f"},
        {"mul.f32 p, x, y; add.f32 s, p, z; bra L; @c mov.f32 p, 0f00000000; st.global.f32 [8], p;", "+"},
        /* what is written where a predicate says so leaves the product to whoever reads the register behind */
        {"mul.f32 p, x, y; add.f32 s, p, z; @c mov.f32 p, 0f00000000; st.global.f32 [8], p;", "+"},
        {"mul.f32 p, x, y; add.f32 s, p, z; mov.f32 p, 0f00000000; st.global.f32 [8], p;", "f"},
        {"mul.f32 p, x, y; add.f32 s, p, p;", "+"},
        {"mul.f32 p, x, y; neg.f32 q, p; add.f32 s, p, q;", "+"},
        /* the block ends between the two: a branch, a label, a table's label, a call, a fence, a division, a root; not an approximate one */
        {"mul.f32 p, x, y; @c bra L; add.f32 s, p, z;", "+"},
        {"mul.f32 p, x, y; @c ret; add.f32 s, p, z;", "+"},
        {"mul.f32 p, x, y; @c exit; add.f32 s, p, z;", "+"},
        {"mul.f32 p, x, y; @c trap; add.f32 s, p, z;", "+"},
        {"mul.f32 p, x, y; call g, (0f00000000); add.f32 s, p, z;", "+"},
        {"mul.f32 p, x, y; brx.idx i, ts; add.f32 s, p, z;", "+"},
        {"tt: .branchtargets N, L; mul.f32 p, x, y; N: add.f32 s, p, z; brx.idx i, tt;", "+"},
        {"tt: .branchtargets L, N; mul.f32 p, x, y; N: add.f32 s, p, z; brx.idx i, tt;", "+"},
        {"mul.f32 p, x, y; N: add.f32 s, p, z; @c bra N;", "+"},
        {"mul.f32 p, x, y; N: add.f32 s, p, z;", "f"},
        {"mul.f32 p, x, y; membar.gl; add.f32 s, p, z;", "+"},
        {"mul.f32 p, x, y; fence.acq_rel.gpu; add.f32 s, p, z;", "+"},
        {"mul.f32 p, x, y; div.rn.f32 w, x, y; add.f32 s, p, z;", "+"},
        {"mul.f32 p, x, y; sqrt.rn.f32 w, x; add.f32 s, p, z;", "+"},
        {"mul.f32 p, x, y; rcp.rn.f32 w, x; add.f32 s, p, z;", "+"},
        {"mul.f32 p, x, y; rem.s32 i, i, 3; add.f32 s, p, z;", "+"},
        {"mul.f32 p, x, y; rem.u32 i, i, 3; add.f32 s, p, z;", "f"},
        {"mul.f32 p, x, y; div.approx.f32 w, x, y; add.f32 s, p, z;", "f"},
        {"mul.f32 p, x, y; div.full.f32 w, x, y; add.f32 s, p, z;", "f"},
        {"mul.f32 p, x, y; bar.sync 0; add.f32 s, p, z;", "f"},
        {"mul.f32 p, x, y; brkpt; add.f32 s, p, z;", "+"},
        /* not seen: a factor written anew */
        {"mov.f32 q, w; mul.f32 q, q, y; add.f32 s, q, z;", "+"},
        {"mov.f32 q, w; mul.f32 q, x, q; sub.f32 s, z, q;", "-"},
        {"mov.f32 q, w; mul.f32 p, q, y; add.f32 q, p, z;", "f"},
        {"mul.f32 p, x, y; mov.f32 x, 0f00000000; add.f32 s, p, z;", "+"},
        {"mul.f32 p, x, y; mov.f32 y, 0f00000000; add.f32 s, p, z;", "+"},
        {"mul.f32 p, x, y; mov.f32 z, 0f00000000; add.f32 s, p, z;", "f"},
        {"mul.f32 x, x, y; add.f32 s, x, z;", "+"},
        /* two uses, both such sums; two products: the first operand, but of different numbers of uses the one that has fewer */
        {"mul.f32 p, x, y; add.f32 s, p, z; sub.f32 t, w, p;", "fp"},
        {"mul.f32 p, x, y; mul.f32 q, z, w; sub.f32 s, p, q;", "a"},
        {"mul.f32 p, x, y; mul.f32 q, z, w; sub.f32 s, p, q; add.f32 t, p, r;", "p+"},
        /* q, which two sums read, before p, which three do: as ptxas 13.0 makes it */
        {"mul.f32 p, x, y; mul.f32 q, z, w; sub.f32 s, p, q; add.f32 t, p, r; add.f32 u, p, z; add.f32 v, q, r;", "p++f"},
        /* which makes the other product's use another one */
        {"mul.f32 p, x, y; mul.f32 q, z, w; sub.f32 s, p, q; add.f32 t, q, r;", "a+"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char found[20];
        sums_of(rows[i].body, found, sizeof found);
        ck_assert_msg(!strcmp(found, rows[i].sums), "%s: '%s', not '%s'", rows[i].body, found, rows[i].sums);
    }
}
END_TEST

SUITE("contract", sums_take_products_by_the_rule)
