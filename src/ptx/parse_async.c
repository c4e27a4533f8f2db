/* Asynchronous copies and the barriers that they complete on: cp.async, mbarrier. */
#include "ptx/parser.h"

/* cp.async.mbarrier.arrive{.noinc}{.shared}.b64 [b] */
static bool copies_arrive(Reading *reading) {
    Insn *insn = &reading->insn;
    const bool fine = insn->type == TYPE_b64 && reading_has(reading, GROUP_OF_COPIES) &&
                      reading->value[GROUP_MBARRIER] == MBARRIER_ARRIVE && !reading_has(reading, GROUP_COPY) &&
                      (insn->space == SPACE_SHARED || insn->space == SPACE_GENERIC);
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
    if ((insn->policy != POLICY_CA && insn->policy != POLICY_CG) || insn->space != SPACE_GLOBAL)
        return parser_refuse(parser, at,
                             "'cp' is not emulated: only the forms cp.async.ca, cp.async.cg, .commit_group, .wait_group and "
                             ".wait_all are");
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
    if ((ordered && insn->order == ORDER_RELAXED) || (scoped && scope == SCOPE_CLUSTER)) reading->since = 90;
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
    if (is_window || expects || counts || insn->variant == MBARRIER_TRY_WAIT) reading->since = 90;
    return mbarrier_order(reading);
}

/* state, [b]{, count} */
static bool mbarrier_arrives(Reading *reading) {
    Parser *parser = reading->parser;
    const bool partial = reading_has(reading, GROUP_EXPECT) && !(reading->insn.flags & INSN_EXPECT_TX);
    const Token at = parser->token;
    if (!operand_destination(reading, TYPE_b64, RULE_SINK) || !parser_expect(parser, ',')) return false;
    reading->insn.n_dst = 1;
    if (reading_has(reading, GROUP_WINDOW) && reading->operands[0].kind != OPERAND_SINK)
        return parser_fail(parser, &at, "with .shared::cluster '_' stands here");
    if (!operand_address(reading, (Space)reading->insn.space, MBARRIER_BYTES, true)) return false;
    const bool must = reading_has(reading, GROUP_EXPECT);
    if (!must && !parser_at(parser, ',')) return true;
    if (!partial) reading->since = 90;
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
