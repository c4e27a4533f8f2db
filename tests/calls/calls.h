// Calls of the runtime with right, odd and wrong arguments: what each returns, and what the last error is then.
// A program is a list of groups; its argument names the one that runs, since errors may stay, and a runtime may end the process. Without one it lists them.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

static const char *error_word(cudaError_t error) {
    const char *name = cudaGetErrorName(error);
    return strncmp(name, "cudaError", 9) == 0 ? name + 9 : name + 4;
}

// The call, what it returned, and what cudaGetLastError says then, where that is something else; and again, where that stays.
static void called(const char *call, cudaError_t error) {
    const cudaError_t peeked = cudaPeekAtLastError(), last = cudaGetLastError(), again = cudaGetLastError();
    printf("%s: %s", call, error_word(error));
    if (last != error) printf(", last %s", error_word(last));
    if (peeked != last) printf(", peeked %s", error_word(peeked));
    if (again != cudaSuccess) printf(", stays %s", error_word(again));
    printf("\n");
}
#define CALL(call) called(#call, call)

// A call that ought to succeed, and is not looked at.
static void needed(const char *call, cudaError_t error) {
    if (error == cudaSuccess) return;
    printf("%s: %s, but is needed\n", call, cudaGetErrorName(error));
    exit(3);
}
#define NEED(call) needed(#call, call)

#define SHOW(value) printf("    %s = %lld\n", #value, (long long)(value))

struct Group {
    const char *name;
    void (*run)();
};
#define GROUP(name) \
    { #name, name }

static int groups_main(int argc, char **argv, const Group *groups, int count) {
    setvbuf(stdout, nullptr, _IOLBF, 4096);
    for (int i = 0; i < count; i++) {
        if (argc < 2) printf("%s\n", groups[i].name);
        if (argc < 2 || strcmp(argv[1], groups[i].name) != 0) continue;
        groups[i].run();
        return 0;
    }
    return argc < 2 ? 0 : 2;
}
