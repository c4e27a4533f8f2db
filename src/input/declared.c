#define _GNU_SOURCE /* memmem */
#include "input/declared.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static uint32_t line_at(const char *text, const char *at) {
    uint32_t line = 1;
    for (; text < at; text++) line += *text == '\n';
    return line;
}

/* Texts come from anybody: no declaration is longer than this, and of a name no more places are looked at. */
enum { HEAD_BYTES = 1000, PLACES_MOST = 1000 };

/* Whether `mark` stands between the end of the statement or body before and the word. */
static bool is_headed_by(const char *text, const char *word, const char *mark) {
    size_t length = strlen(mark);
    for (const char *at = word; word - at < HEAD_BYTES; at--) {
        if (strncmp(at, mark, length) == 0) return true;
        if (at == text || strchr(";{}", at[-1])) return false;
    }
    return false;
}

static const char *find(const char *text, const char *name, const char *mark) {
    size_t length = strlen(name);
    int places = 0;
    for (const char *at = text; length && places < PLACES_MOST && (at = strstr(at, name)); at += length) {
        bool is_whole = (at == text || !text_is_word(at[-1])) && !text_is_word(at[length]);
        if (is_whole && is_headed_by(text, at, mark)) return at;
        places += is_whole;
    }
    return NULL;
}

uint32_t declared_line(const char *text, const char *name, const char *mark) {
    const char *at = find(text, name, mark);
    return at ? line_at(text, at) : 0;
}

uint32_t declared_prediction(const char *text, const char *metric) {
    const char *name = strncmp(metric, "right.", 6) == 0 ? metric + 6 : "";
    size_t length = strlen(name);
    for (const char *at = text; length && (at = strstr(at, "\nPREDICT")); at++) {
        const char *row = at + 1 + strcspn(at + 1, "(\n");
        if (*row == '(' && strncmp(row + 1, name, length) == 0 && row[1 + length] == ',') return line_at(text, at + 1);
    }
    return declared_line(text, name, "__constant__");
}

/* The first number with a fraction before the row's end. */
static bool find_fraction(const char *at, char number[DECLARED_NUMBER]) {
    for (const char *before = at; *at && *at != '\n' && strncmp(at, "//", 2) != 0; before = at++) {
        if (text_is_word(*before) || (!isdigit((unsigned char)*at) && *at != '.')) continue;
        char *behind;
        double value = strtod(at, &behind);
        if (behind == at) continue;
        snprintf(number, DECLARED_NUMBER, "%.*s", (int)(behind - at), at);
        if (fmod(value, 1) != 0) return true;
        at = behind - 1;
    }
    return false;
}

uint32_t declared_fraction(const char *text, const char *constant, char number[DECLARED_NUMBER]) {
    size_t length = strlen(constant);
    for (const char *at = text; (at = strstr(at, "\nPREDICT")); at++) {
        const char *row = at + 1 + strcspn(at + 1, "(\n"), *kernel = row + (*row == '(');
        size_t named = strcspn(kernel, ",\n");
        bool is_its = kernel[named] == ',' && named < length && constant[length - named - 1] == '_' &&
                      strncmp(constant + length - named, kernel, named) == 0;
        if (is_its && find_fraction(kernel + named, number)) return line_at(text, at + 1);
    }
    return 0;
}

/* Behind the comment, string or character that begins here; else the next character. */
static const char *skip(const char *at) {
    const char *end = NULL;
    if (strncmp(at, "//", 2) == 0) return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0) return (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
    if (*at != '"' && *at != '\'') return at + 1;
    for (end = at + 1; *end && *end != *at && *end != '\n'; end++) end += *end == '\\' && end[1];
    return end + (*end == *at);
}

const char *declared_kernel(const char *text, const char *name, size_t *length) {
    const char *start = find(text, name, "__global__"), *at = start;
    int depth = 0;
    while (at && *at) {
        depth += (*at == '{') - (*at == '}');
        bool ends = *at == '}' && depth <= 0;
        at = skip(at);
        if (ends) break;
    }
    *length = start ? (size_t)(at - start) : 0;
    return start;
}

