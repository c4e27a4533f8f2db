/* Asynchronous copies and the barriers that they complete on: cp.async, cp.async.bulk, mbarrier. */
#include "ptx/opcode.h"
#include "ptx/parser.h"

/* cp.async.mbarrier.arrive{.noinc}{.shared}.b64 [b] */
static bool copies_arrive(Reading *reading) {
    Insn *insn = &reading->insn;
    const bool fine = insn->type == TYPE_b64 && reading_has(reading, GROUP_OF_COPIES) &&
                      reading->value[GROUP_MBARRIER] == MBARRIER_ARRIVE && reading->n_spaces < 2 &&
                      !reading_has(reading, GROUP_COPY) && (insn->space == SPACE_SHARED || insn->space == SPACE_GENERIC);
    if (!fine)
        return parser_fail(reading->parser, &reading->opcode, "'cp.async.mbarrier' takes .arrive, .noinc, .shared, .b64");
    insn->variant = reading_has(reading, GROUP_NOINC) ? CP_ASYNC_ARRIVE_NOINC : CP_ASYNC_ARRIVE;
    insn->order = ORDER_RELEASE; /* of what was copied */
    insn->of_block = true;
    return operand_address(reading, (Space)insn->space, MBARRIER_BYTES, true);
}

/* cp.async.{ca,cg}.shared.global [d], [s], bytes{, source bytes}; its groups. */
bool special_cp_async(Reading *reading) {
    Insn *insn = &reading->insn;
    Parser *parser = reading->parser;
    const Token *at = &reading->opcode;
    insn->variant = reading_has(reading, GROUP_COPY) ? reading->value[GROUP_COPY] : CP_ASYNC_COPY;
    const bool arrives = reading_has(reading, GROUP_MBARRIER) || reading_has(reading, GROUP_OF_COPIES);
    if (arrives || reading_has(reading, GROUP_NOINC) || insn->type != TYPE_none) return copies_arrive(reading);
    uint64_t count;
    if (insn->variant == CP_ASYNC_WAIT_GROUP) {
        if (!parser_take_count(parser, "a number of groups", UINT32_MAX, &count)) return false;
        reading->operands[reading->n_operands++] = (Operand){.kind = OPERAND_IMMEDIATE, .bits = count};
        return true;
    }
    if (insn->variant != CP_ASYNC_COPY) return true;
    const bool inwards = reading->n_spaces == 2 && reading->spaces[0] == SPACE_SHARED && reading->spaces[1] == SPACE_GLOBAL;
    if ((insn->policy != POLICY_CA && insn->policy != POLICY_CG) || !inwards)
        return parser_refuse(parser, at,
                             "'cp.async' is not emulated but as cp.async.ca, cp.async.cg, .commit_group, .wait_group, "
                             ".wait_all, .mbarrier.arrive");
    if (!operand_address(reading, SPACE_SHARED, 0, true) || !parser_expect(parser, ',')) return false;
    if (!operand_address(reading, SPACE_GLOBAL, 0, false) || !parser_expect(parser, ',')) return false;
    Token size = parser->token;
    if (!parser_take_count(parser, "the number of bytes", 16, &count)) return false;
    bool allowed = count == 16 || (insn->policy == POLICY_CA && (count == 4 || count == 8));
    if (!allowed) return parser_fail(parser, &size, "cp.async.ca copies 4, 8 or 16 bytes, cp.async.cg 16");
    reading->operands[reading->n_operands++] = (Operand){.kind = OPERAND_IMMEDIATE, .bits = count};
    bool more = parser_at(parser, ',');
    if (more && !(reading->cache & CACHE_HINT)) {
        parser_advance(parser);
        return operand_source(reading, TYPE_u32, 0);
    }
    return reading_drop_policy(reading);
}

