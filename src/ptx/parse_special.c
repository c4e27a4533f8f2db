/* Instructions whose operands no signature describes: mov, memory, calls, branches, barriers. */

#include "ptx/opcode.h"
#include "ptx/parser.h"

/* -- mov */

/* Elements of the `{…}` standing here, found by looking ahead; 0 when it has more than eight or never ends. */
static unsigned elements_ahead(const Parser *parser) {
    Lexer lexer = parser->lexer;
    Diag ignored = {0};
    lexer.diag = &ignored;
    unsigned count = 1;
    for (int i = 0; i < 24; i++) {
        Token token = lexer_next(&lexer);
        if (token.kind == TOKEN_END) return 0;
        if (token.kind != TOKEN_PUNCT) continue;
        if (token.punct == '}') return count <= 8 ? count : 0;
        count += token.punct == ',';
    }
    return 0;
}

/* `{a,b}` packed into or unpacked from a value of the instruction's type. */
static bool mov_vector(Reading *reading, bool destination, unsigned *count) {
    Parser *parser = reading->parser;
    Type type = (Type)reading->insn.type;
    unsigned elements = elements_ahead(parser);
    unsigned bytes = elements == 2 || elements == 4 ? type_bytes[type] / elements : 0;
    if (type_kinds[type] != KIND_BITS || !bytes)
        return parser_fail_here(parser, "a .%s is not made of the elements in these braces", type_names[type]);
    Type element = bytes == 1 ? TYPE_b8 : bytes == 2 ? TYPE_b16 : TYPE_b32;
    return operand_vector(reading, element, destination ? RULE_SINK : 0, destination, count);
}

bool special_mov(Reading *reading) {
    Parser *parser = reading->parser;
    Type type = (Type)reading->insn.type;
    unsigned count = 1;
    bool unpack = parser_at(parser, '{');
    bool fine = unpack ? mov_vector(reading, true, &count) : operand_destination(reading, type, 0);
    if (!fine || !parser_expect(parser, ',')) return false;
    reading->insn.n_dst = (uint8_t)count;
    if (!parser_at(parser, '{')) return operand_source(reading, type, unpack ? 0 : RULE_NAMES);
    if (unpack) return parser_fail_here(parser, "'mov' packs or unpacks, not both");
    return mov_vector(reading, false, &count);
}

/* -- memory */

bool reading_drop_policy(Reading *reading) {
    if (!(reading->cache & CACHE_HINT)) return true;
    if (!parser_expect(reading->parser, ',') || !operand_source(reading, TYPE_b64, 0)) return false;
    reading->n_operands--;
    return true;
}

/* Bytes that a lane moves; checks the vector. */
static bool vector_check(Reading *reading, uint64_t *bytes) {
    Insn *insn = &reading->insn;
    Parser *parser = reading->parser;
    insn->vec = reading_has(reading, GROUP_VECTOR) ? reading->value[GROUP_VECTOR] : 1;
    *bytes = (uint64_t)type_bytes[insn->type] * insn->vec;
    uint64_t most = insn->space == SPACE_GLOBAL ? 32 : 16;
    if (*bytes > most) return parser_fail(parser, &reading->opcode, "a vector has at most %u bytes here", (unsigned)most);
    if (insn->vec == 8 && type_bytes[insn->type] != 4)
        return parser_fail(parser, &reading->opcode, ".v8 takes elements of 32 bits");
    return true;
}

static bool values(Reading *reading, bool destination) {
    Insn *insn = &reading->insn;
    Parser *parser = reading->parser;
    Type type = (Type)insn->type;
    unsigned rules = RULE_WIDER | (destination ? RULE_SINK : 0), count = 1;
    if (!reading_has(reading, GROUP_VECTOR) && !parser_at(parser, '{'))
        return destination ? operand_destination(reading, type, RULE_WIDER) : operand_source(reading, type, RULE_WIDER);
    Token at = parser->token;
    if (!operand_vector(reading, type, rules, destination, &count)) return false;
    return count == insn->vec || parser_fail(parser, &at, "%u registers are expected here, not %u", insn->vec, count);
}

