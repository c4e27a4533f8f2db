/* shapes.c: lines of mov, cvta, isspacep, loads, stores and atomics. */
#include <stdio.h>
#include <string.h>

#include "forms.h"
#include "ptx/opcode.h"

static const char *const names = "abcde";

static void source(Line *line, List list, char width) {
    line->lists[line->n_sources] = (uint8_t)list;
    line->source_width[line->n_sources++] = width;
}

static void result(Line *line, char width) { line->result_width[line->n_results++] = width; }

static unsigned bits_of(char width) { return width == 'h' ? 16 : width == 'r' ? 32 : 64; }

/* `{%ra,%rb}`, or `%ra` of one. */
static void registers(char *text, size_t bytes, char width, const char *of, unsigned count) {
    size_t length = (size_t)snprintf(text, bytes, count > 1 ? "{" : "");
    for (unsigned i = 0; i < count; i++)
        length += (size_t)snprintf(text + length, bytes - length, "%s%%%c%c", i ? "," : "", width, of[i]);
    if (count > 1) snprintf(text + length, bytes - length, "}");
}

/* Where a space's 32 bytes are, and the space in whose instructions they are filled and read. */
typedef struct Spot {
    const char *at, *space;
} Spot;

static Spot spot_of(const Candidate *candidate) {
    switch ((Space)candidate->insn.space) {
    case SPACE_SHARED: return (Spot){"%S", "shared"};
    case SPACE_LOCAL: return (Spot){"%L", "local"};
    case SPACE_CONST: return (Spot){"%C", NULL};
    case SPACE_PARAM: return (Spot){"pblock", NULL};
    default: return (Spot){"%G", "global"};
    }
}

/* -- memory */

static Line load_line(const Candidate *candidate, Spot spot, bool wider) {
    const Insn *insn = &candidate->insn;
    Line line = {.memory = true};
    char width = line_width((Type)insn->type), to[48];
    const unsigned count = insn->vec ? insn->vec : 1;
    if (wider) width = width == 'h' ? 'r' : 'q';
    if (candidate->groups >> GROUP_NC & 1) spot = (Spot){"%N", NULL};
    source(&line, LIST_I64, 'q');
    source(&line, LIST_I64, 'q');
    registers(to, sizeof to, width, line_result_names, count < 4 ? count : 4);
    for (unsigned i = 0; i < count && i < LINE_RESULTS; i++) result(&line, width);
    snprintf(line.text, sizeof line.text, "%s %s, [%s]", candidate->name, to, spot.at);
    if (spot.space)
        snprintf(line.before, sizeof line.before, "st.%s.v2.b64 [%s], {%%qa,%%qb}; st.%s.v2.b64 [%s+16], {%%qb,%%qa};",
                 spot.space, spot.at, spot.space, spot.at);
    return line;
}

static Line store_line(const Candidate *candidate, Spot spot, bool wider) {
    const Insn *insn = &candidate->insn;
    Line line = {.memory = true};
    char width = line_width((Type)insn->type), from[48];
    const unsigned count = insn->vec ? insn->vec : 1;
    if (wider) width = width == 'h' ? 'r' : 'q';
    for (unsigned i = 0; i < count && i < 4; i++) source(&line, line_list((Type)insn->type), width);
    registers(from, sizeof from, width, names, count < 4 ? count : 4);
    snprintf(line.text, sizeof line.text, "%s [%s], %s", candidate->name, spot.at, from);
    if (!spot.space) spot.space = "global";
    snprintf(line.before, sizeof line.before, "mov.b64 %%T, 0x1122334455667788; st.%s.v2.b64 [%s], {%%T,%%T};", spot.space,
             spot.at);
    snprintf(line.after, sizeof line.after, "ld.%s.v2.b64 {%%qy,%%qz}, [%s];", spot.space, spot.at);
    result(&line, 'q');
    result(&line, 'q');
    return line;
}

static Line atom_line(const Candidate *candidate, Spot spot) {
    const Insn *insn = &candidate->insn;
    const Type type = (Type)insn->type;
    const char width = line_width(type);
    const bool has_result = insn->op == OP_atom, two = insn->variant == ATOM_CAS;
    Line line = {.memory = true};
    char to[16] = "";
    for (int i = 0; i < 2 + two; i++) source(&line, line_list(type), width);
    if (has_result) snprintf(to, sizeof to, "%%%cy, ", width);
    size_t length = (size_t)snprintf(line.text, sizeof line.text, "%s %s[%s], %%%cb", candidate->name, to, spot.at, width);
    if (two) snprintf(line.text + length, sizeof line.text - length, ", %%%cc", width);
    if (!spot.space) spot.space = "global";
    snprintf(line.before, sizeof line.before, "st.%s.b%u [%s], %%%ca;", spot.space, bits_of(width), spot.at, width);
    snprintf(line.after, sizeof line.after, "ld.%s.b%u %%%c%c, [%s];", spot.space, bits_of(width), width,
             has_result ? 'z' : 'y', spot.at);
    result(&line, width);
    if (has_result) result(&line, width);
    return line;
}

