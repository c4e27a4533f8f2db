// A file of small whole programs, one of which is run: the one that the first argument names.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct Program {
    const char *name;
    void (*run)();
    Program *next;
    static Program *&first() {
        static Program *list;
        return list;
    }
    Program(const char *name, void (*run)()) : name(name), run(run), next(first()) { first() = this; }
};
#define PROGRAM(name)                           \
    static void name();                         \
    static Program program_##name(#name, name); \
    static void name()

constexpr int N = 1000;
static const size_t bytes = N * sizeof(float);

template <typename T = float> static T *device(size_t n = N) { // n elements, all 0
    T *a;
    cudaMalloc(&a, n * sizeof(T));
    cudaMemset(a, 0, n * sizeof(T));
    return a;
}

int main(int argc, char **argv) {
    for (Program *each = Program::first(); each; each = each->next)
        if (argc > 1 && !strcmp(argv[1], each->name)) each->run();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