bool special_load(Reading *reading) {
    Insn *insn = &reading->insn;
    Parser *parser = reading->parser;
    uint64_t bytes;
    if (!vector_check(reading, &bytes)) return false;
    if (insn->policy == POLICY_NC && insn->space != SPACE_GLOBAL)
        return parser_fail(parser, &reading->opcode, "'ld.nc' needs .global");
    bool order = insn->order == ORDER_RELEASE || insn->order == ORDER_ACQ_REL || insn->order == ORDER_SC;
    if (order) return parser_fail(parser, &reading->opcode, "a load is .weak, .volatile, .relaxed or .acquire");
    if (insn->policy == POLICY_WB || insn->policy == POLICY_WT)
        return parser_fail(parser, &reading->opcode, ".wb and .wt are for stores");
    if (!values(reading, true) || !parser_expect(parser, ',')) return false;
    insn->n_dst = insn->vec;
    if (reading_has(reading, GROUP_MMIO)) insn->flags |= INSN_MMIO;
    if (!operand_address(reading, (Space)insn->space, bytes, false)) return false;
    if (parser_accept_dot(parser, ".unified")) insn->flags |= INSN_UNIFIED;
    return reading_drop_policy(reading);
}

bool special_store(Reading *reading) {
    Insn *insn = &reading->insn;
    Parser *parser = reading->parser;
    uint64_t bytes;
    if (!vector_check(reading, &bytes)) return false;
    if (insn->space == SPACE_CONST) return parser_fail(parser, &reading->opcode, "constant memory cannot be written");
    bool order = insn->order == ORDER_ACQUIRE || insn->order == ORDER_ACQ_REL || insn->order == ORDER_SC;
    if (order) return parser_fail(parser, &reading->opcode, "a store is .weak, .volatile, .relaxed or .release");
    if (insn->policy == POLICY_CA || insn->policy == POLICY_LU || insn->policy == POLICY_CV)
        return parser_fail(parser, &reading->opcode, ".ca, .lu and .cv are for loads");
    if (!operand_address(reading, (Space)insn->space, bytes, true) || !parser_expect(parser, ',')) return false;
    return values(reading, false) && reading_drop_policy(reading);
}

/* PTX ISA, "atom": which types each operation takes. */
static bool atom_takes(AtomOp operation, Type type) {
    bool words = type_bytes[type] == 4 || type_bytes[type] == 8;
    TypeKind kind = (TypeKind)type_kinds[type];
    if (operation == ATOM_ADD) return kind == KIND_FLOAT || kind == KIND_UNSIGNED || type == TYPE_s32;
    if (operation == ATOM_MIN || operation == ATOM_MAX) return words && (kind == KIND_UNSIGNED || kind == KIND_SIGNED);
    if (operation == ATOM_INC || operation == ATOM_DEC) return type == TYPE_u32;
    if (operation == ATOM_CAS && type == TYPE_b16) return true;
    return kind == KIND_BITS && words;
}

bool special_atom(Reading *reading) {
    Insn *insn = &reading->insn;
    Parser *parser = reading->parser;
    Type type = (Type)insn->type;
    const Token *at = &reading->opcode;
    if (insn->space != SPACE_GENERIC && insn->space != SPACE_GLOBAL && insn->space != SPACE_SHARED)
        return parser_fail(parser, at, "atomics work on global and shared memory only");
    if (!atom_takes((AtomOp)insn->variant, type))
        return parser_fail(parser, at, "'%.*s' has no such operation on .%s", TOKEN_TEXT(at), type_names[type]);
    bool is_red = insn->op == OP_red;
    if (is_red && (insn->variant == ATOM_EXCH || insn->variant == ATOM_CAS))
        return parser_fail(parser, at, "'red' has no result, so it neither exchanges nor compares");
    if (!is_red && (!operand_destination(reading, type, RULE_SINK) || !parser_expect(parser, ','))) return false;
    insn->n_dst = !is_red;
    if (!operand_address(reading, (Space)insn->space, type_bytes[type], true)) return false;
    for (int i = 0; i < (insn->variant == ATOM_CAS ? 2 : 1); i++)
        if (!parser_expect(parser, ',') || !operand_source(reading, type, 0)) return false;
    return reading_drop_policy(reading);
}

