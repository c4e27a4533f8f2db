#include "class/teacher.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <yaml.h>

enum { TEACHER_BYTES = 16 << 20, MOST_DRAWS = 100, MOST_LABS = 100, MOST_BRACKETS = 1000 };

typedef struct YamlReader {
    yaml_document_t document;
    const char *text, *path;
    size_t length;
    const Catalogue *catalogue;
    Teacher *teacher;
    Diag *diag;
} YamlReader;

static bool wrong_at(YamlReader *reader, yaml_mark_t mark, const char *message, const char *what) {
    diag_error(reader->diag, reader->path, (unsigned)mark.line + 1, (unsigned)mark.column + 1, "%s%.100s", message, what);
    diag_quote(reader->diag, reader->text, reader->length);
    return false;
}

static bool wrong(YamlReader *reader, const yaml_node_t *node, const char *message, const char *what) {
    return wrong_at(reader, node->start_mark, message, what);
}

static yaml_node_t *node_of(YamlReader *reader, int index) { return yaml_document_get_node(&reader->document, index); }

/* The text of a scalar without a NUL in it, or NULL with a message. */
static const char *text_of(YamlReader *reader, const yaml_node_t *node, const char *what) {
    const char *value = (const char *)node->data.scalar.value;
    if (node->type != YAML_SCALAR_NODE)
        wrong(reader, node, "a list or a mapping, where there should be ", what);
    else if (strlen(value) != node->data.scalar.length)
        wrong(reader, node, "a NUL byte in ", what);
    else if (!*value)
        wrong(reader, node, "nothing stands where there should be ", what);
    else
        return arena_copy(reader->teacher->arena, value, strlen(value));
    return NULL;
}

static bool number_of(YamlReader *reader, const yaml_node_t *node, const char *what, double least, double most,
                      double *number) {
    char *end, range[64];
    const char *text = text_of(reader, node, what);
    if (!text) return false;
    *number = strtod(text, &end);
    if (end != text && !*end && *number >= least && *number <= most) return true;
    wrong(reader, node, text, " is no number that may stand here");
    snprintf(range, sizeof range, "%s: from %g to %g", what, least, most);
    return diag_hint(reader->diag, "%s", range);
}

/* --- mappings --------------------------------------------------------------------------------------------------------------- */

typedef bool ReadKey(YamlReader *reader, yaml_node_t *value, void *into);

typedef struct KnownKey {
    const char *name;
    ReadKey *read; /* NULL: a number */
    bool needed;
    double least, most;
    size_t at; /* the number's place, in bytes */
} KnownKey;

enum { KEYS = 8 };

static void list_keys(const KnownKey *keys, char *text, size_t size) {
    size_t at = 0;
    for (int k = 0; k < KEYS && keys[k].name; k++)
        at += (size_t)snprintf(text + at, size - at, "%s%s", k ? ", " : "", keys[k].name);
}

static bool read_value(YamlReader *reader, yaml_node_t *value, const KnownKey *key, void *into) {
    if (key->read) return key->read(reader, value, into);
    void *number = (char *)into + key->at;
    return number_of(reader, value, key->name, key->least, key->most, number);
}

static bool read_mapping(YamlReader *reader, const yaml_node_t *node, const KnownKey *keys, const char *what, void *into) {
    bool seen[KEYS] = {0};
    char known[200];
    if (node->type != YAML_MAPPING_NODE) return wrong(reader, node, "no mapping (key: value) of ", what);
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = node_of(reader, pair->key);
        const char *name = text_of(reader, key, "a key");
        int k = 0;
        if (!name) return false;
        while (k < KEYS && keys[k].name && strcmp(keys[k].name, name) != 0) k++;
        if (k == KEYS || !keys[k].name) {
            list_keys(keys, known, sizeof known);
            wrong(reader, key, "there is no key ", name);
            return diag_hint(reader->diag, "in %s there are %s", what, known);
        }
        if (seen[k]) return wrong(reader, key, "for the second time: ", name);
        seen[k] = true;
        if (!read_value(reader, node_of(reader, pair->value), &keys[k], into)) return false;
    }
    for (int k = 0; k < KEYS && keys[k].name; k++)
        if (keys[k].needed && !seen[k]) return wrong(reader, node, "what is missing here is ", keys[k].name);
    return true;
}

