// cuFFT: transforms of all kinds and layouts against sums that are written out, within a relative error of 1e-6 for float and 1e-14 for double.
// With an argument each one's error is printed.
#include "check.h"

#include <cufft.h>
#ifndef _CUFFT_H_
#error "helpers of NVIDIA's samples ask for it"
#endif

#include <cmath>
#include <complex>
#include <vector>

#define HOLDS(condition) CHECK((condition) ? cudaSuccess : cudaErrorUnknown)
#define FFT(call) HOLDS((call) == CUFFT_SUCCESS)

typedef std::complex<double> Complex;
typedef std::vector<Complex> Numbers;
enum Kind { COMPLEX, FROM_REAL, TO_REAL };

// Where the numbers of one side lie: as a plan of many has them.
struct Layout {
    int embed[3], stride, distance;
};

struct Row {
    const char *name;
    Kind kind;
    bool in_place;
    int rank, n[3], batch;
    bool plain; // in rows without gaps, as cuFFT knows them without being told
    Layout in, out;
};

static const Row rows[] = {
    {"one", COMPLEX, false, 1, {1}, 3, true, {}, {}},
    {"power of two", COMPLEX, false, 1, {64}, 3, true, {}, {}},
    {"in place", COMPLEX, true, 1, {60}, 5, true, {}, {}},
    {"prime", COMPLEX, false, 1, {97}, 2, true, {}, {}},
    {"large prime", COMPLEX, true, 1, {131}, 1, true, {}, {}},
    {"rows", COMPLEX, false, 2, {6, 10}, 2, true, {}, {}},
    {"odd rows", COMPLEX, true, 2, {5, 7}, 1, true, {}, {}},
    {"box", COMPLEX, false, 3, {4, 3, 6}, 2, true, {}, {}},
    {"real", FROM_REAL, false, 1, {16}, 3, true, {}, {}},
    {"real, odd", FROM_REAL, false, 1, {15}, 3, true, {}, {}},
    {"real, one", FROM_REAL, false, 1, {1}, 2, true, {}, {}},
    {"real, in place", FROM_REAL, true, 1, {16}, 3, true, {}, {}},
    {"real, odd, in place", FROM_REAL, true, 1, {15}, 3, true, {}, {}},
    {"real rows", FROM_REAL, false, 2, {5, 8}, 2, true, {}, {}},
    {"real rows, in place", FROM_REAL, true, 2, {5, 7}, 2, true, {}, {}},
    {"real box, in place", FROM_REAL, true, 3, {3, 4, 6}, 2, true, {}, {}},
    {"to real", TO_REAL, false, 1, {16}, 3, true, {}, {}},
    {"to real, odd", TO_REAL, false, 1, {15}, 2, true, {}, {}},
    {"to real, in place", TO_REAL, true, 1, {15}, 3, true, {}, {}},
    {"to real rows", TO_REAL, false, 2, {5, 8}, 2, true, {}, {}},
    {"to real rows, in place", TO_REAL, true, 2, {5, 7}, 2, true, {}, {}},
    {"to real box", TO_REAL, false, 3, {3, 4, 5}, 1, true, {}, {}},
    {"columns", COMPLEX, false, 1, {12}, 5, false, {{12}, 5, 1}, {{12}, 5, 1}},
    {"columns, in place", COMPLEX, true, 1, {12}, 5, false, {{12}, 7, 1}, {{12}, 7, 1}},
    {"columns to rows", COMPLEX, false, 1, {12}, 5, false, {{12}, 5, 1}, {{12}, 1, 14}},
    {"pitched rows", COMPLEX, false, 2, {4, 6}, 3, false, {{4, 8}, 1, 40}, {{4, 6}, 2, 60}},
    {"pitched box", COMPLEX, false, 3, {3, 4, 5}, 2, false, {{3, 5, 7}, 2, 211}, {{4, 4, 6}, 1, 100}},
    {"real columns", FROM_REAL, false, 1, {10}, 4, false, {{10}, 4, 1}, {{6}, 3, 20}},
    {"real pitched rows", FROM_REAL, false, 2, {4, 6}, 2, false, {{4, 9}, 1, 40}, {{4, 5}, 2, 50}},
    {"real pitched rows, in place", FROM_REAL, true, 2, {4, 6}, 2, false, {{4, 8}, 1, 32}, {{4, 4}, 1, 16}},
    {"to real pitched rows", TO_REAL, false, 2, {4, 6}, 2, false, {{4, 5}, 2, 50}, {{4, 9}, 1, 40}},
};

