#include "lsp/uri.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static int hex(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    int letter = tolower((unsigned char)digit);
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

bool uri_path(const char *uri, Text *path) {
    if (strncasecmp(uri, "file://", 7) != 0) return false;
    const char *at = uri + 7;
    if (strncasecmp(at, "localhost/", 10) == 0) at += 9;
    if (*at != '/') return false;
    for (; *at && *at != '?' && *at != '#'; at++) {
        char byte = *at;
        if (byte == '%') {
            int high = hex(at[1]), low = high < 0 ? -1 : hex(at[2]);
            byte = low < 0 ? 0 : (char)(high << 4 | low);
            if (!byte) return false;
            at += 2;
        }
        text_add_bytes(path, &byte, 1);
    }
    return true;
}

void uri_add(Text *uri, const char *path) {
    text_add(uri, "file://");
    for (const char *at = path; *at; at++) {
        if (isalnum((unsigned char)*at) || strchr("/-._~", *at))
            text_add_bytes(uri, at, 1);
        else
            text_add(uri, "%%%02X", (unsigned char)*at);
    }
}