/* PTX ISA, "mbarrier": an order comes with its scope; without, arriving releases and waiting acquires within the block. */
static bool mbarrier_order(Reading *reading) {
    Insn *insn = &reading->insn;
    const bool waits = insn->variant == MBARRIER_TEST_WAIT || insn->variant == MBARRIER_TRY_WAIT;
    const bool arrives = insn->variant == MBARRIER_ARRIVE || insn->variant == MBARRIER_ARRIVE_DROP;
    const bool counts = insn->variant == MBARRIER_EXPECT_TX || insn->variant == MBARRIER_COMPLETE_TX;
    const Order usual = waits ? ORDER_ACQUIRE : arrives ? ORDER_RELEASE : counts ? ORDER_RELAXED : ORDER_WEAK;
    const bool ordered = reading_has(reading, GROUP_ORDER), scoped = reading_has(reading, GROUP_SCOPE);
    const ThreadScope scope = (ThreadScope)reading->value[GROUP_SCOPE];
    const bool fine = !ordered || (usual != ORDER_WEAK && (insn->order == usual || insn->order == ORDER_RELAXED));
    if (ordered != scoped || !fine || (scoped && scope != SCOPE_CTA && scope != SCOPE_CLUSTER))
        return parser_fail(reading->parser, &reading->opcode, "this order, or scope, is none of this form's of 'mbarrier'");
    if (!ordered) insn->order = (uint8_t)usual;
    insn->of_block |= !scoped;
    return true;
}

static bool mbarrier_form(Reading *reading) {
    Insn *insn = &reading->insn;
    const bool is_named = reading_has(reading, GROUP_MBARRIER), is_window = reading_has(reading, GROUP_WINDOW);
    const bool expects = reading_has(reading, GROUP_EXPECT) && reading->value[GROUP_EXPECT] == MBARRIER_EXPECT_TX;
    insn->variant = is_named ? reading->value[GROUP_MBARRIER] : MBARRIER_EXPECT_TX;
    const bool arrives = insn->variant == MBARRIER_ARRIVE || insn->variant == MBARRIER_ARRIVE_DROP;
    const bool waits = insn->variant == MBARRIER_TEST_WAIT || insn->variant == MBARRIER_TRY_WAIT;
    const bool counts = insn->variant == MBARRIER_EXPECT_TX || insn->variant == MBARRIER_COMPLETE_TX;
    bool fine = is_named || expects;
    fine &= !is_named || !reading_has(reading, GROUP_EXPECT) || arrives;
    fine &= !reading_has(reading, GROUP_PARITY) || waits;
    fine &= !is_window || arrives || counts;
    fine &= insn->variant != MBARRIER_PENDING_COUNT || !reading_has(reading, GROUP_SPACE);
    fine &= insn->space == SPACE_SHARED || insn->space == SPACE_GENERIC;
    if (!fine) return parser_fail(reading->parser, &reading->opcode, "'mbarrier' has no such form");
    if (is_window) insn->space = SPACE_SHARED;
    if (expects && arrives) insn->flags |= INSN_EXPECT_TX;
    if (reading_has(reading, GROUP_PARITY)) insn->flags |= INSN_PARITY;
    return mbarrier_order(reading);
}

/* state, [b]{, count} */
static bool mbarrier_arrives(Reading *reading) {
    Parser *parser = reading->parser;
    const Token at = parser->token;
    if (!operand_destination(reading, TYPE_b64, RULE_SINK) || !parser_expect(parser, ',')) return false;
    reading->insn.n_dst = 1;
    if (reading_has(reading, GROUP_WINDOW) && reading->operands[0].kind != OPERAND_SINK)
        return parser_fail(parser, &at, "with .shared::cluster '_' stands here");
    if (!operand_address(reading, (Space)reading->insn.space, MBARRIER_BYTES, true)) return false;
    const bool must = reading_has(reading, GROUP_EXPECT);
    if (!must && !parser_at(parser, ',')) return true;
    return parser_expect(parser, ',') && operand_source(reading, TYPE_u32, 0);
}

