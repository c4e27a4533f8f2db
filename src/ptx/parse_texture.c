/* Textures and surfaces: instructions whose address is an object and coordinates, `[t, {x, y}]`. */
#include "ptx/opcode.h"
#include "ptx/parser.h"

enum { TEXTURE_COMPONENTS = 4 };

/* Coordinates as written: those of three stand in four registers. */
static unsigned coordinates_written(uint8_t geometry) {
    const unsigned count = geometry_dimensions(geometry) + geometry_layered(geometry);
    return count == 3 ? 4 : count;
}

/* `{l, x, y, z}`, or alone where there is one. */
static bool coordinates(Reading *reading, Type type) {
    Parser *parser = reading->parser;
    const uint8_t geometry = reading->insn.geometry;
    const unsigned wanted = coordinates_written(geometry);
    if (wanted == 1 && !parser_at(parser, '{')) return operand_source(reading, type, 0);
    if (!parser_expect(parser, '{')) return false;
    for (unsigned i = 0; i < wanted; i++) {
        const bool layer = geometry_layered(geometry) && i == 0;
        if ((i && !parser_expect(parser, ',')) || !operand_source(reading, layer ? TYPE_b32 : type, 0)) return false;
    }
    if (wanted == 4) reading->n_operands--;
    return parser_expect(parser, '}');
}

/* `[t, coordinates]`; type: of these, NONE where there are none. */
static bool object(Reading *reading, Type type) {
    Parser *parser = reading->parser;
    if (!parser_expect(parser, '[') || !operand_source(reading, TYPE_u64, 0)) return false;
    if (type == TYPE_none) return parser_expect(parser, ']');
    if (!parser_expect(parser, ',')) return false;
    if (!parser_at(parser, '{') && coordinates_written(reading->insn.geometry) > 1)
        return parser_refuse(parser, &parser->token, "a sampler of its own is not emulated: a texture object has one");
    return coordinates(reading, type) && parser_expect(parser, ']');
}

static bool elements(Reading *reading, unsigned wanted, bool destination) {
    Parser *parser = reading->parser;
    const Token at = parser->token;
    const Type type = (Type)reading->insn.type;
    const unsigned rules = RULE_WIDER | (destination ? RULE_SINK : 0);
    unsigned count = 1;
    if (wanted == 1 && !parser_at(parser, '{'))
        return destination ? operand_destination(reading, type, rules) : operand_source(reading, type, rules);
    if (!operand_vector(reading, type, rules, destination, &count)) return false;
    return count == wanted || parser_fail(parser, &at, "%u registers are expected here, not %u", wanted, count);
}

/* Of one level nothing is chosen by these: they are read, as registers that must be defined. */
static bool lod(Reading *reading) {
    Parser *parser = reading->parser;
    const unsigned dimensions = geometry_dimensions(reading->insn.geometry);
    if (reading->insn.variant == TEX_LEVEL)
        return parser_expect(parser, ',') && operand_source(reading, (Type)reading->insn.type2, 0);
    for (unsigned of = 0; reading->insn.variant == TEX_GRAD && of < 2; of++) {
        unsigned count = 1;
        if (!parser_expect(parser, ',')) return false;
        const bool alone = dimensions == 1 && !parser_at(parser, '{');
        if (!(alone ? operand_source(reading, TYPE_f32, 0) : operand_vector(reading, TYPE_f32, 0, false, &count))) return false;
        if (count != (dimensions == 3 ? 4 : dimensions))
            return parser_fail_here(parser, "a gradient has a number for each coordinate");
    }
    return true;
}

bool special_texture(Reading *reading) {
    Insn *insn = &reading->insn;
    Parser *parser = reading->parser;
    if (reading->value[GROUP_VECTOR] != TEXTURE_COMPONENTS)
        return parser_fail(parser, &reading->opcode, "'%.*s' gives four results: .v4", TOKEN_TEXT(&reading->opcode));
    if (insn->op == OP_tld4 && insn->geometry != GEOMETRY_2D)
        return parser_refuse(parser, &reading->opcode, "'tld4' is emulated with .2d alone");
    if (insn->op == OP_tex && !reading_has(reading, GROUP_LOD)) insn->variant = TEX_BASE;
    insn->vec = insn->n_dst = TEXTURE_COMPONENTS;
    insn->space = SPACE_GLOBAL;
    insn->policy = POLICY_NC;
    if (!elements(reading, TEXTURE_COMPONENTS, true)) return false;
    if (parser_at(parser, '|'))
        return parser_refuse(parser, &parser->token,
                             "whether a texel is resident is not emulated: there are no sparse textures");
    if (!parser_expect(parser, ',') || !object(reading, (Type)insn->type2) || !lod(reading)) return false;
    return !parser_at(parser, ',') ||
           parser_refuse(parser, &parser->token, "offsets and depths to compare with are not emulated here");
}

bool special_surface(Reading *reading) {
    Insn *insn = &reading->insn;
    Parser *parser = reading->parser;
    const bool loads = insn->op == OP_suld;
    if (reading->value[GROUP_FORMAT])
        return parser_refuse(parser, &reading->opcode, "'%.*s.p' is not emulated: only .b, which converts nothing, is",
                             TOKEN_TEXT(&reading->opcode));
    insn->vec = reading_has(reading, GROUP_VECTOR) ? reading->value[GROUP_VECTOR] : 1;
    if (insn->vec * type_bytes[insn->type] > 16)
        return parser_fail(parser, &reading->opcode, "a vector has at most 16 bytes here");
    insn->n_dst = loads ? insn->vec : 0;
    insn->space = SPACE_GLOBAL;
    if (loads && (!elements(reading, insn->vec, true) || !parser_expect(parser, ','))) return false;
    if (!object(reading, TYPE_s32)) return false;
    return loads || (parser_expect(parser, ',') && elements(reading, insn->vec, false));
}

bool special_query(Reading *reading) {
    reading->insn.n_dst = reading->insn.vec = 1;
    return operand_destination(reading, TYPE_b32, 0) && parser_expect(reading->parser, ',') && object(reading, TYPE_none);
}