static int prints;
static double worst[2];

static int count_of(const Row &row) { return row.n[0] * (row.rank > 1 ? row.n[1] : 1) * (row.rank > 2 ? row.n[2] : 1); }

// How many numbers the last dimension has on this side: of a spectrum of real numbers about half is kept.
static int last_of(const Row &row, bool is_out) {
    const int last = row.n[row.rank - 1];
    return row.kind == (is_out ? FROM_REAL : TO_REAL) ? last / 2 + 1 : last;
}

static bool is_real(const Row &row, bool is_out) { return row.kind == (is_out ? TO_REAL : FROM_REAL); }

static Layout layout_of(const Row &row, bool is_out) {
    if (!row.plain) return is_out ? row.out : row.in;
    Layout plain = {{row.n[0], row.n[1], row.n[2]}, 1, 1};
    plain.embed[row.rank - 1] = last_of(row, is_out);
    if (row.in_place && is_real(row, is_out)) plain.embed[row.rank - 1] = 2 * (row.n[row.rank - 1] / 2 + 1);
    for (int d = 0; d < row.rank; d++) plain.distance *= plain.embed[d];
    return plain;
}

// Calls f(place in memory, place in the whole) for each number of a side that is there.
template <typename F> static void each(const Row &row, bool is_out, F f) {
    const Layout at = layout_of(row, is_out);
    const int d = row.rank, last = last_of(row, is_out), whole = row.n[d - 1];
    const int planes = d > 2 ? row.n[0] : 1, lines = d > 1 ? row.n[d - 2] : 1;
    for (int b = 0; b < row.batch; b++)
        for (int i = 0; i < planes; i++)
            for (int j = 0; j < lines; j++)
                for (int k = 0; k < last; k++) {
                    const int line = d > 2 ? i * at.embed[1] + j : j;
                    f(((d > 1 ? line * at.embed[d - 1] : 0) + k) * at.stride + b * at.distance,
                      ((b * planes + i) * lines + j) * whole + k);
                }
}

// One of a batch: the sum of all numbers, each by its root of one.
static Complex sum(const Row &row, const Complex *x, const int *k, int sign) {
    Complex total = 0;
    int at[3];
    for (int i = 0; i < count_of(row); i++) {
        double angle = 0;
        for (int d = row.rank - 1, left = i; d >= 0; left /= row.n[d], d--) at[d] = left % row.n[d];
        for (int d = 0; d < row.rank; d++) angle += (double)((long long)at[d] * k[d] % row.n[d]) / row.n[d];
        total += x[i] * std::polar(1.0, sign * 2 * M_PI * angle);
    }
    return total;
}

static Numbers transform(const Row &row, const Numbers &x, int sign) {
    const int count = count_of(row);
    Numbers y(x.size());
    for (int b = 0; b < row.batch; b++)
        for (int i = 0; i < count; i++) {
            int k[3];
            for (int d = row.rank - 1, left = i; d >= 0; left /= row.n[d], d--) k[d] = left % row.n[d];
            y[b * count + i] = sum(row, &x[b * count], k, sign);
        }
    return y;
}

