/* terminal.c: page_of of report/page.h. */
#include "report/page.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

Page page_of(int fd) {
    Page page = page_plain;
    struct winsize size;
    const char *no_color = getenv("NO_COLOR"), *columns = getenv("COLUMNS");
    if (!isatty(fd)) return page;
    page.colour = !(no_color && *no_color);
    if (columns && atol(columns) > 0) return page_with(page, atol(columns));
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col ? page_with(page, size.ws_col) : page;
}
