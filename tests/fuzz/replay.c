/* Stands in for libFuzzer: feeds each file named on the command line through the fuzz target once, within ten seconds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

enum { SECONDS_EACH = 10, BYTES_MOST = 64 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        size_t length = 0;
        char *text = text_read_file(argv[i], BYTES_MOST, &length);
        if (!text) {
            perror(argv[i]);
            return 1;
        }
        /* A copy without the NUL, so that reading past the end is seen. The name goes first: it is what a crash leaves behind. */
        uint8_t *data = malloc(length ? length : 1);
        if (!data) abort();
        memcpy(data, text, length);
        free(text);
        fprintf(stderr, "%s\n", argv[i]);
        alarm(SECONDS_EACH);
        LLVMFuzzerTestOneInput(data, length);
        alarm(0);
        free(data);
    }
    printf("%d passed\n", argc - 1);
    return 0;
}