static unsigned memory_lines(const Candidate *candidate, Line *lines) {
    const Insn *insn = &candidate->insn;
    unsigned count = 0;
    const bool is_atom = insn->op == OP_atom || insn->op == OP_red;
    const Spot spots[] = {spot_of(candidate), {"%GS", "shared"}, {"%GL", "local"}};
    if (is_atom) {
        for (int i = 0; i < (insn->space == SPACE_GENERIC ? 2 : 1); i++) {
            lines[count] = atom_line(candidate, spots[i]);
            if (i) { /* filled and read by the address in its own space */
                char *at;
                while ((at = strstr(lines[count].before, "%GS"))) memmove(at + 1, at + 2, strlen(at + 1));
                while ((at = strstr(lines[count].after, "%GS"))) memmove(at + 1, at + 2, strlen(at + 1));
            }
            count++;
        }
        return count;
    }
    for (int i = 0; i < (insn->space == SPACE_GENERIC ? 3 : 1); i++) {
        lines[count] = insn->op == OP_st ? store_line(candidate, spots[i], false) : load_line(candidate, spots[i], false);
        char *at;
        for (int k = 0; i && k < 2; k++)
            while ((at = strstr(k ? lines[count].after : lines[count].before, "%G"))) memmove(at + 1, at + 2, strlen(at + 1));
        count++;
    }
    if (line_width((Type)insn->type) != 'q' && type_kinds[insn->type] != KIND_FLOAT)
        lines[count++] = insn->op == OP_st ? store_line(candidate, spots[0], true) : load_line(candidate, spots[0], true);
    return count;
}

/* -- moves and addresses */

static Line mov_line(const Candidate *candidate, unsigned packed, bool unpacks) {
    const Type type = (Type)candidate->insn.type;
    const char width = line_width(type);
    Line line = {0};
    char parts[48];
    const unsigned part_bytes = packed ? type_bytes[type] / packed : 0;
    const char part = part_bytes == 4 ? 'r' : 'h';
    if (!packed) {
        source(&line, line_list(type), width);
        result(&line, width);
        snprintf(line.text, sizeof line.text, "%s %%%cy, %%%ca", candidate->name, width, width);
    } else if (unpacks) {
        source(&line, line_list(type), width);
        for (unsigned i = 0; i < packed; i++) result(&line, part);
        registers(parts, sizeof parts, part, line_result_names, packed);
        snprintf(line.text, sizeof line.text, "%s %s, %%%ca", candidate->name, parts, width);
    } else {
        for (unsigned i = 0; i < packed; i++) source(&line, part == 'r' ? LIST_I32 : LIST_I16, part);
        result(&line, width);
        registers(parts, sizeof parts, part, names, packed);
        snprintf(line.text, sizeof line.text, "%s %%%cy, %s", candidate->name, width, parts);
    }
    return line;
}

static unsigned mov_lines(const Candidate *candidate, Line *lines) {
    unsigned count = 0;
    lines[count++] = mov_line(candidate, 0, false);
    for (unsigned packed = 2; packed <= 4; packed += 2) {
        if (type_bytes[candidate->insn.type] / packed < 2) continue;
        lines[count++] = mov_line(candidate, packed, true);
        lines[count++] = mov_line(candidate, packed, false);
    }
    return count;
}

/* An address that is converted is read through. */
static Line cvta_line(const Candidate *candidate) {
    const Spot spot = spot_of(candidate);
    const bool to = candidate->insn.variant == CVTA_TO;
    const char *generic = spot.at[1] == 'S' ? "%GS" : spot.at[1] == 'L' ? "%GL" : spot.at;
    Line line = {.memory = true};
    source(&line, LIST_I64, 'q');
    result(&line, 'q');
    snprintf(line.text, sizeof line.text, "%s %%T, %s", candidate->name, to ? generic : spot.at);
    if (spot.space) snprintf(line.before, sizeof line.before, "st.%s.b64 [%s], %%qa;", spot.space, spot.at);
    snprintf(line.after, sizeof line.after, "ld%s%s.b64 %%qy, [%%T];", to ? "." : "",
             !to          ? ""
             : spot.space ? spot.space
                          : "const");
    return line;
}

static unsigned isspacep_lines(const Candidate *candidate, Line *lines) {
    static const char *const of[] = {"%G", "%GS", "%GL", "%S", "%L", "%qa"};
    for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
        Line *line = &lines[i];
        *line = (Line){.memory = true};
        source(line, LIST_I64, 'q');
        result(line, 'p');
        snprintf(line->text, sizeof line->text, "%s %%py, %s", candidate->name, of[i]);
    }
    return sizeof of / sizeof *of - 1;
}

unsigned shape_lines(const Candidate *candidate, Line lines[LINE_VARIANTS]) {
    switch ((Opcode)candidate->insn.op) {
    case OP_mov: return mov_lines(candidate, lines);
    case OP_cvta: lines[0] = cvta_line(candidate); return 1;
    case OP_isspacep: return isspacep_lines(candidate, lines);
    default: return memory_lines(candidate, lines);
    }
}
