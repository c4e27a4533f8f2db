// Run-time compilation: a source with a header that the program names, a template whose name is asked for, a constant that the host sets, and what wrong
// programs and options get. Links with -lnvrtc -lcuda.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <thread>

static const char source[] = R"(#include "sizes/scale.h"
namespace given { __constant__ int offset = 1; }
template <class T> __global__ void scale(T *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = SCALE * data[i] + given::offset + ADDED;
}
extern "C" __global__ void plain(int *data) { data[threadIdx.x] = threadIdx.x; }
)";

static int failures = 0;

static void expect_as(int line, int got, int expected) {
    if (got == expected) return;
    printf("line %d: %d, expected %d\n", line, got, expected);
    failures++;
}
#define EXPECT(call, expected) expect_as(__LINE__, (int)(call), (int)(expected))
#define GOOD(call) expect_as(__LINE__, (int)(call), 0)
#define HOLDS(what) (what) ? 0 : (printf("line %d: not %s\n", __LINE__, #what), failures++)

static void mistakes() {
    nvrtcProgram program = NULL;
    size_t bytes = 0;
    const char *options[] = {"-o", "/tmp/never"};
    const char *name;
    EXPECT(nvrtcCreateProgram(NULL, "", NULL, 0, NULL, NULL), NVRTC_ERROR_INVALID_PROGRAM);
    EXPECT(nvrtcDestroyProgram(&program), NVRTC_ERROR_INVALID_PROGRAM);
    GOOD(nvrtcCreateProgram(&program, "__global__ void f() { undeclared(); }", "broken.cu", 0, NULL, NULL));
    EXPECT(nvrtcCompileProgram(program, 2, options), NVRTC_ERROR_INVALID_OPTION);
    GOOD(nvrtcDestroyProgram(&program));
    HOLDS(!program);
    GOOD(nvrtcCreateProgram(&program, "__global__ void f() { undeclared(); }", "broken.cu", 0, NULL, NULL));
    GOOD(nvrtcAddNameExpression(program, "f"));
    EXPECT(nvrtcCompileProgram(program, 0, NULL), NVRTC_ERROR_COMPILATION);
    EXPECT(nvrtcGetLoweredName(program, "f", &name), NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    EXPECT(nvrtcAddNameExpression(program, "f"), NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
    GOOD(nvrtcGetProgramLogSize(program, &bytes));
    std::string log(bytes, ' ');
    GOOD(nvrtcGetProgramLog(program, &log[0]));
    HOLDS(log.find("broken.cu") != std::string::npos && log.find("undeclared") != std::string::npos);
    GOOD(nvrtcDestroyProgram(&program));
    HOLDS(strcmp(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION") == 0);
}

// What the compiler would understand and NVRTC does not: options that load code into it, that write files, that name other files of options.
static void foreign_options() {
    static const char *const foreign[][2] = {{"-fplugin=/tmp/never.so"}, {"-O", "-fplugin=/tmp/never.so"},
                                             {"-Xclang", "-load"},       {"--save-temps"},
                                             {"-wrapper", "/tmp/never"}, {"@/tmp/never"},
                                             {"libcudart.so"},           {"--no-such-option"}};
    for (auto &options : foreign) {
        nvrtcProgram program = NULL;
        GOOD(nvrtcCreateProgram(&program, "__global__ void f() {}", "fine.cu", 0, NULL, NULL));
        const nvrtcResult result = nvrtcCompileProgram(program, options[1] ? 2 : 1, options);
        if (result != NVRTC_ERROR_INVALID_OPTION) printf("%s is taken: %d\n", options[0], (int)result), failures++;
        GOOD(nvrtcDestroyProgram(&program));
    }
}

// Each of two threads has the handle: one destroys the program, the other hears that there is none.
static void destroyed_by_two() {
    int wrong = 0;
    for (int i = 0; i < 400; i++) {
        nvrtcProgram program = NULL, other;
        nvrtcResult first, second;
        GOOD(nvrtcCreateProgram(&program, "", NULL, 0, NULL, NULL));
        other = program;
        std::thread thread([&] { second = nvrtcDestroyProgram(&other); });
        first = nvrtcDestroyProgram(&program);
        thread.join();
        wrong += first + second != NVRTC_ERROR_INVALID_PROGRAM;
    }
    HOLDS(wrong == 0);
}

static std::string compiled(std::string *scale, std::string *offset) {
    nvrtcProgram program;
    const char *headers[] = {"#pragma once\n#define SCALE 10\n"}, *names[] = {"sizes/scale.h"};
    const char *options[] = {"--gpu-architecture=compute_80", "-DADDED=5", "--std=c++17", "-w"}, *name = NULL;
    size_t bytes = 0;
    GOOD(nvrtcCreateProgram(&program, source, "scale.cu", 1, headers, names));
    GOOD(nvrtcAddNameExpression(program, "scale<int>"));
    GOOD(nvrtcAddNameExpression(program, "&given::offset"));
    GOOD(nvrtcCompileProgram(program, 4, options));
    GOOD(nvrtcGetPTXSize(program, &bytes));
    std::string ptx(bytes, ' ');
    GOOD(nvrtcGetPTX(program, &ptx[0]));
    GOOD(nvrtcGetLoweredName(program, "scale<int>", &name));
    *scale = name ? name : "";
    GOOD(nvrtcGetLoweredName(program, "&given::offset", &name));
    *offset = name ? name : "";
    EXPECT(nvrtcGetLoweredName(program, "scale<float>", &name), NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
    GOOD(nvrtcDestroyProgram(&program));
    return ptx;
}

// What is loaded as machine code, of which there is none for no real device.
static std::string machine_code(const char *option) {
    nvrtcProgram program;
    size_t bytes = 1;
    char ours[] = "as it was";
    GOOD(nvrtcCreateProgram(&program, "extern \"C\" __global__ void given(int *to) { *to = 7; }", "given.cu", 0, NULL, NULL));
    GOOD(nvrtcGetCUBINSize(program, &bytes));
    HOLDS(bytes == 0);
    GOOD(nvrtcGetCUBIN(program, ours));
    HOLDS(strcmp(ours, "as it was") == 0);
    EXPECT(nvrtcGetCUBIN(program, NULL), NVRTC_ERROR_INVALID_INPUT);
    EXPECT(nvrtcGetCUBINSize(program, NULL), NVRTC_ERROR_INVALID_INPUT);
    GOOD(nvrtcCompileProgram(program, 1, &option));
    GOOD(nvrtcGetCUBINSize(program, &bytes));
    std::string code(bytes, ' ');
    GOOD(nvrtcGetCUBIN(program, &code[0]));
    GOOD(nvrtcDestroyProgram(&program));
    return code;
}

static void load_machine_code() {
    CUmodule module;
    CUfunction given;
    CUdeviceptr to;
    int seven = 0;
    HOLDS(machine_code("--gpu-architecture=compute_90").empty());
    const std::string code = machine_code("-arch=sm_90");
    CUlinkState link;
    void *linked;
    size_t bytes;
    GOOD(cuLinkCreate(0, NULL, NULL, &link));
    GOOD(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, (void *)code.data(), code.size(), "given", 0, NULL, NULL));
    GOOD(cuLinkComplete(link, &linked, &bytes));
    GOOD(cuModuleLoadData(&module, linked));
    GOOD(cuLinkDestroy(link));
    GOOD(cuModuleUnload(module));
    GOOD(cuModuleLoadData(&module, code.c_str()));
    GOOD(cuModuleGetFunction(&given, module, "given"));
    GOOD(cuMemAlloc(&to, sizeof seven));
    void *parameters[] = {&to};
    GOOD(cuLaunchKernel(given, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    GOOD(cuMemcpyDtoH(&seven, to, sizeof seven));
    HOLDS(seven == 7);
    GOOD(cuMemFree(to));
    GOOD(cuModuleUnload(module));
}

enum { N = 40 };

int main() {
    CUcontext context;
    CUmodule module;
    CUfunction scale, plain;
    CUdeviceptr offset, data;
    int hundred = 100, numbers[N], n = N, wrong = 0;
    std::string scale_name, offset_name;
    mistakes();
    foreign_options();
    destroyed_by_two();
    const std::string ptx = compiled(&scale_name, &offset_name);
    GOOD(cuInit(0));
    GOOD(cuDevicePrimaryCtxRetain(&context, 0));
    GOOD(cuCtxSetCurrent(context));
    load_machine_code();
    GOOD(cuModuleLoadData(&module, ptx.c_str()));
    GOOD(cuModuleGetFunction(&scale, module, scale_name.c_str()));
    GOOD(cuModuleGetFunction(&plain, module, "plain"));
    GOOD(cuModuleGetGlobal(&offset, NULL, module, offset_name.c_str()));
    GOOD(cuMemcpyHtoD(offset, &hundred, sizeof hundred));
    GOOD(cuMemAlloc(&data, sizeof numbers));
    void *of_plain[] = {&data}, *of_scale[] = {&data, &n};
    GOOD(cuLaunchKernel(plain, 1, 1, 1, N, 1, 1, 0, NULL, of_plain, NULL));
    GOOD(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, NULL, of_scale, NULL));
    GOOD(cuMemcpyDtoH(numbers, data, sizeof numbers));
    for (int i = 0; i < N; i++) wrong += numbers[i] != 10 * i + 105;
    HOLDS(wrong == 0);
    GOOD(cuMemFree(data));
    GOOD(cuModuleUnload(module));
    GOOD(cuDevicePrimaryCtxRelease(0));
    if (!failures) printf("ok\n");
    return failures != 0;
}
