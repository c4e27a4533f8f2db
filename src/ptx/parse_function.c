/* Functions: header, body, scopes, labels, and the directives that stand inside a body. */
#include <string.h>

#include "ptx/contract.h"
#include "ptx/opcode.h"
#include "ptx/parser.h"

/* -- source locations */

static bool location_number(Parser *parser, const char *what, uint64_t max, uint32_t *number) {
    uint64_t value;
    if (parser->token.kind != TOKEN_INTEGER) return parser_expected(parser, what);
    if (parser->token.bits > max) return parser_fail_here(parser, "%s is out of range", what);
    value = parser->token.bits;
    parser_advance(parser);
    *number = (uint32_t)value;
    return true;
}

static bool place_parse(Parser *parser, Location *location) {
    bool fine = location_number(parser, "a file number", MAX_FILE_NUMBER, &location->file) &&
                location_number(parser, "a line number", UINT32_MAX, &location->line) &&
                location_number(parser, "a column number", UINT32_MAX, &location->column);
    location->file += parser->file_base;
    return fine;
}

static bool same_place(const Location *a, const Location *b) {
    return a->file == b->file && a->line == b->line && a->column == b->column;
}

static uint32_t *location_bucket(const Parser *parser, const Location *place) {
    uint64_t hash = ((uint64_t)place->line << 32 | place->column) * UINT64_C(0x9e3779b97f4a7c15) + place->file;
    hash = (hash ^ hash >> 31) * UINT64_C(0xd1342543de82ef95);
    return &parser->location_buckets[(hash >> 32) & (parser->n_location_buckets - 1)];
}

/* Where a location with this file, line and column stands in its bucket, or else the bucket. Only the first few are looked at. */
static uint32_t *location_slot(const Parser *parser, const Location *place) {
    uint32_t *bucket = location_bucket(parser, place), *slot = bucket;
    for (int tries = 0; *slot && tries < 16; tries++, slot = &parser->location_next[*slot])
        if (same_place(&parser->program->locations[*slot], place)) return slot;
    return bucket;
}

/* Of those at one place only the newest is kept: a place that is inlined often hides no other of its bucket. */
static void location_enter(Parser *parser, uint32_t at) {
    const Location *locations = parser->program->locations;
    uint32_t *slot = location_slot(parser, &locations[at]);
    bool replaces = *slot && same_place(&locations[*slot], &locations[at]);
    parser->location_next[at] = replaces ? parser->location_next[*slot] : *slot;
    *slot = at;
}

static void location_rehash(Parser *parser) {
    parser->n_location_buckets = parser->n_location_buckets ? parser->n_location_buckets * 4 : 1024;
    parser->location_buckets = ARENA_ARRAY(parser->scratch, uint32_t, parser->n_location_buckets);
    for (uint32_t i = 1; i < parser->program->n_locations; i++) location_enter(parser, i);
}

/* The newest location with this file, line and column, or 0. */
static uint32_t location_find(const Parser *parser, const Location *place) {
    uint32_t at = parser->n_location_buckets ? *location_slot(parser, place) : 0;
    return at && same_place(&parser->program->locations[at], place) ? at : 0;
}

/* Beyond MAX_LOCATIONS the place stays unknown. */
static uint32_t location_add(Parser *parser, const Location *place) {
    Program *program = parser->program;
    uint32_t found = location_find(parser, place);
    if (found && program->locations[found].inlined_at == place->inlined_at) return found;
    if (program->n_locations >= MAX_LOCATIONS) return 0;
    if (program->n_locations >= parser->n_location_buckets) location_rehash(parser);
    parser->location_next = arena_more(parser->scratch, parser->location_next, program->n_locations, sizeof(uint32_t));
    ARENA_ADD(parser->arena, program->locations, program->n_locations) = *place;
    location_enter(parser, program->n_locations - 1);
    return program->n_locations - 1;
}

/* `.loc 1 9 3, function_name $L__info_string0+12, inlined_at 1 21 3`. The place it was inlined at is the newest location of that
 * file, line and column, which may itself have been inlined. */
