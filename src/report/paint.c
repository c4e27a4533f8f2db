#include "report/paint.h"

void paint(Text *out, Page page, Paint which, const char *text) {
    static const char *const codes[] = {
        [PAINT_HEAD] = "1", [PAINT_GOOD] = "32", [PAINT_BAD] = "1;31", [PAINT_USED] = "36", [PAINT_IDLE] = "2",
    };
    if (page.colour)
        text_add(out, "\x1b[%sm%s\x1b[0m", codes[which], text);
    else
        text_add(out, "%s", text);
}
