// Textures and surfaces: buffers, rows with a pitch, arrays of one to three dimensions and of layers; points and lines between them, what comes of
// coordinates outside, integers as fractions, gathering; copies to arrays and from them.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" // cudaMemcpyToArray, which programs still call

enum Shape { FETCH, LINE, PLANE, SPACE, LINES, PLANES, LOD, GRAD };

struct Point {
    float x, y, z;
    int layer;
};

template <typename T> __global__ void read(cudaTextureObject_t t, Shape shape, const Point *points, T *out) {
    const Point p = points[threadIdx.x];
    T v;
    switch (shape) {
    case FETCH: v = tex1Dfetch<T>(t, (int)p.x); break;
    case LINE: v = tex1D<T>(t, p.x); break;
    case PLANE: v = tex2D<T>(t, p.x, p.y); break;
    case SPACE: tex3D(&v, t, p.x, p.y, p.z); break;
    case LINES: v = tex1DLayered<T>(t, p.x, p.layer); break;
    case PLANES: v = tex2DLayered<T>(t, p.x, p.y, p.layer); break;
    case LOD: v = tex2DLod<T>(t, p.x, p.y, 3); break;
    default: v = tex2DGrad<T>(t, p.x, p.y, make_float2(1, 0), make_float2(0, 1));
    }
    out[threadIdx.x] = v;
}

static int wrong;

template <typename T> static std::vector<T> look(cudaTextureObject_t t, Shape shape, const std::vector<Point> &points) {
    Point *in;
    T *out;
    std::vector<T> got(points.size());
    CHECK(cudaMalloc(&in, points.size() * sizeof *in));
    CHECK(cudaMalloc(&out, points.size() * sizeof *out));
    CHECK(cudaMemcpy(in, points.data(), points.size() * sizeof *in, cudaMemcpyHostToDevice));
    read<T><<<1, (unsigned)points.size()>>>(t, shape, in, out);
    CHECK(cudaMemcpy(got.data(), out, points.size() * sizeof *out, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return got;
}

template <typename T>
static void expect(const char *what, cudaTextureObject_t t, Shape shape, const std::vector<Point> &points,
                   const std::vector<T> &wanted) {
    const std::vector<T> got = look<T>(t, shape, points);
    for (size_t i = 0; i < wanted.size(); i++) {
        if (got[i] == wanted[i]) continue;
        printf("%s: number %zu is %.9g, expected %.9g\n", what, i, (double)got[i], (double)wanted[i]);
        wrong = 1;
    }
}

static cudaTextureDesc describe(cudaTextureAddressMode mode, cudaTextureFilterMode filter, bool normalised) {
    cudaTextureDesc d = {};
    for (int i = 0; i < 3; i++) d.addressMode[i] = mode;
    d.filterMode = filter;
    d.readMode = cudaReadModeElementType;
    d.normalizedCoords = normalised;
    d.borderColor[0] = 64;
    return d;
}

static cudaTextureObject_t of_array(cudaArray_t array, const cudaTextureDesc &d) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &r, &d, NULL));
    return t;
}

template <typename T> static cudaArray_t filled(cudaExtent e, unsigned flags, const std::vector<T> &data) {
    const cudaChannelFormatDesc f = cudaCreateChannelDesc<T>();
    cudaArray_t a;
    CHECK(cudaMalloc3DArray(&a, &f, e, flags));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr((void *)data.data(), e.width * sizeof(T), e.width, e.height ? e.height : 1);
    p.dstArray = a;
    p.extent = make_cudaExtent(e.width, e.height ? e.height : 1, e.depth ? e.depth : 1);
    p.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&p));
    return a;
}

static const cudaTextureFilterMode point = cudaFilterModePoint, smooth = cudaFilterModeLinear;
static const cudaTextureAddressMode wrap = cudaAddressModeWrap, clamp = cudaAddressModeClamp, mirror = cudaAddressModeMirror,
                                    border = cudaAddressModeBorder;