bool location_parse(Parser *parser) {
    Location location = {0};
    if (!place_parse(parser, &location)) return false;
    while (parser_accept(parser, ',')) {
        Token word;
        if (!parser_take_word(parser, "function_name or inlined_at", &word)) return false;
        if (token_is(&word, "function_name")) {
            uint64_t ignored;
            if (!parser_take_word(parser, "a label", &word) || !constant_parse_offset(parser, &ignored)) return false;
        } else if (token_is(&word, "inlined_at")) {
            Location outer = {0};
            if (!place_parse(parser, &outer)) return false;
            location.inlined_at = location_find(parser, &outer);
            if (!location.inlined_at) location.inlined_at = location_add(parser, &outer);
        } else {
            return parser_fail(parser, &word, "function_name or inlined_at is expected here, not '%.*s'", TOKEN_TEXT(&word));
        }
    }
    parser->body.location = location_add(parser, &location);
    return true;
}

bool pragma_parse(Parser *parser) {
    static const char nounroll[] = "nounroll";
    do {
        if (parser->token.kind != TOKEN_STRING) return parser_expected(parser, "a pragma in quotes");
        parser->body.nounroll |=
            parser->token.length == strlen(nounroll) && memcmp(parser->token.text, nounroll, strlen(nounroll)) == 0;
        parser_advance(parser);
    } while (parser_accept(parser, ','));
    return parser_expect(parser, ';');
}

/* -- scopes and labels */

static bool scope_enter(Parser *parser) {
    Body *body = &parser->body;
    if (body->n_scopes == MAX_SCOPES) return parser_fail_here(parser, "scopes are nested too deeply");
    body->scopes[body->n_scopes++] = (Scope){.mark = symbols_enter(&parser->symbols), .frame_at = body->frame_at};
    return true;
}

/* Branches to labels of this scope get their targets; the others wait for an outer scope. */
static bool scope_leave(Parser *parser) {
    Body *body = &parser->body;
    Scope *scope = &body->scopes[--body->n_scopes];
    const Fixup *undefined = NULL;
    for (Fixup *fixup = scope->fixups, *next; fixup; fixup = next) {
        next = fixup->next;
        const Symbol *symbol = parser_find(parser, &fixup->label);
        if (symbol && symbol->scope == parser->symbols.scope) {
            if (symbol->kind != SYMBOL_LABEL)
                return parser_fail(parser, &fixup->label, "'%.*s' is not a label", TOKEN_TEXT(&fixup->label));
            if (fixup->insn == NO_INSN)
                *fixup->slot = symbol->index;
            else
                parser->program->insns[fixup->insn].target = symbol->index;
        } else if (body->n_scopes) {
            fixup->next = scope[-1].fixups;
            scope[-1].fixups = fixup;
        } else if (!undefined || fixup->label.line < undefined->label.line) {
            undefined = fixup;
        }
    }
    if (undefined) {
        parser_fail(parser, &undefined->label, "undefined label '%.*s'", TOKEN_TEXT(&undefined->label));
        return diag_hint(parser->diag, "a branch reaches labels of its own function and scope, or of a scope around it");
    }
    symbols_leave(&parser->symbols, scope->mark);
    body->frame_at = scope->frame_at;
    return true;
}

bool label_refer(Parser *parser, const Token *label, uint32_t insn, uint32_t *slot) {
    Scope *scope = &parser->body.scopes[parser->body.n_scopes - 1];
    Fixup *fixup = ARENA_NEW(parser->scratch, Fixup);
    *fixup = (Fixup){.next = scope->fixups, .label = *label, .insn = insn, .slot = slot};
    scope->fixups = fixup;
    return true;
}

static bool name_add(Parser *parser, const Token *name, SymbolKind kind, uint32_t index) {
    if (symbols_add(&parser->symbols, name->text, name->length, kind, index)) return true;
    return parser_fail(parser, name, "'%.*s' is declared already", TOKEN_TEXT(name));
}