/* Elements of a list, each of element_bytes, read one by one. */
static void *read_list(YamlReader *reader, const yaml_node_t *node, const char *what, size_t element_bytes, ReadKey *read,
                       size_t *count) {
    size_t room = 0;
    if (node->type == YAML_SEQUENCE_NODE) room = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    if (!room || room > MOST_LABS) {
        wrong(reader, node, "no list (- …) of ", what);
        return NULL;
    }
    char *elements = arena_alloc(reader->teacher->arena, room * element_bytes);
    for (*count = 0; *count < room; (*count)++)
        if (!read(reader, node_of(reader, node->data.sequence.items.start[*count]), elements + *count * element_bytes))
            return NULL;
    return elements;
}

/* --- a lab ------------------------------------------------------------------------------------------------------------------ */

static const CatalogueEntry *lab_named(YamlReader *reader, const yaml_node_t *node) {
    Diag unknown = {0};
    const char *name = text_of(reader, node, "a lab");
    const CatalogueEntry *lab = name ? catalogue_find(reader->catalogue, name, &unknown) : NULL;
    if (name && !lab) wrong(reader, node, "", unknown.message);
    return lab;
}

static bool read_lab_name(YamlReader *reader, yaml_node_t *value, void *into) {
    TeacherLab *lab = into;
    lab->lab = lab_named(reader, value);
    return lab->lab;
}

static bool read_folder(YamlReader *reader, yaml_node_t *value, void *into) {
    TeacherLab *lab = into;
    lab->folder = text_of(reader, value, "a folder");
    if (!lab->folder) return false;
    if (*lab->folder == '/' || strstr(lab->folder, ".."))
        return wrong(reader, value, "a folder beneath DIR, unlike ", lab->folder);
    return true;
}

static bool read_draws(YamlReader *reader, yaml_node_t *value, void *into) {
    double draws;
    if (!number_of(reader, value, "draws", 1, MOST_DRAWS, &draws)) return false;
    ((TeacherLab *)into)->draws = (unsigned)draws;
    return draws == floor(draws) || wrong(reader, value, "draws: a whole number", "");
}