/* Behind the parameter that begins here: at its comma or at the bracket that ends them all. */
static const char *parameter_end(const char *at) {
    for (int depth = 0; *at; at = skip(at)) {
        if (depth == 0 && (*at == ',' || *at == ')')) break;
        depth += (strchr("([{<", *at) != NULL) - (strchr(")]}>", *at) != NULL);
    }
    return at;
}

bool declared_parameter(const char *text, const char *kernel, size_t index, char *name, size_t bytes) {
    const char *at = find(text, kernel, "__global__"), *word = NULL;
    at = at ? strchr(at, '(') : NULL;
    for (size_t i = 0; at && i < index; i++) {
        at = parameter_end(at + 1);
        if (*at != ',') return false;
    }
    if (!at) return false;
    /* The last word in front of a default value or the brackets of an array. */
    const char *end = parameter_end(at + 1), *stop = at + 1 + strcspn(at + 1, "=[");
    size_t length = 0;
    for (at++; at < end && at < stop; at = skip(at)) {
        if (!text_is_word(*at)) continue;
        word = at;
        while (text_is_word(*at)) at++;
        length = (size_t)(at-- - word);
    }
    if (!word || length >= bytes) return false;
    memcpy(name, word, length);
    name[length] = 0;
    return true;
}

/* --- integers ------------------------------------------------------------------------------------------------------------- */

enum { NESTING_MOST = 40, NAMES_MOST = 100 };

typedef struct IntegerReader {
    const char *text, *at, *end;
    int depth;
    int *names; /* that may still be looked up */
    bool good;
} IntegerReader;

static int64_t read_sum(IntegerReader *reader);
static bool find_integer(const char *text, const char *name, int depth, int *names, int64_t *value, const char **where);

static void skip_blanks(IntegerReader *reader) {
    while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\t')) reader->at++;
}

static bool accept(IntegerReader *reader, const char *word) {
    size_t length = strlen(word);
    skip_blanks(reader);
    if ((size_t)(reader->end - reader->at) < length || strncmp(reader->at, word, length) != 0) return false;
    reader->at += length;
    return true;
}

static int64_t read_name(IntegerReader *reader) {
    char name[64];
    size_t length = 0;
    const char *where;
    int64_t value = 0;
    for (; reader->at < reader->end && text_is_word(*reader->at); reader->at++)
        if (length < sizeof name - 1) name[length++] = *reader->at;
    name[length] = 0;
    reader->good = reader->good && find_integer(reader->text, name, reader->depth + 1, reader->names, &value, &where);
    return value;
}

static int64_t read_factor(IntegerReader *reader) {
    int64_t value = 0;
    if (++reader->depth > NESTING_MOST) reader->good = false;
    if (!reader->good) return 0;
    if (accept(reader, "(")) {
        value = read_sum(reader);
        reader->good = reader->good && accept(reader, ")");
    } else if (accept(reader, "-")) {
        value = -read_factor(reader);
    } else if (reader->at < reader->end && isdigit((unsigned char)*reader->at)) {
        char *behind;
        value = (int64_t)(strtoull(reader->at, &behind, 0) & INT32_MAX);
        for (reader->at = behind; reader->at < reader->end && strchr("uUlL", *reader->at); reader->at++) {}
    } else if (reader->at < reader->end && text_is_word(*reader->at)) {
        value = read_name(reader);
    } else {
        reader->good = false;
    }
    reader->depth--;
    return value;
}

/* What does not fit into 32 bits is no size. */
static int64_t fitting(IntegerReader *reader, int64_t value) {
    if (value > INT32_MAX || value < INT32_MIN) reader->good = false;
    return reader->good ? value : 0;
}

static int64_t read_product(IntegerReader *reader) {
    int64_t value = read_factor(reader);
    while (reader->good) {
        bool times = accept(reader, "*"), divides = !times && accept(reader, "/"),
             rest = !times && !divides && accept(reader, "%");
        if (!times && !divides && !rest) break;
        int64_t by = read_factor(reader);
        if (!times && by == 0) reader->good = false;
        if (!reader->good) break;
        value = fitting(reader, times ? value * by : divides ? value / by : value % by);
    }
    return value;
}