/* `table: .branchtargets a, b, c;` */
static bool branch_targets_parse(Parser *parser, const Token *name) {
    size_t count = 0;
    Token *labels = NULL;
    do {
        if (!parser_take_word(parser, "a label", &ARENA_ADD(parser->scratch, labels, count))) return false;
    } while (parser_accept(parser, ','));
    uint32_t *targets = ARENA_ARRAY(parser->arena, uint32_t, count);
    for (size_t i = 0; i < count; i++)
        if (!label_refer(parser, &labels[i], NO_INSN, &targets[i])) return false;
    ARENA_ADD(parser->scratch, parser->tables, parser->n_tables) = (BranchTable){.count = (uint32_t)count, .targets = targets};
    return name_add(parser, name, SYMBOL_BRANCH_TARGETS, (uint32_t)parser->n_tables - 1) && parser_expect(parser, ';');
}

/* -- signatures */

/* `(.param .b32 r)` before the name; `()` says that there is none. */
static bool result_parse(Parser *parser, FormalList *signature) {
    signature->has_result = false;
    if (!parser_accept(parser, '(') || parser_accept(parser, ')')) return !parser->lexer.failed;
    signature->has_result = true;
    if (!formal_parse(parser, &signature->result)) return false;
    if (parser_at(parser, ',')) return parser_fail_here(parser, "more than one result is not emulated");
    return parser_expect(parser, ')');
}

static bool params_parse(Parser *parser, FormalList *signature) {
    signature->n_params = 0;
    if (!parser_accept(parser, '(') || parser_accept(parser, ')')) return !parser->lexer.failed;
    do {
        if (signature->n_params == MAX_FORMALS)
            return parser_fail_here(parser, "a function has at most %d parameters", MAX_FORMALS);
        if (!formal_parse(parser, &ARENA_ADD(parser->scratch, signature->params, signature->n_params))) return false;
    } while (parser_accept(parser, ','));
    return parser_expect(parser, ')');
}

static bool prototype_add(Parser *parser, const Token *name, Prototype prototype) {
    ARENA_ADD(parser->scratch, parser->prototypes, parser->n_prototypes) = prototype;
    return name_add(parser, name, SYMBOL_PROTOTYPE, (uint32_t)parser->n_prototypes - 1) && parser_expect(parser, ';');
}

/* `p: .callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;` */
static bool call_prototype_parse(Parser *parser, const Token *name) {
    FormalList *signature = &parser->signature;
    Token ignored;
    if (!result_parse(parser, signature) || !parser_take_word(parser, "'_'", &ignored) || !params_parse(parser, signature))
        return false;
    while (parser_accept_dot(parser, ".noreturn")) {}
    uint64_t *bytes = ARENA_ARRAY(parser->scratch, uint64_t, signature->n_params);
    for (size_t i = 0; i < signature->n_params; i++) bytes[i] = signature->params[i].bytes;
    return prototype_add(parser, name,
                         (Prototype){.n_params = (uint32_t)signature->n_params,
                                     .param_bytes = bytes,
                                     .has_result = signature->has_result,
                                     .result_bytes = signature->has_result ? signature->result.bytes : 0});
}

/* `t: .calltargets f, g;`: all of one signature, that of the first. */
static bool call_targets_parse(Parser *parser, const Token *name) {
    Prototype prototype = {0};
    bool first = true;
    do {
        Token word;
        if (!parser_take_word(parser, "a function's name", &word)) return false;
        const Symbol *symbol = parser_find(parser, &word);
        if (!symbol || symbol->kind != SYMBOL_FUNCTION)
            return parser_fail(parser, &word, "'%.*s' is not a function declared above", TOKEN_TEXT(&word));
        const Function *function = &parser->program->functions[symbol->index];
        bool has_result = function->result != NO_INDEX;
        if (!first && (function->n_params != prototype.n_params || has_result != prototype.has_result))
            return parser_fail(parser, &word, "'%.*s' takes other parameters than the first of the list", TOKEN_TEXT(&word));
        if (!first) continue;
        uint64_t *bytes = ARENA_ARRAY(parser->scratch, uint64_t, function->n_params);
        for (uint32_t i = 0; i < function->n_params; i++) bytes[i] = parser->program->variables[function->params[i]].bytes;
        prototype = (Prototype){.n_params = function->n_params, .param_bytes = bytes, .has_result = has_result};
        if (has_result) prototype.result_bytes = parser->program->variables[function->result].bytes;
        first = false;
    } while (parser_accept(parser, ','));
    return prototype_add(parser, name, prototype);
}

/* -- bodies */

