/* paint.h: colour on a terminal. Nothing is said by colour alone. */
#pragma once

#include <stdbool.h>

#include "base/text.h"

typedef enum Paint { PAINT_HEAD, PAINT_GOOD, PAINT_BAD, PAINT_USED, PAINT_IDLE } Paint;

/* Appends text, in the colour when asked. */
void paint(Text *out, bool colour, Paint which, const char *text);