static void buffers() {
    std::vector<float> v(64);
    for (int i = 0; i < 64; i++) v[i] = 10.0f * i;
    float *d;
    size_t pitch;
    CHECK(cudaMalloc(&d, 256));
    CHECK(cudaMemcpy(d, v.data(), 256, cudaMemcpyHostToDevice));
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = d;
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    r.res.linear.sizeInBytes = 120;
    const cudaTextureDesc plain = describe(clamp, point, false), lines = describe(clamp, smooth, false);
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &r, &plain, NULL));
    expect<float>("a buffer of 30", t, FETCH, {{0}, {1}, {29}, {30}, {-1}}, {0, 10, 290, 0, 0});
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFree(d));

    CHECK(cudaMallocPitch(&d, &pitch, 5 * sizeof *d, 4));
    CHECK(cudaMemcpy2D(d, pitch, v.data(), 20, 20, 4, cudaMemcpyHostToDevice));
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = d;
    r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    r.res.pitch2D.width = 5;
    r.res.pitch2D.height = 4;
    r.res.pitch2D.pitchInBytes = pitch;
    CHECK(cudaCreateTextureObject(&t, &r, &lines, NULL));
    expect<float>("rows with a pitch", t, PLANE, {{0.5f, 0.5f}, {1, 0.5f}, {2.25f, 1}, {9, 9}, {-3, 1.5f}},
                  {0, 5, 42.5f, 190, 50});
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFree(d));
}

// With a border an H100 takes the line for a plane of one row, half of whose neighbourhood is border.
// The line's texels are 1, 2, 4, 8: at 0.25 of a line between two texels is a quarter of their distance.
static void modes() {
    cudaArray_t a = filled<float>(make_cudaExtent(4, 0, 0), 0, {1, 2, 4, 8});
    const std::vector<Point> texels = {{-0.5f}, {0}, {1.5f}, {3.99f}, {4.5f}},
                             parts = {{-0.125f}, {0.125f}, {0.375f}, {0.9375f}, {1.125f}, {1.375f}};
    expect<float>("points", of_array(a, describe(clamp, point, false)), LINE, texels, {1, 1, 2, 8, 8});
    expect<float>("points, wrapping needs numbers up to 1", of_array(a, describe(wrap, point, false)), LINE, texels,
                  {1, 1, 2, 8, 8});
    expect<float>("points, border", of_array(a, describe(border, point, false)), LINE, texels, {64, 1, 2, 8, 64});
    expect<float>("points, clamped", of_array(a, describe(clamp, point, true)), LINE, parts, {1, 1, 2, 8, 8, 8});
    expect<float>("points, wrapped", of_array(a, describe(wrap, point, true)), LINE, parts, {8, 1, 2, 8, 1, 2});
    expect<float>("points, mirrored", of_array(a, describe(mirror, point, true)), LINE, parts, {1, 1, 2, 8, 8, 4});
    const std::vector<Point> between = {{0.25f}, {0.75f}, {2}, {3.75f}}, ends = {{0}, {1}, {0.25f}, {1.0625f}};
    expect<float>("lines, clamped", of_array(a, describe(clamp, smooth, false)), LINE, between, {1, 1.25f, 3, 8});
    expect<float>("lines, border", of_array(a, describe(border, smooth, false)), LINE, between, {40.375f, 32.625f, 33.5f, 43});
    expect<float>("lines, wrapped", of_array(a, describe(wrap, smooth, true)), LINE, ends, {4.5f, 4.5f, 1.5f, 2.75f});
    expect<float>("lines, mirrored", of_array(a, describe(mirror, smooth, true)), LINE, ends, {1, 8, 1.5f, 8});
    CHECK(cudaFreeArray(a));
}

static void dimensions() {
    std::vector<float> v(60);
    for (int i = 0; i < 60; i++) v[i] = (float)(i % 4 + 10 * (i / 4 % 3) + 100 * (i / 12));
    cudaArray_t plane = filled<float>(make_cudaExtent(4, 3, 0), 0, v), space = filled<float>(make_cudaExtent(4, 3, 5), 0, v),
                planes = filled<float>(make_cudaExtent(4, 3, 5), cudaArrayLayered, v),
                lines = filled<float>(make_cudaExtent(4, 0, 5), cudaArrayLayered, v);
    const cudaTextureDesc texels = describe(clamp, point, false), between = describe(clamp, smooth, false);
    const std::vector<Point> at = {{1.5f, 1.5f, 2.5f, 2}, {2, 1, 3, 3}, {0, 0, 0, 0}, {1.75f, 2.25f, 4, 9}};
    expect<float>("plane, points", of_array(plane, texels), PLANE, at, {11, 12, 0, 21});
    expect<float>("plane, lines", of_array(plane, between), PLANE, at, {11, 6.5f, 0, 18.75f});
    expect<float>("plane, a level", of_array(plane, between), LOD, at, {11, 6.5f, 0, 18.75f});
    expect<float>("plane, gradients", of_array(plane, between), GRAD, at, {11, 6.5f, 0, 18.75f});
    expect<float>("space, points", of_array(space, texels), SPACE, at, {211, 312, 0, 421});
    expect<float>("space, lines", of_array(space, between), SPACE, at, {211, 256.5f, 0, 368.75f});
    expect<float>("planes, lines", of_array(planes, between), PLANES, at, {211, 306.5f, 0, 418.75f});
    expect<float>("lines, points", of_array(lines, texels), LINES, at, {21, 102, 0, 111}); // rows are 0, 10, 20, 100, 110
}