static bool label_parse(Parser *parser, const Token *name) {
    if (parser_accept_dot(parser, ".branchtargets")) return branch_targets_parse(parser, name);
    if (parser_accept_dot(parser, ".callprototype")) return call_prototype_parse(parser, name);
    if (parser_accept_dot(parser, ".calltargets")) return call_targets_parse(parser, name);
    parser->body.label_at_end = true;
    return name_add(parser, name, SYMBOL_LABEL, parser->program->n_insns);
}

static bool body_directive(Parser *parser) {
    Linkage linkage = {0};
    Token at = parser->token;
    if (parser_accept_dot(parser, ".loc")) return location_parse(parser);
    if (parser_accept_dot(parser, ".pragma")) return pragma_parse(parser);
    if (parser_accept_dot(parser, ".reg")) return registers_parse(parser);
    if (parser_accept_dot(parser, ".extern")) linkage.external = true;
    const Token *word = &parser->token;
    if (token_is(word, ".param") || token_is(word, ".local") || token_is(word, ".shared") || token_is(word, ".global") ||
        token_is(word, ".const"))
        return variable_parse(parser, &linkage);
    if (token_is(&at, ".branchtargets") || token_is(&at, ".callprototype") || token_is(&at, ".calltargets"))
        return parser_fail(parser, &at, "'%.*s' needs a label in front of it", TOKEN_TEXT(&at));
    return parser_fail(parser, &at, "unknown directive '%.*s' in a function", TOKEN_TEXT(&at));
}

/* `@p`, `@!p` and the instruction. */
static bool guarded_parse(Parser *parser) {
    Token word, opcode;
    uint32_t guard;
    parser_advance(parser);
    bool negated = parser_accept(parser, '!');
    if (!parser_take_word(parser, "a predicate register", &word) || !register_find(parser, &word, &guard)) return false;
    if (parser->registers[guard].type != TYPE_pred)
        return parser_fail(parser, &word, "'%.*s' is not a predicate register", TOKEN_TEXT(&word));
    if (!parser_take_word(parser, "an instruction", &opcode)) return false;
    return insn_parse(parser, &opcode, true, negated, guard);
}

static bool statement_parse(Parser *parser) {
    if (parser_accept(parser, ';')) return true;
    if (parser_accept(parser, '{')) return scope_enter(parser);
    if (parser_accept(parser, '}')) return scope_leave(parser);
    if (parser_at(parser, '@')) return guarded_parse(parser);
    if (parser->token.kind == TOKEN_DOT_WORD) return body_directive(parser);
    Token word;
    if (!parser_take_word(parser, "an instruction, a label or a directive", &word)) return false;
    if (parser_accept(parser, ':')) return label_parse(parser, &word);
    return insn_parse(parser, &word, false, false, 0);
}

static bool move_register_param(Parser *parser, const Insn *like, bool load, uint32_t reg, uint32_t variable) {
    Insn insn = *like;
    insn.op = load ? OP_ld : OP_st;
    insn.type = parser->registers[reg].type;
    insn.vec = 1;
    insn.n_dst = load;
    insn.n_src = load ? 1 : 2;
    insn.space = SPACE_PARAM;
    Operand operands[2] = {{.kind = OPERAND_REGISTER, .index = reg}, {.kind = OPERAND_ADDRESS_VARIABLE, .index = variable}};
    if (!load) {
        Operand swap = operands[0];
        operands[0] = operands[1];
        operands[1] = swap;
    }
    return insn_emit(parser, insn, operands, 2);
}

bool function_return(Parser *parser, const Insn *ret) {
    const Body *body = &parser->body;
    if (body->result_register == NO_INDEX) return true;
    Insn like = {.guarded = ret->guarded,
                 .guard_negated = ret->guard_negated,
                 .guard = ret->guard,
                 .target = NO_INSN,
                 .location = body->location,
                 .line = ret->line};
    return move_register_param(parser, &like, false, body->result_register, body->result_variable);
}

/* -- headers */

