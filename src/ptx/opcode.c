#include "ptx/opcode.h"

const char *const opcode_names[OP_COUNT] = {
#define OP(name, ...) #name,
#define SPELT(name, mnemonic, ...) mnemonic,
#define REFUSED(name, reason)
#include "ptx/opcodes.def"
#undef OP
};

const uint8_t opcode_classes[OP_COUNT] = {
#define OP(name, class, ...) CLASS_##class,
#include "ptx/opcodes.def"
#undef OP
};

const char *const opcode_operands[OP_COUNT] = {
#define OP(name, class, operands, ...) operands,
#include "ptx/opcodes.def"
#undef OP
#undef REFUSED
};

/* A name that opcodes.def has twice does not compile. */
enum {
#define OP(name, ...) ONLY_ONE_##name,
#define REFUSED(name, reason) ONLY_ONE_##name,
#include "ptx/opcodes.def"
#undef OP
#undef REFUSED
};

const char *opcode_spelling(const Insn *insn) {
    if (insn->flags & (INSN_OF_WMMA | INSN_OF_TF32)) return insn->flags & INSN_OF_WMMA ? "wmma" : "cvt";
    if (insn->op == OP_cp_bulk && insn->variant < BULK_COPY) return "cp.reduce.async.bulk";
    if (insn->op == OP_fence_proxy && insn->order == ORDER_RELEASE) return "fence.mbarrier_init";
    return opcode_names[insn->op];
}