__global__ void gather(cudaTextureObject_t t, float4 *out) { *out = tex2Dgather<float4>(t, 2, 1, 0); }

static void kinds() {
    cudaTextureDesc d = describe(clamp, point, false);
    const std::vector<Point> all = {{0}, {1}, {2}, {3}};
    cudaArray_t bytes = filled<unsigned char>(make_cudaExtent(4, 0, 0), 0, {0, 51, 128, 255}),
                chars = filled<signed char>(make_cudaExtent(4, 0, 0), 0, {-128, -127, 0, 127}),
                words = filled<unsigned short>(make_cudaExtent(4, 0, 0), 0, {0, 13107, 32768, 65535}),
                ints = filled<int>(make_cudaExtent(4, 0, 0), 0, {0, -5, 1 << 30, -1});
    expect<unsigned char>("bytes", of_array(bytes, d), LINE, all, {0, 51, 128, 255});
    expect<int>("ints", of_array(ints, d), LINE, all, {0, -5, 1 << 30, -1});
    d.readMode = cudaReadModeNormalizedFloat;
    expect<float>("bytes as fractions", of_array(bytes, d), LINE, all, {0, 0.2f, 128 / 255.0f, 1});
    expect<float>("signed bytes as fractions", of_array(chars, d), LINE, all, {-1, -1, 0, 1});
    expect<float>("words as fractions", of_array(words, d), LINE, all, {0, 0.2f, 32768 / 65535.0f, 1});
    cudaArray_t colours = filled<uchar4>(make_cudaExtent(1, 1, 0), 0, {make_uchar4(255, 0, 51, 255)});
    const float4 c = look<float4>(of_array(colours, d), PLANE, {{0.5f, 0.5f}})[0];
    if (c.x != 1 || c.y != 0 || c.z != 0.2f || c.w != 1) printf("uchar4: %g %g %g %g\n", c.x, c.y, c.z, c.w), wrong = 1;
    cudaArray_t corners = filled<float>(make_cudaExtent(3, 2, 0), cudaArrayTextureGather, {1, 2, 3, 4, 5, 6});
    float4 *out, g;
    CHECK(cudaMalloc(&out, sizeof *out));
    gather<<<1, 1>>>(of_array(corners, describe(clamp, point, false)), out);
    CHECK(cudaMemcpy(&g, out, sizeof g, cudaMemcpyDeviceToHost));
    if (g.x != 5 || g.y != 6 || g.z != 3 || g.w != 2) printf("gathered: %g %g %g %g\n", g.x, g.y, g.z, g.w), wrong = 1;
}

template <typename T> __global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width, int height) {
    const int x = threadIdx.x, y = threadIdx.y;
    if (x < width && y < height)
        surf2Dwrite(surf2Dread<T>(from, x * (int)sizeof(T), y), to, (height - 1 - y) * (int)sizeof(T), x);
}

__global__ void edges(cudaSurfaceObject_t s, int *out) {
    out[0] = surf2Dread<int>(s, -4, 0, cudaBoundaryModeZero);
    out[1] = surf2Dread<int>(s, -4, 0, cudaBoundaryModeClamp);
    out[2] = surf2Dread<int>(s, 400, 9, cudaBoundaryModeClamp);
    surf2Dwrite(1, s, 0, 2, cudaBoundaryModeZero);
    surf2Dwrite(2, s, 400, 0, cudaBoundaryModeZero);
}

__global__ void deep(cudaSurfaceObject_t space, cudaSurfaceObject_t layers) {
    surf3Dwrite((short)7, space, 2, 1, 1);
    surf2DLayeredwrite(surf3Dread<short>(space, 0, 0, 1), layers, 2, 1, 1);
}

static cudaSurfaceObject_t surface(cudaArray_t array) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaSurfaceObject_t s;
    CHECK(cudaCreateSurfaceObject(&s, &r));
    return s;
}