static bool sizes_parse(Parser *parser, const char *of, const char *what, uint32_t sizes[3]) {
    for (int i = 0; i < 3; i++) sizes[i] = 1;
    for (int i = 0; i < 3; i++) {
        uint64_t value;
        if (i && !parser_accept(parser, ',')) return true;
        const Token token = parser->token;
        if (!parser_take_count(parser, "a number", UINT32_MAX, &value)) return false;
        if (!value) return parser_fail(parser, &token, "no %s has 0 %s in a dimension", of, what);
        sizes[i] = (uint32_t)value;
    }
    return true;
}

static bool tuning_parse(Parser *parser, Function *function) {
    uint64_t ignored;
    for (;;) {
        Token word = parser->token;
        if (word.kind != TOKEN_DOT_WORD) return true;
        parser_advance(parser);
        if (token_is(&word, ".maxntid")) {
            if (!sizes_parse(parser, "block", "threads", function->max_threads)) return false;
        } else if (token_is(&word, ".reqntid")) {
            if (!sizes_parse(parser, "block", "threads", function->required_threads)) return false;
        } else if (token_is(&word, ".minnctapersm") || token_is(&word, ".maxnctapersm") || token_is(&word, ".maxnreg") ||
                   token_is(&word, ".abi_preserve") || token_is(&word, ".abi_preserve_control")) {
            if (!parser_take_count(parser, "a number", UINT32_MAX, &ignored)) return false;
        } else if (token_is(&word, ".pragma")) {
            if (!pragma_parse(parser)) return false;
        } else if (token_is(&word, ".reqnctapercluster")) {
            if (!sizes_parse(parser, "cluster", "blocks", function->cluster)) return false;
        } else if (token_is(&word, ".explicitcluster")) {
            function->explicit_cluster = true;
        } else if (token_is(&word, ".maxclusterrank")) {
            if (!parser_take_count(parser, "a number of blocks", UINT32_MAX, &ignored)) return false;
            function->max_cluster = (uint32_t)ignored;
        } else if (token_is(&word, ".blocksareclusters")) {
            return parser_fail(parser, &word, "'.blocksareclusters' is not emulated: a grid is counted in blocks here");
        } else if (!token_is(&word, ".noreturn")) {
            return parser_fail(parser, &word, "unknown directive '%.*s' of a function", TOKEN_TEXT(&word));
        }
    }
}

/* The function's index, old or new. A second declaration agrees with the first one. */
static bool function_enter(Parser *parser, const Token *name, bool is_entry, const Linkage *linkage, uint32_t *index) {
    Program *program = parser->program;
    const FormalList *signature = &parser->signature;
    const Symbol *known = linkage_find(parser, name, linkage);
    if (known) {
        *index = known->index;
        if (known->kind != SYMBOL_FUNCTION) return parser_fail(parser, name, "'%.*s' is declared already", TOKEN_TEXT(name));
        const Function *function = &program->functions[*index];
        bool same = function->is_entry == is_entry && function->n_params == signature->n_params &&
                    (function->result != NO_INDEX) == signature->has_result;
        for (size_t i = 0; same && i < signature->n_params; i++)
            same = program->variables[function->params[i]].bytes == signature->params[i].bytes;
        if (same && signature->has_result) same = program->variables[function->result].bytes == signature->result.bytes;
        return same || parser_fail(parser, name, "'%.*s' was declared with other parameters above", TOKEN_TEXT(name));
    }
    if (program->n_functions >= MAX_FUNCTIONS)
        return parser_fail(parser, name, "a module has at most %d functions", MAX_FUNCTIONS);
    *index = program->n_functions;
    uint32_t *params = ARENA_ARRAY(parser->arena, uint32_t, signature->n_params);
    Function *function = &ARENA_ADD(parser->arena, program->functions, program->n_functions);
    *function = (Function){.is_entry = is_entry,
                           .params = params,
                           .n_params = (uint32_t)signature->n_params,
                           .result = NO_INDEX,
                           .line = name->line};
    function->name = arena_copy(parser->arena, name->text, name->length);
    for (size_t i = 0; i < signature->n_params; i++)
        if (!variable_add(parser, name, (Variable){.space = SPACE_PARAM}, &params[i])) return false;
    if (signature->has_result && !variable_add(parser, name, (Variable){.space = SPACE_PARAM}, &function->result)) return false;
    return linkage_add(parser, name, linkage, SYMBOL_FUNCTION, *index);
}