/* ldmatrix d, [p]; stmatrix [p], s: one register of 32 bits for each matrix. */
bool special_matrix(Reading *reading) {
    Insn *insn = &reading->insn;
    Parser *parser = reading->parser;
    const bool loads = insn->op == OP_ldmatrix;
    if (insn->flags != (INSN_SYNC | INSN_ALIGNED) || (insn->space != SPACE_SHARED && insn->space != SPACE_GENERIC))
        return parser_fail(parser, &reading->opcode, "'%.*s' is written with .sync.aligned, and works on shared memory",
                           TOKEN_TEXT(&reading->opcode));
    if (reading_has(reading, GROUP_TRANS)) insn->flags |= INSN_TRANS;
    insn->vec = reading->value[GROUP_TIMES];
    unsigned count;
    if (!loads && (!operand_address(reading, (Space)insn->space, MATRIX_ROW_BYTES, true) || !parser_expect(parser, ',')))
        return false;
    const Token at = parser->token;
    if (!operand_vector(reading, TYPE_b32, loads ? RULE_SINK : 0, loads, &count)) return false;
    if (count != insn->vec) return parser_fail(parser, &at, "%u registers are expected here, not %u", insn->vec, count);
    insn->n_dst = loads ? insn->vec : 0;
    return !loads || (parser_expect(parser, ',') && operand_address(reading, (Space)insn->space, MATRIX_ROW_BYTES, false));
}

/* Whether the emulator has it: the types and depths whose results an H100 gave (machine/mma.h). */
static bool mma_is_known(const Reading *reading) {
    const Insn *insn = &reading->insn;
    const Type to = (Type)insn->type, a = (Type)insn->type2, b = (Type)insn->type3;
    const bool integers = type_kinds[a] != KIND_FLOAT, both = type_kinds[b] != KIND_FLOAT;
    const unsigned row_bytes = insn->vec * type_bytes[a];
    const bool fits = integers ? both && to == TYPE_s32 : a == b && (to == TYPE_f32 || (to == TYPE_f16 && a == TYPE_f16));
    return fits && a != TYPE_f64 && reading->types[3] == to && (row_bytes == 16 || row_bytes == 32);
}

/* mma d, a, b, c */
bool special_mma(Reading *reading) {
    Insn *insn = &reading->insn;
    Parser *parser = reading->parser;
    insn->vec = reading->value[GROUP_TILE];
    if (reading_has(reading, GROUP_SATFINITE)) insn->flags |= INSN_SATFINITE;
    const bool saturates = insn->flags & INSN_SATFINITE;
    if (!(insn->flags & INSN_SYNC) || !(insn->flags & INSN_ALIGNED) || (saturates && insn->type != TYPE_s32))
        return parser_fail(parser, &reading->opcode, "'mma' is written with .sync.aligned, and .satfinite with .s32 alone");
    if (!mma_is_known(reading))
        return parser_refuse(parser, &reading->opcode, "'mma' of this shape with these types is not emulated");
    const MmaRegisters of = mma_registers(insn);
    const unsigned wanted[] = {of.d, of.a, of.b, of.d};
    const Type sum = insn->type == TYPE_f16 ? TYPE_b32 : (Type)insn->type;
    for (unsigned k = 0; k < 4; k++) {
        if (k && !parser_expect(parser, ',')) return false;
        const Token at = parser->token;
        unsigned count;
        if (!operand_vector(reading, k == 0 || k == 3 ? sum : TYPE_b32, 0, k == 0, &count)) return false;
        if (count != wanted[k]) return parser_fail(parser, &at, "%u registers are expected here, not %u", wanted[k], count);
    }
    insn->n_dst = (uint8_t)of.d;
    return true;
}

/* createpolicy only prepares what cache hints name, so its operands are read and forgotten. */
bool special_createpolicy(Reading *reading) {
    Parser *parser = reading->parser;
    if (!operand_destination(reading, TYPE_b64, 0)) return false;
    reading->insn.n_dst = 1;
    while (parser_accept(parser, ',')) {
        Constant constant;
        Token word;
        uint32_t index;
        if (parser_at(parser, '[')) {
            if (!operand_address(reading, (Space)reading->insn.space, 0, false)) return false;
        } else if (constant_starts(parser)) {
            if (!constant_parse(parser, &constant)) return false;
        } else if (!parser_take_word(parser, "a register or constant", &word) || !register_find(parser, &word, &index)) {
            return false;
        }
    }
    reading->n_operands = 1;
    return true;
}