static int64_t read_terms(IntegerReader *reader) {
    int64_t value = read_product(reader);
    while (reader->good) {
        bool plus = accept(reader, "+"), minus = !plus && accept(reader, "-");
        if (!plus && !minus) break;
        int64_t by = read_product(reader);
        value = fitting(reader, plus ? value + by : value - by);
    }
    return value;
}

static int64_t read_sum(IntegerReader *reader) {
    int64_t value = read_terms(reader);
    while (reader->good) {
        bool up = accept(reader, "<<"), down = !up && accept(reader, ">>");
        if (!up && !down) break;
        int64_t by = read_terms(reader);
        if (by < 0 || by > 31) reader->good = false;
        if (reader->good) value = fitting(reader, up ? value * (INT64_C(1) << by) : value >> by);
    }
    return value;
}

/* The expression from here to its end: false unless all of it is understood. */
static bool read_integer(const char *text, const char *at, const char *end, int depth, int *names, int64_t *value) {
    IntegerReader reader = {.text = text, .at = at, .end = end, .depth = depth, .names = names, .good = true};
    *value = read_sum(&reader);
    skip_blanks(&reader);
    return reader.good && reader.at == reader.end;
}

/* Behind what belongs to the initialiser or dimension that begins here. */
static const char *expression_end(const char *at) {
    for (int depth = 0; *at && *at != '\n' && !strchr(";{}", *at); at++) {
        if (depth == 0 && strchr(",])", *at)) break;
        if (strncmp(at, "//", 2) == 0 || strncmp(at, "/*", 2) == 0) break;
        depth += (*at == '(') - (*at == ')');
    }
    return at;
}

static bool find_defined(const char *text, const char *name, int depth, int *names, int64_t *value, const char **where) {
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, "#define ")); at++) {
        const char *word = at + 8 + strspn(at + 8, " \t");
        if (strncmp(word, name, length) != 0 || (word[length] != ' ' && word[length] != '\t')) continue;
        *where = word;
        return read_integer(text, word + length, expression_end(word + length), depth, names, value);
    }
    return false;
}

static bool find_integer(const char *text, const char *name, int depth, int *names, int64_t *value, const char **where) {
    if (depth > NESTING_MOST || --*names < 0) return false;
    if (find_defined(text, name, depth, names, value, where)) return true;
    static const char *const marks[] = {"constexpr ", "const "};
    for (int i = 0; i < 2; i++) {
        const char *at = find(text, name, marks[i]);
        if (!at) continue;
        *where = at;
        at += strlen(name);
        at += strspn(at, " \t");
        if (*at == '=' && at[1] != '=') return read_integer(text, at + 1, expression_end(at + 1), depth, names, value);
    }
    return false;
}

bool declared_integer(const char *text, const char *name, int64_t *value, uint32_t *line) {
    const char *where = text;
    int names = NAMES_MOST;
    bool found = find_integer(text, name, 0, &names, value, &where);
    *line = line_at(text, where);
    return found;
}

size_t declared_dimensions(const char *text, const char *name, const char *mark, int64_t dimensions[DECLARED_DIMENSIONS]) {
    const char *at = find(text, name, mark);
    size_t count = 0;
    int names = NAMES_MOST;
    for (at = at ? at + strlen(name) : ""; *at == '[' && count < DECLARED_DIMENSIONS; count++) {
        const char *end = expression_end(at + 1);
        if (*end != ']' || !read_integer(text, at + 1, end, 0, &names, &dimensions[count]) || dimensions[count] < 1) return 0;
        at = end + 1;
    }
    return *at == '[' ? 0 : count;
}

/* --- numbers that are written --------------------------------------------------------------------------------------------- */

/* The text with blanks in place of comments; to be freed. */
static char *without_comments(const char *text) {
    char *bare = alloc_copy(text);
    for (const char *at = text, *next; *at; at = next) {
        next = skip(at);
        if (*at != '/' || next == at + 1) continue;
        for (const char *c = at; c < next; c++)
            if (*c != '\n') bare[c - text] = ' ';
    }
    return bare;
}