static void formal_describe(Parser *parser, uint32_t variable, uint32_t function, const Formal *formal) {
    const Token *name = &formal->name;
    parser->program->variables[variable] =
        (Variable){.name = arena_copy(parser->arena, name->text, name->kind == TOKEN_WORD ? name->length : 0),
                   .space = SPACE_PARAM,
                   .align = formal->align,
                   .bytes = formal->bytes,
                   .function = function,
                   .formal = true};
}

/* Sizes and places of the formal parameters; `placed` when a body follows. */
static bool formals_place(Parser *parser, const Token *name, uint32_t index, bool placed) {
    const FormalList *signature = &parser->signature;
    Function *function = &parser->program->functions[index];
    uint64_t at = 0;
    for (size_t i = 0; i <= signature->n_params; i++) {
        bool result = i == signature->n_params;
        if (result && !signature->has_result) break;
        const Formal *formal = result ? &signature->result : &signature->params[i];
        uint32_t variable = result ? function->result : function->params[i];
        Variable *to = &parser->program->variables[variable];
        formal_describe(parser, variable, index, formal);
        if (function->is_entry) {
            to->offset = (at + formal->align - 1) / formal->align * formal->align;
            at = to->offset + formal->bytes;
            if (at > MAX_PARAM_BYTES)
                return parser_fail(parser, name, "a kernel's parameters take at most %d bytes", MAX_PARAM_BYTES);
        } else if (placed && !frame_reserve(parser, name, formal->bytes, formal->align, &to->offset)) {
            return false;
        }
    }
    function->param_bytes = at;
    return true;
}

/* Names for the formals; registers among them are loaded from or stored to their hidden variables. */
static bool formals_declare(Parser *parser, uint32_t index) {
    const FormalList *signature = &parser->signature;
    for (size_t i = 0; i <= signature->n_params; i++) {
        bool result = i == signature->n_params;
        if (result && !signature->has_result) break;
        const Formal *formal = result ? &signature->result : &signature->params[i];
        const Function *function = &parser->program->functions[index];
        uint32_t variable = result ? function->result : function->params[i], reg;
        if (formal->name.kind != TOKEN_WORD || token_is(&formal->name, "_")) continue;
        if (!formal->is_register) {
            if (!name_add(parser, &formal->name, SYMBOL_VARIABLE, variable)) return false;
            continue;
        }
        if (function->is_entry) return parser_fail(parser, &formal->name, "a kernel's parameters are .param variables");
        if (!register_add(parser, &formal->name, formal->name.text, formal->name.length, formal->type, &reg)) return false;
        Insn like = {.target = NO_INSN, .line = formal->name.line};
        if (result) {
            parser->body.result_register = reg;
            parser->body.result_variable = variable;
        } else if (!move_register_param(parser, &like, true, reg, variable)) {
            return false;
        }
    }
    return true;
}

/* The last instruction is always a ret or exit, and every label names an instruction. */
static bool body_finish(Parser *parser, uint32_t first) {
    const Program *program = parser->program;
    const Insn *last = program->n_insns > first ? &program->insns[program->n_insns - 1] : NULL;
    bool ends = last && !last->guarded && (last->op == OP_ret || last->op == OP_exit) && !parser->body.label_at_end;
    if (ends) return true;
    Insn ret = {.op = OP_ret, .target = NO_INSN, .location = parser->body.location, .line = parser->token.line};
    return function_return(parser, &ret) && insn_emit(parser, ret, NULL, 0);
}

/* On to the brace that ends what has begun. */
static bool to_brace(Parser *parser) {
    for (unsigned depth = 0; depth || !parser_at(parser, '}'); parser_advance(parser)) {
        if (parser->token.kind == TOKEN_END) return parser_expected(parser, "'}'");
        depth += parser_at(parser, '{');
        depth -= parser_at(parser, '}');
    }
    return true;
}