/* p, [b], state or parity{, time} */
static bool mbarrier_waits(Reading *reading) {
    Parser *parser = reading->parser;
    const Insn *insn = &reading->insn;
    if (!operand_destination(reading, TYPE_pred, 0) || !parser_expect(parser, ',')) return false;
    reading->insn.n_dst = 1;
    if (!operand_address(reading, (Space)insn->space, MBARRIER_BYTES, false) || !parser_expect(parser, ',')) return false;
    if (!operand_source(reading, insn->flags & INSN_PARITY ? TYPE_u32 : TYPE_b64, 0)) return false;
    if (insn->variant != MBARRIER_TRY_WAIT || !parser_accept(parser, ',')) return true;
    if (!operand_source(reading, TYPE_u32, 0)) return false;
    reading->n_operands--; /* how long a thread may be suspended: here it is not */
    return true;
}

bool special_mbarrier(Reading *reading) {
    Parser *parser = reading->parser;
    if (!mbarrier_form(reading)) return false;
    const Variant variant = (Variant)reading->insn.variant;
    if (variant == MBARRIER_ARRIVE || variant == MBARRIER_ARRIVE_DROP) return mbarrier_arrives(reading);
    if (variant == MBARRIER_TEST_WAIT || variant == MBARRIER_TRY_WAIT) return mbarrier_waits(reading);
    if (variant == MBARRIER_PENDING_COUNT) {
        reading->insn.n_dst = 1;
        return operand_destination(reading, TYPE_u32, 0) && parser_expect(parser, ',') && operand_source(reading, TYPE_b64, 0);
    }
    if (!operand_address(reading, (Space)reading->insn.space, MBARRIER_BYTES, true)) return false;
    return variant == MBARRIER_INVAL || (parser_expect(parser, ',') && operand_source(reading, TYPE_u32, 0));
}

/* PTX ISA, "red.async": which types each operation takes. */
static bool red_async_takes(AtomOp operation, Type type) {
    switch (operation) {
    case ATOM_ADD: return type != TYPE_b32;
    case ATOM_MIN:
    case ATOM_MAX: return type == TYPE_u32 || type == TYPE_s32;
    case ATOM_INC:
    case ATOM_DEC: return type == TYPE_u32;
    case ATOM_AND:
    case ATOM_OR:
    case ATOM_XOR: return type == TYPE_b32;
    case ATOM_EXCH:
    case ATOM_CAS: break;
    }
    return false;
}

/* st.async [a], value or vector, [b]; red.async [a], value, [b] */
bool special_remote_async(Reading *reading) {
    Insn *insn = &reading->insn;
    Parser *parser = reading->parser;
    const bool stores = insn->op == OP_st_async;
    bool fine = reading->value[GROUP_COMPLETION] == 0;
    fine &= !stores || insn->order == ORDER_WEAK;
    fine &= stores || (insn->order == ORDER_RELAXED && reading->value[GROUP_SCOPE] == SCOPE_CLUSTER &&
                       red_async_takes((AtomOp)insn->variant, (Type)insn->type));
    fine &= reading->value[GROUP_VECTOR] <= 4;
    if (!fine) return parser_fail(parser, &reading->opcode, "'%.*s' has no such form", TOKEN_TEXT(&reading->opcode));
    insn->vec = reading_has(reading, GROUP_VECTOR) ? reading->value[GROUP_VECTOR] : 1;
    if (!operand_address(reading, SPACE_SHARED, 0, true) || !parser_expect(parser, ',')) return false;
    unsigned count = 1;
    const bool read = reading_has(reading, GROUP_VECTOR) ? operand_vector(reading, (Type)insn->type, 0, false, &count)
                                                         : operand_source(reading, (Type)insn->type, 0);
    if (read && count != insn->vec) return parser_fail_here(parser, "this vector has %u elements", insn->vec);
    return read && parser_expect(parser, ',') && operand_address(reading, SPACE_SHARED, MBARRIER_BYTES, true);
}

/* -- bulk copies */

static bool bulk_fail(const Reading *reading) {
    return parser_fail(reading->parser, &reading->opcode, "'%s' has no such form",
                       reading_has(reading, GROUP_REDUCE) ? "cp.reduce.async.bulk" : "cp.async.bulk");
}

