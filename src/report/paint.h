/* paint.h: colour on a terminal. Nothing is said by colour alone. */
#pragma once

#include "base/text.h"
#include "report/page.h"

typedef enum Paint { PAINT_HEAD, PAINT_GOOD, PAINT_BAD, PAINT_USED, PAINT_IDLE } Paint;

/* Appends text, in the colour when asked. */
void paint(Text *out, Page page, Paint which, const char *text);
