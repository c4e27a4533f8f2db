/* option_table.h: the options of a command as rows: what each is called, what its value may be and where that goes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

/* How a row's value is read. False with a message. command: the table's target. */
typedef bool OptionRead(void *command, const char *option, const char *value, Diag *diag);

typedef enum OptionForm {
    OPTION_SETS,    /* it has no value: a bool becomes true */
    OPTION_TAKES,   /* any text: a const char * */
    OPTION_COUNTS,  /* a whole number from least to most: a uint64_t */
    OPTION_CHOOSES, /* one of two words: a bool, true for `yes` */
    OPTION_READS    /* by `read` */
} OptionForm;

typedef struct OptionRow {
    const char *name; /* without its hyphens; of one letter: -o; "": of words that are no options; NULL: behind the last row */
    OptionForm form;
    size_t at; /* of the variable in the target */
    uint64_t least, most;
    const char *yes, *no;
    OptionRead *read;
    const char *without; /* the value where the option is given without one; NULL: it needs one */
    const char *hint;    /* where its value is refused; NULL: none */
} OptionRow;

/* Rows of a struct's members. */
#define OPTION_SET(name, type, member) \
    { name, OPTION_SETS, .at = offsetof(type, member) }
#define OPTION_TEXT(name, type, member) \
    { name, OPTION_TAKES, .at = offsetof(type, member) }
#define OPTION_NUMBER(name, type, member, first, last) \
    { name, OPTION_COUNTS, .at = offsetof(type, member), .least = (first), .most = (last) }
#define OPTION_CHOICE(name, type, member, one, other) \
    { name, OPTION_CHOOSES, .at = offsetof(type, member), .yes = (one), .no = (other) }

typedef struct OptionTable {
    const OptionRow *rows;
    void *target;
    /* The names of those that the command has, with blanks between, beside that of words; NULL: all. Of two rows of words the first counts. */
    const char *only;
} OptionTable;

/* Reads a command line; argv[0] is passed over. The last table has no rows. rest: where the words behind the first that is no option go, which
 * are then not read; or NULL. False with a message, which names the command; NULL: it has no --help. */
bool options_read(const OptionTable *tables, int argc, char **argv, char ***rest, const char *command, Diag *diag);

/* One option, as it is called in messages. */
bool option_set(const OptionRow *row, const char *option, void *target, const char *value, Diag *diag);

/* The value of an option: one of two words, a number. False with a message for another. */
bool parse_choice(const char *option, const char *text, const char *yes, const char *no, bool *value, Diag *diag);
bool parse_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value, Diag *diag);
