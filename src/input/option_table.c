#include "input/option_table.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "input/numbers.h"

enum { ROWS_MOST = 64, IS_WORD = 1 /* as getopt says it */, LONG = 256 };

/* The rows of all tables. A long option's number is LONG and its place. */
typedef struct OptionReader {
    const OptionRow *rows[ROWS_MOST];
    void *targets[ROWS_MOST];
    size_t count, n_longs;
    struct option longs[ROWS_MOST + 1];
    char letters[2 * ROWS_MOST + 3];
} OptionReader;

bool parse_choice(const char *option, const char *text, const char *yes, const char *no, bool *value, Diag *diag) {
    *value = strcmp(text, yes) == 0;
    return *value || strcmp(text, no) == 0 || diag_say(diag, "%s '%.200s' is not '%s' or '%s'", option, text, yes, no);
}

bool parse_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value, Diag *diag) {
    if (number_unsigned(text, strlen(text), most, value) && *value >= least) return true;
    return diag_say(diag, "%s '%.200s' is not a whole number from %" PRIu64 " to %" PRIu64, option, text, least, most);
}

bool option_set(const OptionRow *row, const char *option, void *target, const char *value, Diag *diag) {
    void *at = (char *)target + row->at;
    if (!value) value = row->without;
    bool good = true;
    switch (row->form) {
    case OPTION_SETS: *(bool *)at = true; break;
    case OPTION_TAKES: *(const char **)at = value; break;
    case OPTION_COUNTS: good = parse_number(option, value, row->least, row->most, at, diag); break;
    case OPTION_CHOOSES: good = parse_choice(option, value, row->yes, row->no, at, diag); break;
    case OPTION_READS: good = row->read(target, option, value, diag); break;
    }
    return good || (row->hint && diag_hint(diag, "%s", row->hint));
}

static bool has(const OptionTable *table, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = table->only; at && *at; at += strspn(at, " ")) {
        const size_t here = strcspn(at, " ");
        if (here == length && strncmp(at, name, length) == 0) return true;
        at += here;
    }
    return !table->only || !*name;
}

static void add_row(OptionReader *reader, const OptionRow *row, void *target) {
    const int has_value = row->form == OPTION_SETS ? no_argument : row->without ? optional_argument : required_argument;
    if (row->name[0] && row->name[1])
        reader->longs[reader->n_longs++] = (struct option){row->name, has_value, NULL, LONG + (int)reader->count};
    else
        strcat(strcat(reader->letters, row->name), row->name[0] && has_value ? ":" : "");
    reader->rows[reader->count] = row;
    reader->targets[reader->count++] = target;
}

/* Of what getopt found; as many as there are where no row is of words. */
static size_t place_of(const OptionReader *reader, int option) {
    const char letter[] = {option == IS_WORD ? 0 : (char)option, 0};
    size_t i = 0;
    if (option >= LONG) return (size_t)(option - LONG);
    while (i < reader->count && strcmp(reader->rows[i]->name, letter) != 0) i++;
    return i;
}

/* getopt's ':' and '?': an option that lacks its value, an unknown one. */
static bool refuse(int option, const char *word, const char *command, Diag *diag) {
    const char letter[] = {'-', (char)optopt, 0}; /* of several in one word, or of one whose word getopt has not passed yet */
    if (option == '?' && optopt > ' ' && optopt < 127) word = letter;
    diag_say(diag, option == ':' ? "option '%.200s' needs a value" : "unknown option '%.200s'", word);
    if (strncmp(word, "-O", 2) == 0) return diag_hint(diag, "leave it out: kernels are always compiled with -O3");
    return command && diag_hint(diag, "warpscope %s --help lists the options", command);
}

static bool take(const OptionReader *reader, int option, const char *value, Diag *diag) {
    const size_t place = place_of(reader, option);
    if (place == reader->count) return diag_say(diag, "'%.100s' is a word too many", value);
    const char *name = reader->rows[place]->name;
    char called[32];
    snprintf(called, sizeof called, "%s%s", name[0] && name[1] ? "--" : "-", name);
    return option_set(reader->rows[place], called, reader->targets[place], value, diag);
}

bool options_read(const OptionTable *tables, int argc, char **argv, char ***rest, const char *command, Diag *diag) {
    OptionReader reader = {.letters = "-:"};
    for (const OptionTable *table = tables; table->rows; table++)
        for (const OptionRow *row = table->rows; row->name; row++)
            if (has(table, row->name)) add_row(&reader, row, table->target);
    opterr = 0;
    optind = 0; /* getopt begins anew */
    for (int option; (option = getopt_long(argc, argv, reader.letters, reader.longs, NULL)) != -1 || optind < argc;) {
        if (option == ':' || option == '?') return refuse(option, argv[optind - 1], command, diag);
        const char *value = option == -1 ? argv[optind++] : optarg; /* -1: behind -- */
        if (option == -1) option = IS_WORD;
        if (!take(&reader, option, value, diag)) return false;
        if (option != IS_WORD || !rest) continue;
        *rest = argv + optind;
        break;
    }
    return true;
}