template <typename Real> struct Of;
template <> struct Of<float> {
    static const cufftType type[3];
    static cufftResult run(cufftHandle plan, Kind kind, void *in, void *out, int sign) {
        if (kind == COMPLEX) return cufftExecC2C(plan, (cufftComplex *)in, (cufftComplex *)out, sign);
        if (kind == FROM_REAL) return cufftExecR2C(plan, (cufftReal *)in, (cufftComplex *)out);
        return cufftExecC2R(plan, (cufftComplex *)in, (cufftReal *)out);
    }
};
template <> struct Of<double> {
    static const cufftType type[3];
    static cufftResult run(cufftHandle plan, Kind kind, void *in, void *out, int sign) {
        if (kind == COMPLEX) return cufftExecZ2Z(plan, (cufftDoubleComplex *)in, (cufftDoubleComplex *)out, sign);
        if (kind == FROM_REAL) return cufftExecD2Z(plan, (cufftDoubleReal *)in, (cufftDoubleComplex *)out);
        return cufftExecZ2D(plan, (cufftDoubleComplex *)in, (cufftDoubleReal *)out);
    }
};
const cufftType Of<float>::type[] = {CUFFT_C2C, CUFFT_R2C, CUFFT_C2R}, Of<double>::type[] = {CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D};

static cufftHandle plan_of(const Row &row, cufftType type) {
    cufftHandle plan;
    int n[3] = {row.n[0], row.n[1], row.n[2]};
    Layout in = row.in, out = row.out;
    size_t bytes;
    if (!row.plain)
        FFT(cufftPlanMany(&plan, row.rank, n, in.embed, in.stride, in.distance, out.embed, out.stride, out.distance, type,
                          row.batch));
    else if (row.rank == 1)
        FFT(cufftPlan1d(&plan, n[0], type, row.batch));
    else if (row.batch > 1)
        FFT(cufftPlanMany(&plan, row.rank, n, nullptr, 1, 0, nullptr, 1, 0, type, row.batch));
    else if (row.rank == 2)
        FFT(cufftPlan2d(&plan, n[0], n[1], type));
    else {
        FFT(cufftCreate(&plan));
        FFT(cufftMakePlan3d(plan, n[0], n[1], n[2], type, &bytes));
    }
    return plan;
}

// Random numbers, and those of which a transform makes real ones.
static Numbers input_of(const Row &row, int sign) {
    static unsigned state = 1;
    Numbers x(count_of(row) * row.batch);
    for (Complex &number : x) {
        double parts[2];
        for (double &part : parts) part = (state = state * 1664525 + 1013904223) / 4294967296.0 - 0.5;
        number = Complex(parts[0], row.kind == COMPLEX ? parts[1] : 0);
    }
    return row.kind == TO_REAL ? transform(row, x, -sign) : x;
}

template <typename Real> static void put(Real *memory, bool real, int at, Complex number) {
    memory[real ? at : 2 * at] = (Real)number.real();
    if (!real) memory[2 * at + 1] = (Real)number.imag();
}

template <typename Real> static Complex get(const Real *memory, bool real, int at) {
    return real ? Complex(memory[at]) : Complex(memory[2 * at], memory[2 * at + 1]);
}

// What nothing writes stays.
template <typename Real> static bool keeps_gaps(const Row &row, const std::vector<Real> &memory) {
    std::vector<char> taken(memory.size());
    each(row, true, [&](int at, int) {
        if (is_real(row, true))
            taken[at] = 1;
        else
            taken[2 * at] = taken[2 * at + 1] = 1;
    });
    for (size_t i = 0; i < memory.size(); i++)
        if (!taken[i] && memory[i] != 42) return false;
    return true;
}