/* -- barriers */

/* The barrier's number: 0 to 15. */
static bool barrier_number(Reading *reading) {
    Token at = reading->parser->token;
    if (!operand_source(reading, TYPE_b32, 0)) return false;
    const Operand *operand = &reading->operands[reading->n_operands - 1];
    if (operand->kind != OPERAND_IMMEDIATE || operand->bits < 16) return true;
    return parser_fail(reading->parser, &at, "a block has the barriers 0 to 15");
}

/* Whether a predicate, perhaps negated, stands here. */
static bool at_predicate(const Parser *parser) {
    if (parser_at(parser, '!')) return true;
    const Symbol *symbol = parser->token.kind == TOKEN_WORD ? parser_find(parser, &parser->token) : NULL;
    return symbol && symbol->kind == SYMBOL_REGISTER && parser->registers[symbol->index].type == TYPE_pred;
}

static bool barrier_reduce(Reading *reading) {
    Insn *insn = &reading->insn;
    Parser *parser = reading->parser;
    insn->variant = reading->value[GROUP_BAR_RED];
    bool counts = insn->variant == BAR_RED_POPC;
    if (insn->type != (counts ? TYPE_u32 : TYPE_pred))
        return parser_fail(parser, &reading->opcode, "'%.*s.red' takes .popc.u32, .and.pred or .or.pred",
                           TOKEN_TEXT(&reading->opcode));
    if (!operand_destination(reading, (Type)insn->type, 0) || !parser_expect(parser, ',')) return false;
    insn->n_dst = 1;
    if (!barrier_number(reading) || !parser_expect(parser, ',')) return false;
    if (!at_predicate(parser) && (!operand_source(reading, TYPE_b32, 0) || !parser_expect(parser, ','))) return false;
    return operand_source(reading, TYPE_pred, RULE_NEGATED);
}

bool special_barrier(Reading *reading) {
    Insn *insn = &reading->insn;
    Parser *parser = reading->parser;
    Variant kind = (Variant)reading->value[GROUP_BARRIER];
    if (kind == BAR_RED_POPC && reading_has(reading, GROUP_BAR_RED)) return barrier_reduce(reading);
    if (kind == BAR_RED_POPC || reading_has(reading, GROUP_BAR_RED) || insn->type != TYPE_none)
        return parser_fail(parser, &reading->opcode, "'%.*s.red' takes .popc.u32, .and.pred or .or.pred",
                           TOKEN_TEXT(&reading->opcode));
    insn->variant = (uint8_t)kind;
    if (reading_has(reading, GROUP_WARP)) {
        if (kind != BAR_SYNC) return parser_fail(parser, &reading->opcode, "'bar.warp' takes .sync");
        insn->variant = BAR_WARP_SYNC;
        insn->flags = INSN_SYNC;
        return operand_source(reading, TYPE_b32, 0);
    }
    if (!barrier_number(reading)) return false;
    bool more = kind == BAR_ARRIVE || parser_at(parser, ',');
    return !more || (parser_expect(parser, ',') && operand_source(reading, TYPE_b32, 0));
}

/* barrier.cluster.arrive{.release, .relaxed}, barrier.cluster.wait{.acquire} */
bool special_barrier_cluster(Reading *reading) {
    Insn *insn = &reading->insn;
    const bool arrives = reading_has(reading, GROUP_BARRIER), waits = reading_has(reading, GROUP_GRID);
    const bool ordered = reading_has(reading, GROUP_ORDER);
    bool fine = arrives != waits && reading->value[GROUP_SCOPE] == SCOPE_CLUSTER;
    fine &= !arrives || reading->value[GROUP_BARRIER] == BAR_ARRIVE;
    fine &= !waits || reading->value[GROUP_GRID] == GRID_WAIT;
    fine &= !ordered || insn->order == (waits ? ORDER_ACQUIRE : ORDER_RELEASE) || (arrives && insn->order == ORDER_RELAXED);
    if (!fine) return parser_fail(reading->parser, &reading->opcode, "'barrier.cluster' takes .arrive or .wait");
    if (!ordered) insn->order = waits ? ORDER_ACQUIRE : ORDER_RELEASE;
    insn->variant = arrives ? CLUSTER_ARRIVE : CLUSTER_WAIT;
    return true;
}