/* After parser_refuse: the function becomes one that only returns, and parsing goes on at its closing brace. */
static bool body_leave_out(Parser *parser, uint32_t index, const Lexer *inside) {
    Body *body = &parser->body;
    Function *function = &parser->program->functions[index];
    if (!parser->refuses) return false;
    Diag *why = ARENA_NEW(parser->arena, Diag);
    diag_quote(parser->diag, parser->lexer.text, parser->lexer.length);
    *why = *parser->diag;
    function->refused = why;
    *parser->diag = (Diag){0};
    parser->refuses = false;
    parser->program->n_insns = function->first;
    while (body->n_scopes > 1) symbols_leave(&parser->symbols, body->scopes[--body->n_scopes].mark);
    body->scopes[0].fixups = NULL;
    body->need = (Need){0};
    parser->lexer = *inside;
    parser_advance(parser);
    return to_brace(parser);
}

/* Of a function that a module before this one has given as well, and that may be given again. */
static bool body_skip(Parser *parser) { return parser_expect(parser, '{') && to_brace(parser) && parser_expect(parser, '}'); }

static bool body_parse(Parser *parser, const Token *name, uint32_t index) {
    Program *program = parser->program;
    Body *body = &parser->body;
    uint32_t first = program->n_insns;
    *body = (Body){.function = index,
                   .is_entry = program->functions[index].is_entry,
                   .result_register = NO_INDEX,
                   .result_variable = NO_INDEX};
    parser->registers = NULL;
    program->functions[index].is_defined = true;
    program->functions[index].refused = NULL; /* a body that this one replaces may have been */
    program->functions[index].line = name->line;
    program->functions[index].first = first;
    if (!scope_enter(parser) || !formals_place(parser, name, index, true) || !formals_declare(parser, index)) return false;
    const Lexer inside = parser->lexer; /* its next token is the first behind '{' */
    if (!parser_expect(parser, '{')) return false;
    bool fine = true;
    while (fine && !(body->n_scopes == 1 && parser_at(parser, '}'))) fine = statement_parse(parser);
    if (!fine && !body_leave_out(parser, index, &inside)) return false;
    if (!body_finish(parser, first) || !scope_leave(parser)) return false;
    parser_advance(parser);
    Function *function = &program->functions[index];
    function->count = program->n_insns - first;
    function->need = body->need;
    function->frame_bytes = (body->frame_bytes + 15) / 16 * 16;
    function->n_registers = (uint32_t)body->n_registers;
    Register *registers = ARENA_ARRAY(parser->arena, Register, body->n_registers);
    if (body->n_registers) memcpy(registers, parser->registers, body->n_registers * sizeof *registers);
    function->registers = registers;
    body->function = NO_INDEX;
    contract_products(program, function);
    return true;
}

static void tuning_take(Function *function, const Function *tuning) {
    memcpy(function->max_threads, tuning->max_threads, sizeof tuning->max_threads);
    memcpy(function->required_threads, tuning->required_threads, sizeof tuning->required_threads);
    memcpy(function->cluster, tuning->cluster, sizeof tuning->cluster);
    function->explicit_cluster = tuning->explicit_cluster;
    function->max_cluster = tuning->max_cluster;
}

bool function_parse(Parser *parser, bool is_entry, const Linkage *linkage) {
    FormalList *signature = &parser->signature;
    Token name;
    Function tuning = {0};
    uint32_t index = 0;
    signature->has_result = false;
    bool managed;
    while (parser_accept_dot(parser, ".attribute"))
        if (!attribute_parse(parser, &managed)) return false;
    if (!is_entry && !result_parse(parser, signature)) return false;
    if (!parser_take_word(parser, "the function's name", &name) || !params_parse(parser, signature)) return false;
    if (!tuning_parse(parser, &tuning)) return false;
    if (!function_enter(parser, &name, is_entry, linkage, &index)) return false;
    Function *function = &parser->program->functions[index];
    const bool begins = parser_at(parser, '{');
    if (begins && !linkage_define(parser, &name, linkage)) return false;
    if (begins && function->is_defined && linkage->weak && parser->exports) return body_skip(parser);
    const bool replaces = function->is_weak && parser->exports;
    if (begins || !function->is_defined) {
        tuning_take(function, &tuning);
        function->is_weak = linkage->weak;
    }
    if (begins) {
        if (function->is_defined && !replaces)
            return parser_fail(parser, &name, "'%.*s' has a body already", TOKEN_TEXT(&name));
        return body_parse(parser, &name, index);
    }
    return (function->is_defined || formals_place(parser, &name, index, false)) && parser_expect(parser, ';');
}