/* Reads the number up to a comma or a bracket, which *at is then behind. */
static bool next_number(const char **at, int64_t *value) {
    const char *begin = *at, *end = begin + strspn(begin, " \t\n"), *stop = expression_end(end);
    int names = 0;
    *at = *stop ? stop + 1 : stop;
    return (*stop == ',' || *stop == ')' || *stop == '}' || *stop == ';') && read_integer("", end, stop, 0, &names, value);
}

/* Whether the constant is called as the row begins: predicted_tile or sectors_tile_a for tile. */
static bool is_named_in(const char *constant, const char *row, size_t length) {
    for (const char *at = constant; length && (at = strchr(at, '_')); at++)
        if (strncmp(at + 1, row, length) == 0 && (at[1 + length] == 0 || (at[1 + length] == '_' && !at[3 + length])))
            return true;
    return false;
}

/* Whether one of the row's numbers is the value; no more stand in it than in a row of the exercises. */
static bool row_has(const char *at, int32_t value) {
    enum { ROW_NUMBERS = 3 };
    bool found = false;
    for (int i = 0; i < ROW_NUMBERS; i++) {
        int64_t number = 0;
        found |= next_number(&at, &number) && number == value;
        if (at[-1] == ')') return found;
    }
    return false;
}

static bool list_has(const char *at, const int32_t *values, uint32_t count) {
    int64_t number = 0;
    at += strspn(at, " \t\n{");
    for (uint32_t i = 0; i < count; i++) {
        if (*at == '}' || at[-1] == '}') /* what is left out at the end is 0 */
            number = 0;
        else if (!next_number(&at, &number))
            return false;
        if (number != values[i]) return false;
    }
    return true;
}

bool declared_as_numbers(const char *text, const char *constant, const int32_t *values, uint32_t count) {
    FREED char *bare = without_comments(text);
    uint32_t places = 0, good = 0;
    for (const char *at = bare; count == 1 && (at = strstr(at, "PREDICT")); at++) {
        const char *row = at + strcspn(at, "(\n"), *name = row + (*row == '(');
        name += strspn(name, " ");
        const size_t length = strcspn(name, " ,)\n");
        const char *comma = name + length + strspn(name + length, " ");
        const bool begins = at == bare || isspace((unsigned char)at[-1]);
        if (!begins || *row != '(' || *comma != ',' || !is_named_in(constant, name, length)) continue;
        places++;
        good += row_has(comma + 1, *values);
    }
    const char *at = places ? NULL : find(bare, constant, "__constant__"), *value = at ? strpbrk(at, "=;") : NULL;
    if (value && *value == '=') places++, good += list_has(value + 1, values, count);
    return places == 1 && good == 1;
}

/* The lowest compute capability, times ten, for which the line's first comparison asks; 0: there is none. */
static unsigned arch_asked(const char *line, size_t length) {
    static const char name[] = "__CUDA_ARCH__";
    const char *end = line + length;
    for (const char *at = line; (at = memmem(at, (size_t)(end - at), name, sizeof name - 1)) != NULL;) {
        at += sizeof name - 1;
        at += strspn(at, " ");
        bool equal = at < end && at[1] == '=';
        if (*at != '>' && !(equal && *at == '=')) continue;
        unsigned long number = strtoul(at + 1 + equal, NULL, 10);
        return number > 10000 ? 0 : (unsigned)(equal ? number : number + 10) / 10;
    }
    return 0;
}

uint32_t declared_for_newer(const char *text, unsigned target, unsigned *needed) {
    uint32_t number = 1;
    for (const char *line = text; *line; number++) {
        size_t length = strcspn(line, "\n");
        const char *word = line + strspn(line, " \t");
        if (*word == '#') {
            word += 1 + strspn(word + 1, " \t");
            bool asks = strncmp(word, "if", 2) == 0 || strncmp(word, "elif", 4) == 0;
            *needed = asks ? arch_asked(line, length) : 0;
            if (*needed > target) return number;
        }
        line += length + (line[length] == '\n');
    }
    return 0;
}