/* -- branches */

bool special_branch(Reading *reading) {
    Insn *insn = &reading->insn;
    Parser *parser = reading->parser;
    Token word;
    if (insn->op == OP_brx && (!operand_source(reading, TYPE_u32, 0) || !parser_expect(parser, ','))) return false;
    if (!parser_take_word(parser, "a label", &word)) return false;
    if (insn->op == OP_bra) return label_refer(parser, &word, parser->program->n_insns, NULL);
    const Symbol *symbol = parser_find(parser, &word);
    if (!symbol || symbol->kind != SYMBOL_BRANCH_TARGETS)
        return parser_fail(parser, &word, "'%.*s' is not a list of .branchtargets declared above", TOKEN_TEXT(&word));
    BranchTable *table = ARENA_NEW(parser->arena, BranchTable);
    *table = parser->tables[symbol->index];
    parser->n_branch_targets += table->count;
    if (parser->n_branch_targets > MAX_BRANCH_TARGETS)
        return parser_fail(parser, &word, "a module's brx have at most %d targets", MAX_BRANCH_TARGETS);
    insn->table = table;
    return true;
}

/* -- calls */

/* A .param variable, register or constant that goes into or comes out of `bytes` bytes. */
static bool call_value(Reading *reading, bool result, uint64_t bytes, Operand *out) {
    Parser *parser = reading->parser;
    Type type = bytes == 1 ? TYPE_b8 : bytes == 2 ? TYPE_b16 : bytes == 4 ? TYPE_b32 : TYPE_b64;
    bool scalar = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    const Symbol *symbol = parser->token.kind == TOKEN_WORD ? parser_find(parser, &parser->token) : NULL;
    reading->n_operands = 0;
    if (symbol && symbol->kind == SYMBOL_VARIABLE) {
        const Variable *variable = &parser->program->variables[symbol->index];
        bool own = variable->space == SPACE_PARAM && !variable->formal;
        if (!own) return parser_fail_here(parser, "a call passes .param variables declared in the function");
        if (variable->bytes != bytes)
            return parser_fail_here(parser, "'%.*s' has %llu bytes where the called function has %llu",
                                    TOKEN_TEXT(&parser->token), (unsigned long long)variable->bytes, (unsigned long long)bytes);
        *out = (Operand){.kind = OPERAND_VARIABLE, .index = symbol->index};
        parser_advance(parser);
        return true;
    }
    if (!scalar) return parser_fail_here(parser, "%llu bytes are passed in a .param variable", (unsigned long long)bytes);
    bool fine = result ? operand_destination(reading, type, 0) : operand_source(reading, type, 0);
    if (!fine) return false;
    *out = reading->operands[0];
    reading->n_operands = 0;
    if (out->kind == OPERAND_SPECIAL) return parser_fail_here(parser, "move the special register into a register first");
    return true;
}

/* What the callee takes, from its declaration or the prototype of an indirect call. */
static Prototype prototype_of(Parser *parser, const Function *function) {
    uint64_t *bytes = ARENA_ARRAY(parser->scratch, uint64_t, function->n_params);
    for (uint32_t i = 0; i < function->n_params; i++) bytes[i] = parser->program->variables[function->params[i]].bytes;
    Prototype prototype = {.n_params = function->n_params, .param_bytes = bytes, .has_result = function->result != NO_INDEX};
    if (prototype.has_result) prototype.result_bytes = parser->program->variables[function->result].bytes;
    return prototype;
}

/* `, (a, b)`: from the parenthesis on. */
static bool call_arguments(Reading *reading, const Prototype *prototype, Operand *arguments) {
    Parser *parser = reading->parser;
    uint32_t count = 0;
    if (!parser_expect(parser, '(')) return false;
    if (!parser_accept(parser, ')')) {
        do {
            if (count == prototype->n_params) return parser_fail_here(parser, "the called function takes %u arguments", count);
            if (!call_value(reading, false, prototype->param_bytes[count], &arguments[count])) return false;
            count++;
        } while (parser_accept(parser, ','));
        if (!parser_expect(parser, ')')) return false;
    }
    return count == prototype->n_params ||
           parser_fail(parser, &reading->opcode, "the called function takes %u arguments, not %u", prototype->n_params, count);
}