template <typename Real> static bool works(const Row &row, int sign) {
    enum { ROOM = 4096 };
    std::vector<Real> memory(ROOM, 42), result(ROOM, 42);
    Numbers x = input_of(row, sign);
    Real *in, *out;
    CHECK(cudaMalloc(&in, ROOM * sizeof(Real)));
    CHECK(cudaMalloc(&out, ROOM * sizeof(Real)));
    each(row, false, [&](int at, int of) {
        put(memory.data(), is_real(row, false), at, x[of]);
        x[of] = row.kind == TO_REAL ? x[of] : get(memory.data(), is_real(row, false), at);
    });
    CHECK(cudaMemcpy(in, memory.data(), ROOM * sizeof(Real), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(out, result.data(), ROOM * sizeof(Real), cudaMemcpyHostToDevice));
    const cufftHandle plan = plan_of(row, Of<Real>::type[row.kind]);
    FFT(Of<Real>::run(plan, row.kind, in, row.in_place ? in : out, sign));
    CHECK(cudaMemcpy(result.data(), row.in_place ? in : out, ROOM * sizeof(Real), cudaMemcpyDeviceToHost));
    FFT(cufftDestroy(plan));
    const Numbers y = transform(row, x, sign);
    double off = 0, all = 0;
    each(row, true, [&](int at, int of) {
        off += std::norm(get(result.data(), is_real(row, true), at) - y[of]);
        all += std::norm(y[of]);
    });
    const double error = std::sqrt(off / all), bound = sizeof(Real) == sizeof(float) ? 1e-6 : 1e-14;
    if (prints) printf("%s, %zu bytes, %+d: %.2g\n", row.name, sizeof(Real), sign, error);
    if (error > worst[sizeof(Real) > 4]) worst[sizeof(Real) > 4] = error;
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    const bool kept = row.in_place || keeps_gaps(row, result);
    if (!(error <= bound) || !kept)
        printf("wrong: %s, %zu bytes, %+d: %g%s\n", row.name, sizeof(Real), sign, error, kept ? "" : ", gaps");
    return error <= bound && kept;
}

__global__ void fill(cufftComplex *data, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = make_cuComplex((float)(i + 1), 0);
}
__global__ void scale(cufftComplex *data, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = cuCmulf(data[i], make_cuComplex(1.0f / n, 0));
}

// Between kernels of a stream, in a graph, and back: of 1, 2, 3, 4 the transform is 10, -2+2i, -2, -2-2i.
static bool goes_in_order() {
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cufftHandle plan;
    cufftComplex *data, there[4], back[4];
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&data, sizeof(there)));
    FFT(cufftPlan1d(&plan, 4, CUFFT_C2C, 1));
    FFT(cufftSetStream(plan, stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    fill<<<1, 4, 0, stream>>>(data, 4);
    FFT(cufftExecC2C(plan, data, data, CUFFT_FORWARD));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CHECK(cudaGraphLaunch(ready, stream));
    CHECK(cudaMemcpyAsync(there, data, sizeof(there), cudaMemcpyDeviceToHost, stream));
    FFT(cufftExecC2C(plan, data, data, CUFFT_INVERSE));
    scale<<<1, 4, 0, stream>>>(data, 4);
    CHECK(cudaMemcpyAsync(back, data, sizeof(back), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    FFT(cufftDestroy(plan));
    CHECK(cudaFree(data));
    static const float expected[4][2] = {{10, 0}, {-2, 2}, {-2, 0}, {-2, -2}};
    bool fine = true;
    for (int i = 0; i < 4; i++) {
        fine &= cuCabsf(cuCsubf(there[i], make_cuComplex(expected[i][0], expected[i][1]))) < 1e-5f;
        fine &= fabsf(back[i].x - (float)(i + 1)) < 1e-5f && fabsf(back[i].y) < 1e-5f;
    }
    return fine;
}

// (1 + 2i) / (3 - 4i) is (-5 + 10i) / 25; 3 and 4 make 5, however large.
static bool divides() {
    const cuComplex narrow = cuCdivf(make_cuComplex(1, 2), make_cuComplex(3, -4));
    const cuDoubleComplex wide = cuCdiv(make_cuDoubleComplex(1e200, 2e200), make_cuDoubleComplex(3e200, -4e200));
    return fabsf(narrow.x + 0.2f) < 1e-6f && fabsf(narrow.y - 0.4f) < 1e-6f && fabs(wide.x + 0.2) < 1e-15 &&
           fabs(wide.y - 0.4) < 1e-15 && fabs(cuCabs(make_cuDoubleComplex(3e200, 4e200)) / 5e200 - 1) < 1e-15 &&
           cuCabsf(make_cuComplex(0, 0)) == 0;
}

// x * y + z, to which z is added first: a quarter beside a product that is 2^24, or 2^54, is lost unless that has gone before.
static bool adds_first() {
    const float n = 4096;
    const double w = 134217728;
    const cuComplex narrow[] = {cuCfmaf(make_cuComplex(n, .5f), make_cuComplex(n, .5f), make_cuComplex(-n * n, 0)),
                                cuCfmaf(make_cuComplex(n, .5f), make_cuComplex(.5f, n), make_cuComplex(0, -n * n))};
    const cuDoubleComplex wide[] = {
        cuCfma(make_cuDoubleComplex(w, .5), make_cuDoubleComplex(w, .5), make_cuDoubleComplex(-w * w, 0)),
        cuCfma(make_cuDoubleComplex(w, .5), make_cuDoubleComplex(.5, w), make_cuDoubleComplex(0, -w * w))};
    return narrow[0].x == -.25f && narrow[0].y == n && narrow[1].x == 0 && narrow[1].y == .25f && wide[0].x == -.25 &&
           wide[0].y == w && wide[1].x == 0 && wide[1].y == .25;
}

// Columns 0 to 3 of eight in one stream, 4 to 7 in another: numbers take turns in memory, and none is shared.
static bool shares_nothing() {
    int n = 8;
    cufftHandle plan;
    cufftComplex *data, ones[64], back[64];
    cudaStream_t streams[2];
    for (cufftComplex &one : ones) one = make_cuComplex(1, 0);
    CHECK(cudaMalloc(&data, sizeof(ones)));
    CHECK(cudaMemcpy(data, ones, sizeof(ones), cudaMemcpyHostToDevice));
    FFT(cufftPlanMany(&plan, 1, &n, &n, 8, 1, &n, 8, 1, CUFFT_C2C, 4));
    for (int i = 0; i < 2; i++) {
        CHECK(cudaStreamCreate(&streams[i]));
        FFT(cufftSetStream(plan, streams[i]));
        FFT(cufftExecC2C(plan, data + 4 * i, data + 4 * i, CUFFT_FORWARD));
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(back, data, sizeof(ones), cudaMemcpyDeviceToHost));
    FFT(cufftDestroy(plan));
    CHECK(cudaFree(data));
    bool fine = true;
    for (int i = 0; i < 64; i++) fine &= fabsf(back[i].x - (i < 8 ? 8 : 0)) < 1e-5f && fabsf(back[i].y) < 1e-5f;
    return fine;
}

// A plan that made its work area keeps it, whatever is said of areas later.
static bool keeps_area() {
    enum { N = 1 << 20 };
    cufftHandle plan;
    cufftComplex *data;
    CHECK(cudaMalloc(&data, N * sizeof(*data)));
    CHECK(cudaMemset(data, 0, N * sizeof(*data)));
    FFT(cufftPlan1d(&plan, N, CUFFT_C2C, 1));
    FFT(cufftSetAutoAllocation(plan, 0));
    const cufftResult result = cufftExecC2C(plan, data, data, CUFFT_FORWARD);
    CHECK(cudaDeviceSynchronize());
    FFT(cufftDestroy(plan));
    CHECK(cudaFree(data));
    return result == CUFFT_SUCCESS;
}

int main(int argc, char **) {
    bool fine = goes_in_order() & divides() & adds_first() & shares_nothing() & keeps_area();
    if (!fine) printf("wrong: in the order of streams, complex numbers or work areas\n");
    prints = argc > 1;
    for (const Row &row : rows)
        for (int sign = row.kind == TO_REAL ? 1 : -1; sign <= (row.kind == FROM_REAL ? -1 : 1); sign += 2)
            fine &= works<float>(row, sign) & works<double>(row, sign);
    if (prints) printf("at most %.2g and %.2g\n", worst[0], worst[1]);
    if (fine) printf("ok\n");
    return !fine;
}
