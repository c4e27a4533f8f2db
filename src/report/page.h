/* page.h: what text is laid out for: a terminal, a file or a pipe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { PAGE_COLUMNS = 80, PAGE_COLUMNS_LEAST = 60, PAGE_COLUMNS_MOST = 200 };

typedef struct Page {
    size_t columns; /* from PAGE_COLUMNS_LEAST to PAGE_COLUMNS_MOST */
    bool colour;
} Page;

/* Where it is not known who reads. */
extern const Page page_plain; /* PAGE_COLUMNS, no colour */

/* A file descriptor's: of a terminal the columns that $COLUMNS says, else those that it has itself, in colour unless $NO_COLOR is set; of all else
 * page_plain. */
Page page_of(int fd);

/* The same with as many columns as a page may have that are nearest to these. */
Page page_with(Page page, long columns);