/* Finds the `, p;` at the end of an indirect call: a list in parentheses may stand before it. */
static bool prototype_ahead(const Parser *parser, Token *name) {
    Lexer lexer = parser->lexer;
    Diag ignored = {0};
    lexer.diag = &ignored;
    Token token = parser->token, last = {.kind = TOKEN_END};
    while (token.kind != TOKEN_END && !(token.kind == TOKEN_PUNCT && token.punct == ';')) {
        last = token;
        token = lexer_next(&lexer);
    }
    *name = last;
    return last.kind == TOKEN_WORD;
}

static bool call_callee(Reading *reading, CallSite *site, Prototype *prototype) {
    Parser *parser = reading->parser;
    Token word;
    if (!parser_take_word(parser, "a function", &word)) return false;
    const Symbol *symbol = parser_find(parser, &word);
    if (!symbol) {
        parser_fail(parser, &word, "function '%.*s' is not declared", TOKEN_TEXT(&word));
        return diag_hint(parser->diag, "declare it above with .func or .extern .func");
    }
    if (symbol->kind == SYMBOL_FUNCTION) {
        const Function *function = &parser->program->functions[symbol->index];
        if (function->is_entry) return parser_fail(parser, &word, "a kernel cannot be called");
        site->function = symbol->index;
        *prototype = prototype_of(parser, function);
        return true;
    }
    reading->n_operands = 0;
    if (!register_find(parser, &word, &site->pointer)) return false;
    if (type_bytes[parser->registers[site->pointer].type] != 8 ||
        type_kinds[parser->registers[site->pointer].type] == KIND_FLOAT)
        return parser_fail(parser, &word, "'%.*s' does not hold a function's address", TOKEN_TEXT(&word));
    Token name;
    symbol = prototype_ahead(parser, &name) ? parser_find(parser, &name) : NULL;
    if (!symbol || symbol->kind != SYMBOL_PROTOTYPE)
        return parser_fail(parser, &word, "a call through a register ends with the name of a .callprototype or .calltargets");
    *prototype = parser->prototypes[symbol->index];
    return true;
}

/* call{.uni} {(result),} callee{, (arguments)}{, prototype}. The result is checked once the callee is known. */
bool special_call(Reading *reading) {
    Parser *parser = reading->parser;
    CallSite *site = ARENA_NEW(parser->arena, CallSite);
    Prototype prototype = {0};
    site->function = NO_INDEX;
    bool has_result = parser_accept(parser, '(');
    Lexer result_lexer = parser->lexer;
    Token result = parser->token;
    if (has_result) {
        if (!parser_at(parser, ')'))
            parser_advance(parser);
        else
            has_result = false;
        if (!parser_expect(parser, ')') || !parser_expect(parser, ',')) return false;
    }
    if (!call_callee(reading, site, &prototype)) return false;
    Operand *operands = ARENA_ARRAY(parser->arena, Operand, prototype.n_params + 1);
    if (prototype.has_result && !has_result)
        return parser_fail(parser, &reading->opcode, "the called function has a result: call (r), …");
    if (has_result && !token_is(&result, "_")) {
        if (!prototype.has_result) return parser_fail(parser, &result, "the called function has no result");
        Lexer lexer = parser->lexer;
        Token token = parser->token;
        parser->lexer = result_lexer;
        parser->token = result;
        if (!call_value(reading, true, prototype.result_bytes, &operands[0])) return false;
        parser->lexer = lexer;
        parser->token = token;
        site->n_results = 1;
    }
    site->results = operands;
    site->arguments = operands + 1;
    site->n_arguments = prototype.n_params;
    bool listed = false;
    if (parser_accept(parser, ',')) {
        listed = parser_at(parser, '(');
        if (listed && !call_arguments(reading, &prototype, operands + 1)) return false;
        if (listed && site->function == NO_INDEX && !parser_expect(parser, ',')) return false;
        if (site->function == NO_INDEX)
            parser_advance(parser); /* the prototype's name, seen by prototype_ahead */
        else if (!listed)
            return parser_expected(parser, "'('");
    }
    if (!listed && prototype.n_params)
        return parser_fail(parser, &reading->opcode, "the called function takes %u arguments, not 0", prototype.n_params);
    reading->insn.call = site;
    return true;
}