static void surfaces() {
    std::vector<int> v = {1, 2, 3, 4, 5, 6}, back(6);
    cudaArray_t from = filled<int>(make_cudaExtent(3, 2, 0), cudaArraySurfaceLoadStore, v),
                to = filled<int>(make_cudaExtent(2, 3, 0), cudaArraySurfaceLoadStore, v);
    turn<int><<<1, dim3(4, 4)>>>(surface(from), surface(to), 3, 2);
    CHECK(cudaMemcpy2DFromArray(back.data(), 8, to, 0, 0, 8, 3, cudaMemcpyDeviceToHost));
    if (back != std::vector<int>{4, 1, 5, 2, 6, 3}) printf("a plane that was turned is wrong\n"), wrong = 1;
    int *out, seen[3];
    CHECK(cudaMalloc(&out, sizeof seen));
    edges<<<1, 1>>>(surface(from), out);
    CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromArray(back.data(), from, 0, 0, 24, cudaMemcpyDeviceToHost));
    if (seen[0] != 0 || seen[1] != 1 || seen[2] != 6 || back != v) printf("a surface's edges are wrong\n"), wrong = 1;
    const std::vector<short> numbers = {1, 2, 3, 4, 5, 6, 7, 8};
    cudaArray_t space = filled<short>(make_cudaExtent(2, 2, 2), cudaArraySurfaceLoadStore, numbers),
                layers = filled<short>(make_cudaExtent(2, 2, 2), cudaArraySurfaceLoadStore | cudaArrayLayered, numbers);
    deep<<<1, 1>>>(surface(space), surface(layers));
    std::vector<short> now(8);
    for (cudaArray_t a : {space, layers}) {
        cudaMemcpy3DParms p = {};
        p.srcArray = a;
        p.dstPtr = make_cudaPitchedPtr(now.data(), 4, 2, 2);
        p.extent = make_cudaExtent(2, 2, 2);
        p.kind = cudaMemcpyDeviceToHost;
        CHECK(cudaMemcpy3D(&p));
        if (now != std::vector<short>{1, 2, 3, 4, 5, 6, 7, (short)(a == space ? 7 : 5)})
            printf("slices or layers are wrong\n"), wrong = 1;
    }
}

static void copies() {
    const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaArray_t a, b;
    std::vector<float> v = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, back(12);
    CHECK(cudaMallocArray(&a, &f, 4, 3));
    CHECK(cudaMallocArray(&b, &f, 4, 3, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArrayAsync(a, 0, 0, v.data(), 16, 16, 3, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToArray(b, 0, 0, v.data(), 48, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2DArrayToArray(b, 4, 1, a, 8, 0, 8, 2, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy2DFromArrayAsync(back.data(), 16, b, 0, 0, 16, 3, cudaMemcpyDeviceToHost));
    CHECK(cudaDeviceSynchronize());
    if (back != std::vector<float>{1, 2, 3, 4, 5, 3, 4, 8, 9, 7, 8, 12})
        printf("an array that was copied is wrong\n"), wrong = 1;
    if (cudaMemcpy2DToArray(a, 4, 0, v.data(), 16, 16, 3, cudaMemcpyHostToDevice) != cudaErrorInvalidValue)
        printf("a copy past the rows' ends is taken\n"), wrong = 1;
    cudaChannelFormatDesc format;
    cudaExtent extent;
    unsigned flags;
    CHECK(cudaArrayGetInfo(&format, &extent, &flags, b));
    CHECK(cudaGetChannelDesc(&format, b));
    if (format.x != 32 || format.y || format.f != cudaChannelFormatKindFloat || extent.width != 4 || extent.height != 3 ||
        extent.depth || flags != cudaArraySurfaceLoadStore)
        printf("an array's description is wrong\n"), wrong = 1;
    const cudaTextureDesc d = describe(mirror, smooth, true);
    cudaTextureDesc sampling;
    cudaResourceDesc resource;
    const cudaTextureObject_t t = of_array(a, d);
    CHECK(cudaGetTextureObjectTextureDesc(&sampling, t));
    CHECK(cudaGetTextureObjectResourceDesc(&resource, t));
    if (sampling.addressMode[1] != mirror || sampling.filterMode != smooth || resource.res.array.array != a)
        printf("an object's description is wrong\n"), wrong = 1;
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeArray(a));
    CHECK(cudaFreeArray(b));
}

int main() {
    buffers();
    modes();
    dimensions();
    kinds();
    surfaces();
    copies();
    CHECK(cudaDeviceSynchronize());
    printf(wrong ? "wrong\n" : "ok\n");
    return wrong;
}