/* PTX ISA, "cp.reduce.async.bulk": which types each operation takes, as ptxas 13.0 has it. */
bool bulk_reduces(const Insn *insn, Space to) {
    const Type type = (Type)insn->type;
    const bool word = type == TYPE_u32 || type == TYPE_s32, half = type == TYPE_f16 || type == TYPE_bf16;
    const bool outside = to == SPACE_GLOBAL;
    switch ((AtomOp)insn->variant) {
    case ATOM_ADD: return word || type == TYPE_u64 || (outside && (half || type_kinds[type] == KIND_FLOAT));
    case ATOM_MIN:
    case ATOM_MAX: return word || (outside && (half || type == TYPE_u64 || type == TYPE_s64));
    case ATOM_INC:
    case ATOM_DEC: return type == TYPE_u32;
    case ATOM_AND:
    case ATOM_OR:
    case ATOM_XOR: return type == TYPE_b32 || (outside && type == TYPE_b64);
    case ATOM_EXCH:
    case ATOM_CAS: break;
    }
    return false;
}

bool bulk_multicasts(Reading *reading) {
    if (!reading_has(reading, GROUP_MULTICAST)) return true;
    reading->insn.flags |= INSN_MULTICAST;
    return parser_expect(reading->parser, ',') && operand_source(reading, TYPE_b16, 0);
}

/* commit_group, wait_group{.read} n */
static bool bulk_groups(Reading *reading) {
    Insn *insn = &reading->insn;
    const bool waits = reading->value[GROUP_COPY] == CP_ASYNC_WAIT_GROUP, reads = reading_has(reading, GROUP_READ);
    if (reading->value[GROUP_COPY] == CP_ASYNC_WAIT_ALL || (reads && !waits) || reading->n_spaces) return bulk_fail(reading);
    insn->variant = !waits ? BULK_COMMIT : reads ? BULK_WAIT_GROUP_READ : BULK_WAIT_GROUP;
    uint64_t count = 0;
    if (waits && !parser_take_count(reading->parser, "a number of groups", UINT32_MAX, &count)) return false;
    if (waits) reading->operands[reading->n_operands++] = (Operand){.kind = OPERAND_IMMEDIATE, .bits = count};
    return true;
}

/* The size, which must be a multiple of 16. */
static bool bulk_size(Reading *reading) {
    const Token at = reading->parser->token;
    if (!parser_expect(reading->parser, ',') || !operand_source(reading, TYPE_u32, 0)) return false;
    const Operand *size = &reading->operands[reading->n_operands - 1];
    return size->kind != OPERAND_IMMEDIATE || size->bits % BULK_UNIT == 0 ||
           parser_fail(reading->parser, &at, "a bulk copy has a multiple of 16 bytes");
}

static bool bulk_prefetches(Reading *reading) {
    Insn *insn = &reading->insn;
    insn->variant = BULK_PREFETCH;
    if (reading->n_spaces != 1 || insn->space != SPACE_GLOBAL || reading->value[GROUP_LEVEL] != 2) return bulk_fail(reading);
    return operand_address(reading, SPACE_GLOBAL, 0, false) && bulk_size(reading) && reading_drop_policy(reading);
}

