// Calls of cuFFT: what plans are made of, what they are used for, and in which order.
#include "calls.h"

#include <cufft.h>

#define FFT(call) printf("%s: %d\n", #call, (int)(call))

static const int big = 0x7fffffff;
static int five[3] = {5, 4, 6}, zero[3] = {4, 0, 4}, less[3] = {-4, 4, 4}, narrow[3] = {5, 3, 5};
static cufftHandle plan;
static size_t bytes;

static cufftComplex *buffer(int n) {
    cufftComplex *made;
    NEED(cudaMalloc(&made, n * sizeof(*made)));
    NEED(cudaMemset(made, 0, n * sizeof(*made)));
    return made;
}

static void sizes() {
    FFT(cufftPlan1d(&plan, 0, CUFFT_C2C, 1));
    FFT(cufftPlan1d(&plan, -8, CUFFT_C2C, 1));
    FFT(cufftPlan1d(&plan, 8, CUFFT_C2C, 0));
    FFT(cufftPlan1d(&plan, 8, CUFFT_C2C, -1));
    FFT(cufftPlan1d(&plan, 8, (cufftType)0, 1));
    FFT(cufftPlan1d(&plan, 8, (cufftType)0x2b, 1));
    FFT(cufftPlan1d(nullptr, 8, CUFFT_C2C, 1));
    FFT(cufftPlan1d(&plan, 1, CUFFT_C2C, 1));
    FFT(cufftPlan1d(&plan, 1, CUFFT_R2C, 1));
    FFT(cufftPlan1d(&plan, 1, CUFFT_Z2D, 1));
    FFT(cufftPlan2d(&plan, 0, 4, CUFFT_C2C));
    FFT(cufftPlan2d(&plan, 4, -1, CUFFT_C2C));
    FFT(cufftPlan2d(&plan, 4, 4, (cufftType)1));
    FFT(cufftPlan2d(nullptr, 4, 4, CUFFT_C2C));
    FFT(cufftPlan3d(&plan, 4, 4, 0, CUFFT_C2C));
    FFT(cufftPlan3d(&plan, 4, 4, 4, (cufftType)1));
    FFT(cufftPlan3d(nullptr, 4, 4, 4, CUFFT_C2C));
    FFT(cufftPlan1d(&plan, big, CUFFT_Z2Z, big));
}