/* 2026-11-20 23:59 +01:00. Without a zone it would be another moment on another computer. */
static bool read_deadline(YamlReader *reader, yaml_node_t *value, void *into) {
    struct tm day = {0};
    char between, sign = '+';
    int length = 0, hours = 0, minutes = 0;
    const char *text = text_of(reader, value, "a deadline");
    if (!text) return false;
    int read = sscanf(text, "%4d-%2d-%2d%c%2d:%2d%n", &day.tm_year, &day.tm_mon, &day.tm_mday, &between, &day.tm_hour,
                      &day.tm_min, &length);
    const char *zone = text + length + strspn(text + length, " ");
    bool good = read == 6 && (between == ' ' || between == 'T') && day.tm_mon >= 1 && day.tm_mon <= 12 && day.tm_mday >= 1 &&
                day.tm_mday <= 31 && day.tm_hour <= 24 && day.tm_min <= 59 && day.tm_year >= 1970;
    length = 0;
    if (good && strcmp(zone, "Z") != 0)
        good = sscanf(zone, "%c%2d:%2d%n", &sign, &hours, &minutes, &length) == 3 && !zone[length] && strchr("+-", sign) &&
               hours <= 14 && hours >= 0 && minutes >= 0 && minutes <= 59;
    if (!good) {
        wrong(reader, value, "no deadline: ", text);
        return diag_hint(reader->diag, "write it so, with its zone: 2026-11-20 23:59 +01:00");
    }
    day.tm_year -= 1900, day.tm_mon -= 1;
    ((TeacherLab *)into)->deadline = (int64_t)timegm(&day) - (sign == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
    return true;
}

/* A figure and what it is worth, before the lab is known. */
typedef struct FigureText {
    const yaml_node_t *node;
    const char *name;
    TeacherFigure figure;
} FigureText;

static bool read_figure_name(YamlReader *reader, yaml_node_t *value, void *into) {
    FigureText *text = into;
    text->node = value;
    text->name = text_of(reader, value, "a figure");
    return text->name;
}

static bool read_figure(YamlReader *reader, yaml_node_t *value, void *into) {
    static const KnownKey keys[KEYS] = {
        {.name = "figure", .read = read_figure_name, .needed = true},
        {.name = "none", .needed = true, .least = -1e9, .most = 1e9, .at = offsetof(FigureText, figure.none)},
        {.name = "full", .needed = true, .least = -1e9, .most = 1e9, .at = offsetof(FigureText, figure.full)},
        {.name = "points", .needed = true, .most = 1e6, .at = offsetof(FigureText, figure.points)}};
    FigureText *text = into;
    return read_mapping(reader, value, keys, "a figure", text) &&
           (text->figure.full > text->figure.none || wrong(reader, value, "full points must be for more than none", ""));
}

/* The figure of that name, or false with those there are. */
static bool find_figure(YamlReader *reader, const Goals *goals, const char *name, const yaml_node_t *node, uint32_t *found) {
    char known[200] = "";
    size_t at = 0;
    for (uint32_t i = 0; i < goals->n_goals; i++) {
        if (goals->goals[i].kind != GOAL_FIGURE) continue;
        *found = i;
        if (strcmp(goals->goals[i].name, name) == 0) return true;
        if (at < sizeof known)
            at += (size_t)snprintf(known + at, sizeof known - at, "%s%s", at ? ", " : "", goals->goals[i].name);
    }
    wrong(reader, node, "the lab has no figure ", name);
    return *known ? diag_hint(reader->diag, "it has %s", known) : diag_hint(reader->diag, "it has none");
}

/* Read behind all else, as the lab may come later. */
static bool read_figures(YamlReader *reader, yaml_node_t *value, void *into) {
    (void)into;
    return value->type == YAML_SEQUENCE_NODE || wrong(reader, value, "no list (- …) of figures", "");
}

static const KnownKey lab_keys[KEYS] = {{.name = "lab", .read = read_lab_name, .needed = true},
                                        {.name = "folder", .read = read_folder},
                                        {.name = "weight", .most = 1000, .at = offsetof(TeacherLab, weight)},
                                        {.name = "deadline", .read = read_deadline},
                                        {.name = "late", .most = 100, .at = offsetof(TeacherLab, late)},
                                        {.name = "draws", .read = read_draws},
                                        {.name = "figures", .read = read_figures}};

static yaml_node_t *value_of(YamlReader *reader, const yaml_node_t *mapping, const char *name) {
    for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start; pair < mapping->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = node_of(reader, pair->key);
        if (key->type == YAML_SCALAR_NODE && strcmp((const char *)key->data.scalar.value, name) == 0)
            return node_of(reader, pair->value);
    }
    return NULL;
}

static bool read_lab(YamlReader *reader, yaml_node_t *value, void *into) {
    TeacherLab *lab = into;
    *lab = (TeacherLab){.weight = 1, .draws = 1};
    if (!read_mapping(reader, value, lab_keys, "a lab", lab)) return false;
    if (!lab->folder) lab->folder = lab->lab->goals->number;
    if (lab->late > 0 && !lab->deadline) return wrong(reader, value, "late is of no use without a deadline", "");
    yaml_node_t *figures = value_of(reader, value, "figures");
    if (!figures) return true;
    FigureText *texts = read_list(reader, figures, "figures", sizeof *texts, read_figure, &lab->n_figures);
    if (!texts) return false;
    lab->figures = ARENA_ARRAY(reader->teacher->arena, TeacherFigure, lab->n_figures);
    for (size_t i = 0; i < lab->n_figures; i++) {
        lab->figures[i] = texts[i].figure;
        if (!find_figure(reader, lab->lab->goals, texts[i].name, texts[i].node, &lab->figures[i].goal)) return false;
    }
    return true;
}

