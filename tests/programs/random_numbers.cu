// cuRAND's host API: the sequences of NVIDIA's libcurand 10.4.0, whose generators for the host need no GPU.
#include "check.h"

#include <curand.h>
#ifndef CURAND_H_
#error "helpers of NVIDIA's samples ask for it"
#endif

#include <cmath>
#include <vector>

#define HOLDS(condition) CHECK((condition) ? cudaSuccess : cudaErrorUnknown)
#define RAND(call) HOLDS((call) == CURAND_STATUS_SUCCESS)

static const curandRngType_t types[] = {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10};

// A generator and memory that are both the device's or both the host's.
struct Numbers {
    bool on_device;
    curandGenerator_t generator;
    Numbers(bool on_device, curandRngType_t type, unsigned long long seed) : on_device(on_device) {
        RAND(on_device ? curandCreateGenerator(&generator, type) : curandCreateGeneratorHost(&generator, type));
        RAND(curandSetPseudoRandomGeneratorSeed(generator, seed));
    }
    ~Numbers() { RAND(curandDestroyGenerator(generator)); }

    template <typename T, typename Generate> std::vector<T> get(size_t count, Generate generate) {
        std::vector<T> values(count);
        if (!on_device) {
            RAND(generate(generator, values.data(), count));
            return values;
        }
        T *at;
        CHECK(cudaMalloc(&at, count * sizeof(T)));
        RAND(generate(generator, at, count));
        CHECK(cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
        CHECK(cudaFree(at));
        return values;
    }
    std::vector<unsigned> bits(size_t count) { return get<unsigned>(count, curandGenerate); }
    std::vector<float> floats(size_t count) { return get<float>(count, curandGenerateUniform); }
    std::vector<double> doubles(size_t count) { return get<double>(count, curandGenerateUniformDouble); }
    std::vector<float> normal(size_t count, float mean, float deviation) {
        return get<float>(
            count, [=](curandGenerator_t g, float *to, size_t n) { return curandGenerateNormal(g, to, n, mean, deviation); });
    }
    std::vector<double> normal(size_t count, double mean, double deviation) {
        return get<double>(count, [=](curandGenerator_t g, double *to, size_t n) {
            return curandGenerateNormalDouble(g, to, n, mean, deviation);
        });
    }
    std::vector<double> log_normal(size_t count) {
        return get<double>(
            count, [](curandGenerator_t g, double *to, size_t n) { return curandGenerateLogNormalDouble(g, to, n, 0, 1); });
    }
};

template <typename T> static bool near(const std::vector<T> &values, const double *expected, double bound) {
    for (size_t i = 0; i < values.size(); i++)
        if (std::fabs(values[i] - expected[i]) > bound) return false;
    return true;
}

// In which each number counts by its place.
static unsigned long long sum(const std::vector<unsigned> &values, unsigned long long at = 0, unsigned long long before = 0) {
    for (unsigned value : values) before += ++at * value;
    return before;
}

// A GPU's sine is not the host's to the last bit: normal numbers are near, all others the same.
static void first_numbers(bool on_device) {
    static const unsigned bits[][4] = {{624778773, 3522650202, 2363946744, 1266286439},
                                       {3379073520, 653317650, 4012281984, 4237272334},
                                       {546353992, 3665621163, 1140953199, 3419031310}};
    static const unsigned far[][4] = {{315812507, 3811973504, 1988493014, 1969833698},
                                      {2772676904, 1742558505, 2959306929, 2859918734},
                                      {462216352, 3977317304, 4173270940, 1463676144}};
    static const float floats[][4] = {{0.14546764F, 0.8201809F, 0.55039924F, 0.2948303F},
                                      {0.78675187F, 0.15211236F, 0.9341822F, 0.98656684F},
                                      {0.12720795F, 0.85346895F, 0.26564887F, 0.79605526F}};
    static const double doubles[][4] = {{0.43489880438841294, 0.9264169202024377, 0.8118452111300192, 0.30855542463539803},
                                        {0.7867518627157294, 0.15211236914421553, 0.9341821969123743, 0.9865668449067676},
                                        {0.8534689954300143, 0.7960551488327052, 0.11227557330034327, 0.08006063132372038}};
    static const double normal[][4] = {{0.78097355, -1.8015782, -0.28084856, 0.5635466},
                                       {-0.3606538, -0.5912813, -1.7185365, -0.901612},
                                       {-1.6164905, 1.2291554, -1.5605404, 0.46462137}};
    static const double wide[][4] = {{0.35873979852445503, -1.239592503223552, -0.09149539977360863, -0.38011893868395424},
                                     {-0.3606536461117447, -0.5912814037417441, -1.718536061653114, -0.9016126252167356},
                                     {-0.5395266959073188, 0.16063334644202293, 1.0081967077372695, 1.8322492478152392}};
    for (int i = 0; i < 3; i++) {
        HOLDS((Numbers(on_device, types[i], 1234).bits(4) == std::vector<unsigned>(bits[i], bits[i] + 4)));
        HOLDS((Numbers(on_device, types[i], 1234).floats(4) == std::vector<float>(floats[i], floats[i] + 4)));
        HOLDS((Numbers(on_device, types[i], 1234).doubles(4) == std::vector<double>(doubles[i], doubles[i] + 4)));
        HOLDS(near(Numbers(on_device, types[i], 1234).normal(4, 0.0F, 1.0F), normal[i], 1e-5));
        HOLDS(near(Numbers(on_device, types[i], 1234).normal(4, 0.0, 1.0), wide[i], 1e-12));
        double moved[4], grown[4];
        for (int j = 0; j < 4; j++) moved[j] = 3 + 2 * normal[i][j], grown[j] = std::exp(wide[i][j]);
        HOLDS(near(Numbers(on_device, types[i], 1234).normal(4, 3.0F, 2.0F), moved, 2e-5));
        HOLDS(near(Numbers(on_device, types[i], 1234).log_normal(4), grown, 1e-11));
        Numbers later(on_device, types[i], 1234);
        RAND(curandSetGeneratorOffset(later.generator, 70000));
        HOLDS((later.bits(4) == std::vector<unsigned>(far[i], far[i] + 4)));
    }
}

// Far enough for every stream's second number; the same by several calls.
static void many_numbers(bool on_device) {
    static const unsigned long long sums[][2] = {
        {0x1806e901e5cf073, 0x1805a64942cfb11}, {0x17c022742666629, 0x17b453ffad2f949}, {0x179f8426a16a4d0, 0x179e40d8c42e70d}};
    for (int i = 0; i < 3; i++) {
        HOLDS(sum(Numbers(on_device, types[i], 7).bits(10000)) == sums[i][0]);
        Numbers legacy(on_device, types[i], 7);
        RAND(curandSetGeneratorOrdering(legacy.generator, CURAND_ORDERING_PSEUDO_LEGACY));
        RAND(curandSetGeneratorOffset(legacy.generator, 5));
        const unsigned long long first = sum(legacy.bits(3));
        HOLDS(sum(legacy.bits(9997), 3, first) == sums[i][1]);
    }
}

// After 3 numbers, 3 doubles take two of each of three streams; what follows is the next streams'.
static void mixed(bool on_device) {
    const std::vector<unsigned> plain = Numbers(on_device, types[0], 7).bits(4110);
    Numbers numbers(on_device, types[0], 7);
    numbers.bits(3);
    const std::vector<double> doubles = numbers.doubles(3);
    const unsigned long long z = plain[3] ^ (unsigned long long)plain[4096 + 3] << 21;
    HOLDS(doubles[0] == std::ldexp((double)z, -53) + std::ldexp(1.0, -54));
    HOLDS(numbers.bits(1)[0] == plain[6]);
    RAND(curandSetPseudoRandomGeneratorSeed(numbers.generator, 7)); // the same: nothing begins anew
    HOLDS(numbers.bits(1)[0] == plain[7]);
    RAND(curandSetPseudoRandomGeneratorSeed(numbers.generator, 8)); // another, at the same place
    HOLDS(numbers.bits(1)[0] == Numbers(on_device, types[0], 8).bits(9)[8]);
    RAND(curandSetGeneratorOffset(numbers.generator, 2));
    HOLDS(numbers.bits(1)[0] == Numbers(on_device, types[0], 8).bits(3)[2]);
}

// Each number of MT19937 is one of 32 bits, whatever it is made into, and normal ones need no pairs. It has no offsets.
static void twister(bool on_device) {
    static const float floats[] = {0.191519454F, 0.0680847168F, 0.149833709F, 0.657769203F,
                                   0.593411326F, 0.759158075F,  0.658873498F, 0.10917367F};
    static const double doubles[] = {0.43419004895258695, 0.13558077451307327, 0.65895227354485542, 0.99609661975409836,
                                     0.0815292774932459,  0.31891338678542525, 0.14890616165939718, 0.71311944688204676};
    static const double normal[] = {0.18426403, 0.31243107,   -1.4759198, -0.873137,
                                    -1.1328101, -0.021826688, -0.842224,  0.087806284};
    static const double wide[] = {-0.59409745742542985, -0.94857655499815652, -0.43458174486576695, -0.8859326060524868,
                                  0.13329640081962185,  1.7722747270381369,   -0.1580454121052719,  -0.63223531249587428};
    static const unsigned bits[][3] = {{2838483517, 503624990, 1532288176},
                                       {4147457735, 2069367187, 1350035218},
                                       {3287517335, 131424923, 116133309},
                                       {1571120395, 2334432778, 4142661249}};
    Numbers numbers(on_device, CURAND_RNG_PSEUDO_MT19937, 1234);
    HOLDS(curandSetGeneratorOffset(numbers.generator, 5) == CURAND_STATUS_TYPE_ERROR);
    HOLDS((numbers.floats(8) == std::vector<float>(floats, floats + 8)));
    HOLDS((numbers.doubles(8) == std::vector<double>(doubles, doubles + 8)));
    HOLDS((numbers.bits(3) == std::vector<unsigned>(bits[0], bits[0] + 3)));
    numbers.bits(5);
    HOLDS(near(numbers.normal(8, 0.0F, 1.0F), normal, 1e-6));
    HOLDS((numbers.bits(3) == std::vector<unsigned>(bits[1], bits[1] + 3)));
    numbers.bits(5);
    HOLDS(near(numbers.normal(8, 0.0, 1.0), wide, 1e-14));
    HOLDS((numbers.bits(3) == std::vector<unsigned>(bits[2], bits[2] + 3)));
    numbers.bits(5);
    numbers.normal(7, 0.0F, 1.0F);
    HOLDS((numbers.bits(3) == std::vector<unsigned>(bits[3], bits[3] + 3)));
}

// Of each of 16 dimensions 32, the last of them at hand; a quasi-random generator has no seed.
static void quasi_random(bool on_device) {
    static const unsigned last[] = {543162368,  3227516928, 312475648, 1553989632, 2929721344, 3089104896,
                                    2648702976, 912261120,  308281344, 1272971264, 1918894080, 3420454912,
                                    350224384,  916455424,  31457280,  4217372672};
    curandGenerator_t generator;
    std::vector<unsigned> values(16 * 32);
    void *at = values.data();
    if (on_device) CHECK(cudaMalloc(&at, values.size() * 4));
    RAND(on_device ? curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32)
                   : curandCreateGeneratorHost(&generator, CURAND_RNG_QUASI_SOBOL32));
    HOLDS(curandSetPseudoRandomGeneratorSeed(generator, 1) == CURAND_STATUS_TYPE_ERROR);
    RAND(curandSetQuasiRandomGeneratorDimensions(generator, 16));
    RAND(curandSetGeneratorOffset(generator, 1000));
    HOLDS(curandGenerate(generator, (unsigned *)at, 17) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    RAND(curandGenerate(generator, (unsigned *)at, values.size()));
    if (on_device) CHECK(cudaMemcpy(values.data(), at, values.size() * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 16; i++) HOLDS(values[32 * i + 31] == last[i]);
    RAND(curandSetQuasiRandomGeneratorDimensions(generator, 1));
    RAND(curandSetGeneratorOffset(generator, 0));
    static const double doubles[] = {0x1p-32, 0.5 + 0x1p-32, 0.75 + 0x1p-32, 0.25 + 0x1p-32}; // Gray codes 0, 1, 3, 2, mirrored
    static const double normal[] = {-6.33795775455379, 2.918099372916623e-10, 0.6744897505624251, -0.6744897498297384};
    std::vector<double> wide(4);
    double *to = on_device ? (double *)at : wide.data();
    for (int i = 0; i < 2; i++) {
        RAND(curandSetGeneratorOffset(generator, i ? 1ULL << 32 : 0)); // behind 2^32 numbers the first follows again
        RAND(i ? curandGenerateNormalDouble(generator, to, 4, 0, 1) : curandGenerateUniformDouble(generator, to, 4));
        if (on_device) CHECK(cudaMemcpy(wide.data(), to, 32, cudaMemcpyDeviceToHost));
        HOLDS(near(wide, i ? normal : doubles, i ? 1e-14 : 0));
    }
    RAND(curandDestroyGenerator(generator));
    if (on_device) CHECK(cudaFree(at));
}

__global__ void doubled(unsigned *numbers) { numbers[threadIdx.x] *= 2; }

static void in_order() {
    cudaStream_t stream;
    unsigned *at, host[64];
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&at, sizeof host));
    const std::vector<unsigned> expected = Numbers(false, types[0], 5).bits(128);
    Numbers numbers(true, types[0], 5);
    RAND(curandSetStream(numbers.generator, stream));
    for (int call = 0; call < 2; call++) {
        RAND(curandGenerate(numbers.generator, at, 64));
        doubled<<<1, 64, 0, stream>>>(at);
        CHECK(cudaMemcpyAsync(host, at, sizeof host, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaStreamSynchronize(stream));
        for (int i = 0; i < 64; i++) HOLDS(host[i] == 2 * expected[64 * call + i]);
    }
    CHECK(cudaFree(at));
    CHECK(cudaStreamDestroy(stream));
}

static void refused(bool on_device) {
    Numbers numbers(on_device, types[0], 1);
    float *at = nullptr;
    if (on_device)
        CHECK(cudaMalloc(&at, 64));
    else
        at = new float[16];
    HOLDS(curandGenerateNormal(numbers.generator, at, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    HOLDS(curandSetGeneratorOrdering(numbers.generator, CURAND_ORDERING_QUASI_DEFAULT) == CURAND_STATUS_OUT_OF_RANGE);
    HOLDS(curandSetQuasiRandomGeneratorDimensions(numbers.generator, 2) == CURAND_STATUS_TYPE_ERROR);
    HOLDS(curandGenerateLongLong(numbers.generator, (unsigned long long *)at, 2) == CURAND_STATUS_TYPE_ERROR);
    RAND(curandGenerate(numbers.generator, (unsigned *)at, 0));
    curandGenerator_t none;
    HOLDS(curandCreateGenerator(&none, (curandRngType_t)7) == CURAND_STATUS_TYPE_ERROR);
    if (on_device)
        CHECK(cudaFree(at));
    else
        delete[] at;
}

int main() {
    int version = 0;
    RAND(curandGetVersion(&version));
    HOLDS(version / 1000 == 10);
    int major = 0, minor = 0, patch = 0;
    RAND(curandGetProperty(MAJOR_VERSION, &major));
    RAND(curandGetProperty(MINOR_VERSION, &minor));
    RAND(curandGetProperty(PATCH_LEVEL, &patch));
    HOLDS(version == 1000 * major + 100 * minor + patch);
    HOLDS(curandGetProperty((libraryPropertyType)7, &major) == CURAND_STATUS_OUT_OF_RANGE);
    for (int on_device = 0; on_device < 2; on_device++) {
        first_numbers(on_device);
        many_numbers(on_device);
        mixed(on_device);
        twister(on_device);
        quasi_random(on_device);
        refused(on_device);
    }
    in_order();
    puts("ok");
}
