/* uri.h: files as editors name them: file:///home/ada/50%25%20done.cu. */
#pragma once

#include <stdbool.h>

#include "base/text.h"

/* Appends the path that a file: URI of this computer names. False for any other, also for one with a NUL in it. */
bool uri_path(const char *uri, Text *path);

/* Appends the URI of an absolute path. */
void uri_add(Text *uri, const char *path);