/* --- the file --------------------------------------------------------------------------------------------------------------- */

static bool read_title(YamlReader *reader, yaml_node_t *value, void *into) {
    (void)into;
    reader->teacher->title = text_of(reader, value, "a title");
    return reader->teacher->title;
}

static bool read_secret(YamlReader *reader, yaml_node_t *value, void *into) {
    (void)into;
    LOCAL_TEXT path = {0};
    const char *name = text_of(reader, value, "a file"), *slash = strrchr(reader->path, '/');
    if (!name) return false;
    if (*name != '/' && slash) text_add_bytes(&path, reader->path, (size_t)(slash + 1 - reader->path));
    text_add(&path, "%s", name);
    reader->teacher->secret = arena_copy(reader->teacher->arena, path.data, path.length);
    return true;
}

static bool read_variants(YamlReader *reader, yaml_node_t *value, void *into) {
    (void)into;
    reader->teacher->course = text_of(reader, value, "a word");
    return reader->teacher->course;
}

static bool read_labs(YamlReader *reader, yaml_node_t *value, void *into) {
    (void)into;
    Teacher *teacher = reader->teacher;
    teacher->labs = read_list(reader, value, "labs", sizeof *teacher->labs, read_lab, &teacher->n_labs);
    for (size_t i = 0; teacher->labs && i < teacher->n_labs; i++)
        for (size_t j = 0; j < i; j++)
            if (teacher->labs[i].lab == teacher->labs[j].lab)
                return wrong(reader, node_of(reader, value->data.sequence.items.start[i]), "for the second time: lab ",
                             teacher->labs[i].lab->goals->number);
    return teacher->labs;
}

static bool read_board(YamlReader *reader, yaml_node_t *value, void *into) {
    (void)into;
    return value->type == YAML_MAPPING_NODE || wrong(reader, value, "no mapping (key: value) of a leaderboard", "");
}

static bool board_lab(YamlReader *reader, yaml_node_t *value, void *into) {
    const CatalogueEntry *lab = lab_named(reader, value);
    for (size_t i = 0; lab && i < reader->teacher->n_labs; i++)
        if (reader->teacher->labs[i].lab == lab) reader->teacher->board = &reader->teacher->labs[i];
    (void)into;
    return reader->teacher->board || (lab && wrong(reader, value, "this course does not have lab ", lab->goals->number));
}

static bool board_figure(YamlReader *reader, yaml_node_t *value, void *into) {
    *(const char **)into = text_of(reader, value, "a figure");
    return *(const char **)into;
}

static bool board_names(YamlReader *reader, yaml_node_t *value, void *into) {
    Teacher *teacher = reader->teacher;
    (void)into;
    if (value->type != YAML_MAPPING_NODE) return wrong(reader, value, "no mapping of names (student: name)", "");
    size_t room = (size_t)(value->data.mapping.pairs.top - value->data.mapping.pairs.start);
    teacher->aliases = ARENA_ARRAY(teacher->arena, ChosenName, room + 1);
    for (size_t i = 0; i < room; i++) {
        yaml_node_pair_t *pair = value->data.mapping.pairs.start + i;
        ChosenName *alias = &teacher->aliases[teacher->n_aliases++];
        alias->student = text_of(reader, node_of(reader, pair->key), "a student");
        alias->name = alias->student ? text_of(reader, node_of(reader, pair->value), "a name") : NULL;
        if (!alias->name) return false;
    }
    return true;
}

