/* Stands in for libFuzzer: feeds each file named on the command line through the fuzz target once, within a minute of processor time. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "base/text.h"

enum { SECONDS_EACH = 60, BYTES_MOST = 64 << 20 };

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
        setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = SECONDS_EACH}, NULL); /* ends it by SIGPROF */
        LLVMFuzzerTestOneInput(data, length);
        setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
        free(data);
    }
    printf("%d passed\n", argc - 1);
    return 0;
}