bool special_cp_bulk(Reading *reading) {
    Insn *insn = &reading->insn;
    Parser *parser = reading->parser;
    const bool reduces = reading_has(reading, GROUP_REDUCE), tells = reading_has(reading, GROUP_COMPLETION);
    if (!reading_has(reading, GROUP_BULK) || !reading_has(reading, GROUP_ASYNC)) return bulk_fail(reading);
    if (reading_has(reading, GROUP_TENSOR)) return special_tensor(reading);
    if (reading_has(reading, GROUP_COPY)) return reduces || tells ? bulk_fail(reading) : bulk_groups(reading);
    if (reading_has(reading, GROUP_PREFETCH)) return reduces || tells ? bulk_fail(reading) : bulk_prefetches(reading);
    const Space to = (Space)reading->spaces[0], from = (Space)reading->spaces[1];
    const bool outside = to == SPACE_GLOBAL && from == SPACE_SHARED, inside = to == SPACE_SHARED && from == SPACE_SHARED;
    const bool fine = outside || inside || (to == SPACE_SHARED && from == SPACE_GLOBAL && !reduces);
    const bool tiled = reading_has(reading, GROUP_RANK) || reading_has(reading, GROUP_TILED);
    const bool multicasts = reading_has(reading, GROUP_MULTICAST),
               half_sum = insn->variant == ATOM_ADD && type_bytes[insn->type] == 2;
    if (tiled || (multicasts && (reduces || from != SPACE_GLOBAL))) return bulk_fail(reading);
    if (!fine || !tells || (reading->value[GROUP_COMPLETION] == 1) != outside || reading_has(reading, GROUP_LEVEL))
        return bulk_fail(reading);
    insn->space = (uint8_t)to;
    if (from == SPACE_SHARED) insn->flags |= INSN_FROM_SHARED;
    if (!reduces && (insn->variant || insn->type)) return bulk_fail(reading);
    if (reduces && (!bulk_reduces(insn, to) || half_sum == !(insn->flags & INSN_NOFTZ))) return bulk_fail(reading);
    if (!reduces) insn->variant = BULK_COPY;
    if (!operand_address(reading, to, 0, true) || !parser_expect(parser, ',')) return false;
    if (!operand_address(reading, from, 0, false) || !bulk_size(reading)) return false;
    if (!outside && (!parser_expect(parser, ',') || !operand_address(reading, SPACE_SHARED, MBARRIER_BYTES, true)))
        return false;
    return bulk_multicasts(reading) && reading_drop_policy(reading);
}

/* fence.proxy.tensormap::generic.release.scope, .acquire.scope [map], 128: of a map that the host or a copy has written */
static bool fence_tensormap(Reading *reading) {
    Insn *insn = &reading->insn;
    const bool acquires = insn->order == ORDER_ACQUIRE;
    const bool others = reading_has(reading, GROUP_ASYNC) || reading_has(reading, GROUP_ALIAS) || reading->value[GROUP_PROXY] ||
                        reading_has(reading, GROUP_SPACE) || reading_has(reading, GROUP_WINDOW);
    if (others || (!acquires && insn->order != ORDER_RELEASE) || !reading_has(reading, GROUP_SCOPE))
        return parser_fail(reading->parser, &reading->opcode, "'fence' has no such form");
    insn->variant = PROXY_OTHER;
    insn->order = ORDER_WEAK;
    if (!acquires) return true;
    uint64_t bytes;
    if (!operand_address(reading, SPACE_GENERIC, 0, false) || !parser_expect(reading->parser, ',')) return false;
    const Token at = reading->parser->token;
    if (!parser_take_count(reading->parser, "the map's 128 bytes", 128, &bytes)) return false;
    reading->n_operands--; /* nothing is done there */
    return bytes == 128 || parser_fail(reading->parser, &at, "a tensor map has 128 bytes");
}

/* fence.proxy.async{.space}, fence.proxy.alias, fence.mbarrier_init.release.cluster */
bool special_fence_proxy(Reading *reading) {
    if (reading_has(reading, GROUP_TENSORMAP)) return fence_tensormap(reading);
    const bool is_async = reading_has(reading, GROUP_ASYNC), is_alias = reading_has(reading, GROUP_ALIAS);
    const bool is_scoped = reading_has(reading, GROUP_SCOPE),
               is_placed = reading_has(reading, GROUP_SPACE) || reading_has(reading, GROUP_WINDOW);
    const bool is_init = is_scoped && reading->value[GROUP_PROXY] && reading->value[GROUP_SCOPE] == SCOPE_CLUSTER &&
                         reading->insn.order == ORDER_RELEASE;
    if (is_async + is_alias + is_init != 1 || reading->value[GROUP_PROXY] != is_init || (is_placed && !is_async) ||
        (is_scoped && !is_init))
        return parser_fail(reading->parser, &reading->opcode, "'fence' has no such form");
    reading->insn.variant = is_async ? PROXY_ASYNC : PROXY_OTHER;
    return true;
}