static void many() {
    FFT(cufftPlanMany(&plan, 0, five, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
    FFT(cufftPlanMany(&plan, -1, five, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
    FFT(cufftPlanMany(&plan, 4, five, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
    FFT(cufftPlanMany(&plan, 1, nullptr, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
    FFT(cufftPlanMany(&plan, 3, zero, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
    FFT(cufftPlanMany(&plan, 3, less, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
    FFT(cufftPlanMany(&plan, 3, five, nullptr, -1, -1, nullptr, 0, 0, CUFFT_C2C, 2));
    FFT(cufftPlanMany(&plan, 3, five, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 0));
    FFT(cufftPlanMany(&plan, 3, five, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, -2));
    FFT(cufftPlanMany(&plan, 3, five, nullptr, 1, 0, nullptr, 1, 0, (cufftType)7, 1));
    FFT(cufftPlanMany(&plan, 3, five, five, 1, 120, five, 1, 120, CUFFT_C2C, 2));
    FFT(cufftPlanMany(&plan, 3, five, five, 0, 120, five, 1, 120, CUFFT_C2C, 2));
    FFT(cufftPlanMany(&plan, 3, five, five, 1, 120, five, 0, 120, CUFFT_C2C, 2));
    FFT(cufftPlanMany(&plan, 3, five, five, -1, 120, five, 1, 120, CUFFT_C2C, 2));
    FFT(cufftPlanMany(&plan, 3, five, five, 1, 0, five, 1, 0, CUFFT_C2C, 2));
    FFT(cufftPlanMany(&plan, 3, five, five, 1, -120, five, 1, 120, CUFFT_C2C, 2));
    FFT(cufftPlanMany(&plan, 3, five, five, 1, 60, five, 1, 60, CUFFT_C2C, 2));
    FFT(cufftPlanMany(&plan, 3, five, narrow, 1, 120, five, 1, 120, CUFFT_C2C, 2));
    FFT(cufftPlanMany(&plan, 3, five, five, 1, 120, narrow, 1, 120, CUFFT_C2C, 2));
    FFT(cufftPlanMany(&plan, 3, five, zero, 1, 120, five, 1, 120, CUFFT_C2C, 2));
    FFT(cufftPlanMany(&plan, 3, five, less, 1, 120, five, 1, 120, CUFFT_C2C, 2));
    FFT(cufftPlanMany(&plan, 3, five, five, 1, 120, nullptr, 1, 120, CUFFT_C2C, 2));
    FFT(cufftPlanMany(&plan, 3, five, nullptr, 1, 120, five, 1, 120, CUFFT_C2C, 2));
    FFT(cufftPlanMany(nullptr, 3, five, five, 1, 120, five, 1, 120, CUFFT_C2C, 2));
}

static void made() {
    cufftHandle other;
    FFT(cufftCreate(nullptr));
    FFT(cufftCreate(&plan));
    FFT(cufftGetSize(plan, &bytes));
    FFT(cufftExecC2C(plan, buffer(8), buffer(8), CUFFT_FORWARD));
    FFT(cufftSetStream(plan, 0));
    FFT(cufftSetWorkArea(plan, buffer(8)));
    FFT(cufftMakePlan1d(plan, 0, CUFFT_C2C, 1, &bytes));
    FFT(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, nullptr));
    FFT(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &bytes));
    FFT(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &bytes));
    FFT(cufftMakePlan2d(plan, 8, 8, CUFFT_C2C, &bytes));
    FFT(cufftMakePlan3d(plan, 8, 8, 8, CUFFT_C2C, &bytes));
    FFT(cufftMakePlanMany(plan, 3, five, five, 1, 120, five, 1, 120, CUFFT_C2C, 2, &bytes));
    FFT(cufftDestroy(plan));
    FFT(cufftCreate(&plan));
    FFT(cufftMakePlan1d(plan, 8, (cufftType)9, 1, &bytes));
    FFT(cufftMakePlan1d(plan, 8, CUFFT_R2C, 1, &bytes));
    FFT(cufftCreate(&other));
    SHOW(other != plan);
    FFT(cufftDestroy(plan));
    FFT(cufftDestroy(plan));
    FFT(cufftDestroy(-1));
    FFT(cufftDestroy(123456));
    FFT(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &bytes));
    FFT(cufftMakePlan2d(-1, 8, 8, CUFFT_C2C, &bytes));
    FFT(cufftMakePlan3d(123456, 8, 8, 8, CUFFT_C2C, &bytes));
    FFT(cufftSetStream(plan, 0));
    FFT(cufftGetSize(plan, &bytes));
    FFT(cufftSetWorkArea(plan, buffer(8)));
    FFT(cufftSetAutoAllocation(plan, 1));
    FFT(cufftExecC2C(plan, buffer(8), buffer(8), CUFFT_FORWARD));
    FFT(cufftExecC2C(-1, buffer(8), buffer(8), CUFFT_FORWARD));
    FFT(cufftDestroy(other));
    plan = 77;
    FFT(cufftPlan1d(&plan, 0, CUFFT_C2C, 1));
    SHOW(plan == 77);
    FFT(cufftDestroy(plan));
    FFT(cufftMakePlanMany64(plan, 1, nullptr, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &bytes));
}

static void used() {
    cufftComplex *from = buffer(64), *to = buffer(64);
    float *real = (float *)from;
    double *reals = (double *)from;
    cufftDoubleComplex *wide = (cufftDoubleComplex *)from, *wide_to = (cufftDoubleComplex *)to;
    const cufftType types[] = {CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D};
    for (cufftType type : types) {
        FFT(cufftPlan1d(&plan, 8, type, 2));
        FFT(cufftExecC2C(plan, from, to, CUFFT_FORWARD));
        FFT(cufftExecC2C(plan, from, from, CUFFT_INVERSE));
        FFT(cufftExecR2C(plan, real, to));
        FFT(cufftExecC2R(plan, to, real));
        FFT(cufftExecZ2Z(plan, wide, wide_to, CUFFT_INVERSE));
        FFT(cufftExecD2Z(plan, reals, wide_to));
        FFT(cufftExecZ2D(plan, wide_to, reals));
        FFT(cufftDestroy(plan));
    }
    SHOW(cudaDeviceSynchronize());
}

static void wrong() {
    cufftComplex *from = buffer(64), *to = buffer(64);
    FFT(cufftPlan1d(&plan, 8, CUFFT_C2C, 2));
    FFT(cufftExecC2C(plan, from, to, 0));
    FFT(cufftExecC2C(plan, from, to, 2));
    FFT(cufftExecC2C(plan, from, to, -2));
    FFT(cufftExecC2C(plan, nullptr, to, CUFFT_FORWARD));
    FFT(cufftExecC2C(plan, from, nullptr, CUFFT_FORWARD));
    FFT(cufftExecC2C(plan, (cufftComplex *)((float *)from + 1), to, CUFFT_FORWARD));
    FFT(cufftExecC2C(plan, from, (cufftComplex *)((float *)to + 1), CUFFT_FORWARD));
    FFT(cufftExecC2C(plan, from + 1, to + 1, CUFFT_FORWARD));
    SHOW(cudaDeviceSynchronize());
    FFT(cufftPlan1d(&plan, 8, CUFFT_R2C, 2));
    FFT(cufftExecR2C(plan, (float *)from + 1, to));
    FFT(cufftExecR2C(plan, nullptr, to));
    SHOW(cudaDeviceSynchronize());
    FFT(cufftPlan1d(&plan, 8, CUFFT_C2R, 2));
    FFT(cufftExecC2R(plan, to, (float *)from + 1));
    FFT(cufftExecC2R(plan, to, nullptr));
    SHOW(cudaDeviceSynchronize());
}

static void host() {
    static cufftComplex here[64];
    cufftComplex *to = buffer(64);
    FFT(cufftPlan1d(&plan, 8, CUFFT_C2C, 2));
    FFT(cufftExecC2C(plan, here, to, CUFFT_FORWARD));
    SHOW(cudaDeviceSynchronize());
    FFT(cufftExecC2C(plan, to, to, CUFFT_FORWARD));
    FFT(cufftPlan1d(&plan, 8, CUFFT_C2C, 2));
}

static void areas() {
    cufftComplex *from = buffer(4096), *to = buffer(4096);
    FFT(cufftCreate(&plan));
    FFT(cufftSetAutoAllocation(plan, 0));
    FFT(cufftMakePlan1d(plan, 1031, CUFFT_C2C, 2, &bytes));
    SHOW(bytes > 0);
    FFT(cufftExecC2C(plan, from, to, CUFFT_FORWARD));
    FFT(cufftSetWorkArea(plan, nullptr));
    FFT(cufftExecC2C(plan, from, to, CUFFT_FORWARD));
    FFT(cufftSetWorkArea(plan, buffer(1 << 16)));
    FFT(cufftExecC2C(plan, from, to, CUFFT_FORWARD));
    FFT(cufftSetAutoAllocation(plan, 1));
    FFT(cufftGetSize(plan, nullptr));
    FFT(cufftGetSize(plan, &bytes));
    SHOW(cudaDeviceSynchronize());
    FFT(cufftDestroy(plan));
    FFT(cufftPlan1d(&plan, 8, CUFFT_C2C, 2));
    FFT(cufftSetAutoAllocation(plan, 0));
    FFT(cufftSetWorkArea(plan, nullptr));
    FFT(cufftExecC2C(plan, from, to, CUFFT_FORWARD));
    FFT(cufftSetWorkArea(plan, buffer(1 << 16)));
    FFT(cufftExecC2C(plan, from, to, CUFFT_FORWARD));
    SHOW(cudaDeviceSynchronize());
}

static void guessed() {
    FFT(cufftEstimate1d(64, CUFFT_C2C, 2, &bytes));
    FFT(cufftEstimate1d(64, CUFFT_C2C, 2, nullptr));
    FFT(cufftEstimate1d(0, CUFFT_C2C, 2, &bytes));
    FFT(cufftEstimate1d(64, CUFFT_C2C, 0, &bytes));
    FFT(cufftEstimate1d(64, (cufftType)3, 2, &bytes));
    FFT(cufftEstimate2d(64, 64, CUFFT_C2C, &bytes));
    FFT(cufftEstimate2d(64, 0, CUFFT_C2C, &bytes));
    FFT(cufftEstimate2d(64, 64, CUFFT_C2C, nullptr));
    FFT(cufftEstimate3d(64, 64, 8, CUFFT_C2C, &bytes));
    FFT(cufftEstimate3d(64, 64, -8, CUFFT_C2C, &bytes));
    FFT(cufftEstimateMany(3, five, nullptr, 1, 1, nullptr, 1, 1, CUFFT_R2C, 2, &bytes));
    FFT(cufftEstimateMany(4, five, nullptr, 1, 1, nullptr, 1, 1, CUFFT_R2C, 2, &bytes));
    FFT(cufftEstimateMany(3, nullptr, nullptr, 1, 1, nullptr, 1, 1, CUFFT_R2C, 2, &bytes));
    FFT(cufftCreate(&plan));
    FFT(cufftGetSize1d(plan, 64, CUFFT_C2C, 2, &bytes));
    FFT(cufftGetSize1d(plan, 0, CUFFT_C2C, 2, &bytes));
    FFT(cufftGetSize1d(plan, 64, CUFFT_C2C, 2, nullptr));
    FFT(cufftGetSize1d(-1, 64, CUFFT_C2C, 2, &bytes));
    FFT(cufftGetSize2d(plan, 64, 64, CUFFT_R2C, &bytes));
    FFT(cufftGetSize2d(plan, 64, 0, CUFFT_R2C, &bytes));
    FFT(cufftGetSize3d(plan, 64, 64, 4, CUFFT_Z2D, &bytes));
    FFT(cufftGetSizeMany(plan, 3, five, nullptr, 1, 1, nullptr, 1, 1, CUFFT_R2C, 2, &bytes));
    FFT(cufftMakePlan1d(plan, 64, CUFFT_C2C, 2, &bytes));
    FFT(cufftGetSize1d(plan, 64, CUFFT_C2C, 2, &bytes));
    FFT(cufftDestroy(plan));
}

static void asked() {
    int value;
    FFT(cufftGetVersion(nullptr));
    FFT(cufftGetVersion(&value));
    SHOW(value);
    FFT(cufftGetProperty(MAJOR_VERSION, nullptr));
    FFT(cufftGetProperty(MAJOR_VERSION, &value));
    SHOW(value);
    FFT(cufftGetProperty(PATCH_LEVEL, &value));
    FFT(cufftGetProperty((libraryPropertyType)3, &value));
    FFT(cufftPlan1d(&plan, 8, CUFFT_C2C, 2));
    SHOW(plan >= 0);
    FFT(cufftSetAutoAllocation(plan, 7));
    cudaStream_t gone;
    NEED(cudaStreamCreate(&gone));
    NEED(cudaStreamDestroy(gone));
    FFT(cufftSetStream(plan, gone));
    NEED(cudaDeviceReset());
    FFT(cufftExecC2C(plan, buffer(16), buffer(16), CUFFT_FORWARD));
    FFT(cufftDestroy(plan));
}

static void aligned() {
    cufftComplex *a = buffer(1 << 10), *b = buffer(1 << 10);
    FFT(cufftPlan1d(&plan, 8, CUFFT_R2C, 2));
    FFT(cufftExecR2C(plan, (float *)a + 1, b));
    FFT(cufftExecR2C(plan, (float *)a + 2, b));
    FFT(cufftExecR2C(plan, (float *)((char *)a + 2), b));
    FFT(cufftExecR2C(plan, (float *)a, (cufftComplex *)((float *)b + 1)));
    FFT(cufftPlan1d(&plan, 8, CUFFT_C2R, 2));
    FFT(cufftExecC2R(plan, b, (float *)a + 1));
    FFT(cufftExecC2R(plan, (cufftComplex *)((float *)b + 1), (float *)a));
    FFT(cufftPlan1d(&plan, 8, CUFFT_Z2Z, 2));
    FFT(cufftExecZ2Z(plan, (cufftDoubleComplex *)(a + 1), (cufftDoubleComplex *)b, 1));
    FFT(cufftExecZ2Z(plan, (cufftDoubleComplex *)((float *)a + 1), (cufftDoubleComplex *)b, 1));
    FFT(cufftPlan1d(&plan, 8, CUFFT_D2Z, 2));
    FFT(cufftExecD2Z(plan, (double *)a + 1, (cufftDoubleComplex *)b));
    FFT(cufftExecD2Z(plan, (double *)((float *)a + 1), (cufftDoubleComplex *)b));
    FFT(cudaDeviceSynchronize());
}

static void nowhere() {
    cufftComplex *a = buffer(1 << 10);
    FFT(cufftPlan1d(&plan, 8, CUFFT_C2C, 2));
    FFT(cufftExecC2C(plan, a, nullptr, CUFFT_FORWARD));
    FFT(cudaDeviceSynchronize());
}

static void large() {
    cufftComplex *a = buffer(1 << 20), *b = buffer(1 << 20);
    FFT(cufftCreate(&plan));
    FFT(cufftSetAutoAllocation(plan, 0));
    FFT(cufftMakePlan1d(plan, 1 << 20, CUFFT_C2C, 1, &bytes));
    SHOW(bytes);
    FFT(cufftExecC2C(plan, a, b, CUFFT_FORWARD));
    FFT(cudaDeviceSynchronize());
}

static void apart() {
    static int n1[1] = {8}, n3[3] = {8, 8, 8}, minus[3] = {8, -8, 8};
    FFT(cufftPlanMany(&plan, 1, n1, n1, 1, 0, n1, 1, 0, CUFFT_C2C, 1));
    FFT(cufftPlanMany(&plan, 1, n1, n1, 1, 0, n1, 1, 8, CUFFT_C2C, 2));
    FFT(cufftPlanMany(&plan, 1, n1, n1, 1, 8, n1, 1, 0, CUFFT_C2C, 2));
    FFT(cufftPlanMany(&plan, 3, n3, minus, 1, 512, n3, 1, 512, CUFFT_C2C, 2));
    FFT(cufftPlanMany(&plan, 1, n1, nullptr, 1, 1, n1, 1, 1, CUFFT_C2C, 1));
    FFT(cufftPlanMany(&plan, 1, n1, nullptr, 0, 0, n1, 0, 0, CUFFT_C2C, 1));
}

// A plan that is captured, and whether it is still needed then.
static void captured() {
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cufftComplex *data = buffer(16), one[16] = {{1, 0}};
    NEED(cudaStreamCreate(&s));
    FFT(cufftPlan1d(&plan, 8, CUFFT_C2C, 1));
    FFT(cufftSetStream(plan, s));
    NEED(cudaMemcpy(data, one, sizeof(one), cudaMemcpyHostToDevice));
    CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    FFT(cufftExecC2C(plan, data, data, CUFFT_FORWARD));
    CALL(cudaStreamEndCapture(s, &graph));
    CALL(cudaGraphInstantiate(&ready, graph, 0));
    CALL(cudaGraphLaunch(ready, s));
    CALL(cudaGraphLaunch(ready, s));
    CALL(cudaStreamSynchronize(s));
    NEED(cudaMemcpy(one, data, sizeof(one), cudaMemcpyDeviceToHost));
    SHOW(one[0].x);
    SHOW(one[1].x);
}

int main(int argc, char **argv) {
    static const Group groups[] = {GROUP(sizes),   GROUP(many),    GROUP(made),    GROUP(used),  GROUP(wrong),
                                   GROUP(host),    GROUP(areas),   GROUP(guessed), GROUP(asked), GROUP(captured),
                                   GROUP(aligned), GROUP(nowhere), GROUP(large),   GROUP(apart)};
    return groups_main(argc, argv, groups, sizeof(groups) / sizeof(*groups));
}