static bool finish_board(YamlReader *reader, const yaml_node_t *root) {
    static const KnownKey keys[KEYS] = {{.name = "lab", .read = board_lab, .needed = true},
                                        {.name = "figure", .read = board_figure, .needed = true},
                                        {.name = "names", .read = board_names, .needed = true}};
    const char *figure = NULL;
    yaml_node_t *board = value_of(reader, root, "leaderboard");
    if (!board) return true;
    return read_mapping(reader, board, keys, "a leaderboard", &figure) &&
           find_figure(reader, reader->teacher->board->lab->goals, figure, value_of(reader, board, "figure"),
                       &reader->teacher->board_goal);
}

static bool read_root(YamlReader *reader) {
    static const KnownKey keys[KEYS] = {{.name = "title", .read = read_title},
                                        {.name = "secret", .read = read_secret},
                                        {.name = "variants", .read = read_variants},
                                        {.name = "labs", .read = read_labs, .needed = true},
                                        {.name = "leaderboard", .read = read_board}};
    yaml_node_t *root = yaml_document_get_root_node(&reader->document);
    if (!root) {
        diag_error(reader->diag, reader->path, 1, 1, "the file is empty");
        return diag_hint(reader->diag, "labs: and beneath it   - lab: 05   are enough");
    }
    return read_mapping(reader, root, keys, "a course", NULL) && finish_board(reader, root);
}

/* libyaml takes time by the square of how deep brackets stand within each other, for minutes: whether they stand as a person writes them. Those in texts
 * count as well. */
static bool is_shallow(YamlReader *reader) {
    yaml_mark_t mark = {0};
    size_t depth = 0;
    for (size_t i = 0; i < reader->length; i++, mark.column++) {
        const char sign = reader->text[i];
        if (sign == '\n') mark = (yaml_mark_t){.line = mark.line + 1, .column = (size_t)-1};
        if ((sign == '[' || sign == '{') && ++depth > MOST_BRACKETS)
            return wrong_at(reader, mark, "brackets stand too deeply within each other", "");
        if ((sign == ']' || sign == '}') && depth) depth--;
    }
    return true;
}

bool teacher_parse(Teacher *teacher, const Catalogue *catalogue, const char *text, size_t length, const char *path,
                   Diag *diag) {
    yaml_parser_t parser;
    *teacher = (Teacher){.arena = arena_new(), .title = ""};
    YamlReader reader = {
        .text = text, .path = path, .length = length, .catalogue = catalogue, .teacher = teacher, .diag = diag};
    if (!is_shallow(&reader)) return false;
    if (!yaml_parser_initialize(&parser)) return diag_say(diag, "no memory for the teacher's file");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    bool good = yaml_parser_load(&parser, &reader.document);
    if (good) {
        good = read_root(&reader);
        yaml_document_delete(&reader.document);
    }
    /* What stands behind it: nothing, which has no root. */
    if (good && yaml_parser_load(&parser, &reader.document)) {
        yaml_node_t *more = yaml_document_get_root_node(&reader.document);
        good = !more || wrong(&reader, more, "a second document: the file has one", "");
        yaml_document_delete(&reader.document);
    }
    if (parser.error != YAML_NO_ERROR) {
        wrong_at(&reader, parser.problem_mark, "this is no YAML: ", parser.problem ? parser.problem : "");
        good = false;
    }
    yaml_parser_delete(&parser);
    return good;
}

bool teacher_read(Teacher *teacher, const Catalogue *catalogue, const char *path, Diag *diag) {
    size_t length = 0;
    FREED char *text = text_read_file(path, TEACHER_BYTES, &length);
    *teacher = (Teacher){0};
    return text ? teacher_parse(teacher, catalogue, text, length, path, diag)
                : diag_error(diag, path, 0, 0, "%s", text_file_problem(errno));
}

void teacher_free(Teacher *teacher) {
    if (teacher->arena) arena_free(teacher->arena);
    *teacher = (Teacher){0};
}
