/* surface.h: reads and writes of surface objects (CUDA C++ Programming Guide, "Surface Functions"); x counts bytes. */
#pragma once

#include "texture.h"

/* What moves values of so many bytes: 1, 2, 4, 8 or 16. */
template <unsigned bytes> struct WarpscopeSurface;
struct __attribute__((aligned(16))) WarpscopeWide {
    unsigned long long low, high;
};

#define WARPSCOPE_MODES(code, suffix, ...)                          \
    if (mode == cudaBoundaryModeZero)                               \
        asm volatile(code ".zero " suffix:__VA_ARGS__ : "memory");  \
    else if (mode == cudaBoundaryModeClamp)                         \
        asm volatile(code ".clamp " suffix:__VA_ARGS__ : "memory"); \
    else                                                            \
        asm volatile(code ".trap " suffix:__VA_ARGS__ : "memory");
#define WARPSCOPE_PLACE [s] "l"(surface), [x] "r"(x), [y] "r"(y), [z] "r"(z)
/* Of one geometry; `at` are its coordinates in PTX, `of` the values' registers. */
#define WARPSCOPE_ACCESS(name, geometry, at, type, ptx, of, outputs, inputs)                                                   \
    WARPSCOPE_METHOD static type read_##name(cudaSurfaceObject_t surface, int x, int y, int z, cudaSurfaceBoundaryMode mode) { \
        type v;                                                                                                                \
        WARPSCOPE_MODES("suld.b." geometry "." ptx, of ", [%[s], {" at "}];", WARPSCOPE_LIST outputs : WARPSCOPE_PLACE)        \
        return v;                                                                                                              \
    }                                                                                                                          \
    WARPSCOPE_METHOD static void write_##name(type v, cudaSurfaceObject_t surface, int x, int y, int z,                        \
                                              cudaSurfaceBoundaryMode mode) {                                                  \
        WARPSCOPE_MODES("sust.b." geometry "." ptx, "[%[s], {" at "}], " of ";", : WARPSCOPE_LIST inputs, WARPSCOPE_PLACE)     \
    }
#define WARPSCOPE_SURFACE(bytes, type, ...)                                          \
    template <> struct WarpscopeSurface<bytes> {                                     \
        typedef type Value;                                                          \
        WARPSCOPE_ACCESS(line, "1d", "%[x]", type, __VA_ARGS__)                      \
        WARPSCOPE_ACCESS(plane, "2d", "%[x], %[y]", type, __VA_ARGS__)               \
        WARPSCOPE_ACCESS(space, "3d", "%[x], %[y], %[z], %[z]", type, __VA_ARGS__)   \
        WARPSCOPE_ACCESS(lines, "a1d", "%[z], %[x]", type, __VA_ARGS__)              \
        WARPSCOPE_ACCESS(planes, "a2d", "%[z], %[x], %[y], %[y]", type, __VA_ARGS__) \
    };
WARPSCOPE_SURFACE(1, unsigned short, "b8", "{%[v]}", ([v] "=h"(v)), ([v] "h"(v)))
WARPSCOPE_SURFACE(2, unsigned short, "b16", "{%[v]}", ([v] "=h"(v)), ([v] "h"(v)))
WARPSCOPE_SURFACE(4, unsigned int, "b32", "{%[v]}", ([v] "=r"(v)), ([v] "r"(v)))
WARPSCOPE_SURFACE(8, unsigned long long, "b64", "{%[v]}", ([v] "=l"(v)), ([v] "l"(v)))
WARPSCOPE_SURFACE(16, WarpscopeWide, "v2.b64", "{%[v], %[w]}", ([v] "=l"(v.low), [w] "=l"(v.high)),
                  ([v] "l"(v.low), [w] "l"(v.high)))
#undef WARPSCOPE_SURFACE
#undef WARPSCOPE_ACCESS
#undef WARPSCOPE_PLACE
#undef WARPSCOPE_MODES

template <typename T> WARPSCOPE_DEVICE T warpscope_from(typename WarpscopeSurface<sizeof(T)>::Value value) {
    T made;
    __builtin_memcpy(&made, &value, sizeof made);
    return made;
}
template <typename T> WARPSCOPE_DEVICE typename WarpscopeSurface<sizeof(T)>::Value warpscope_into(T value) {
    typename WarpscopeSurface<sizeof(T)>::Value made{};
    __builtin_memcpy(&made, &value, sizeof value);
    return made;
}

/* T surfNread(surface, …), surfNread(T *, surface, …) and surfNwrite(T, surface, …). */
#define WARPSCOPE_SURFACE(name, form, parameters, ...)                                                  \
    template <typename T>                                                                               \
    WARPSCOPE_DEVICE T name##read(cudaSurfaceObject_t surface, WARPSCOPE_LIST parameters,               \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                \
        return warpscope_from<T>(WarpscopeSurface<sizeof(T)>::read_##form(surface, __VA_ARGS__, mode)); \
    }                                                                                                   \
    template <typename T>                                                                               \
    WARPSCOPE_DEVICE void name##read(T *to, cudaSurfaceObject_t surface, WARPSCOPE_LIST parameters,     \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {             \
        *to = warpscope_from<T>(WarpscopeSurface<sizeof(T)>::read_##form(surface, __VA_ARGS__, mode));  \
    }                                                                                                   \
    template <typename T>                                                                               \
    WARPSCOPE_DEVICE void name##write(T value, cudaSurfaceObject_t surface, WARPSCOPE_LIST parameters,  \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {            \
        WarpscopeSurface<sizeof(T)>::write_##form(warpscope_into(value), surface, __VA_ARGS__, mode);   \
    }
WARPSCOPE_SURFACE(surf1D, line, (int x), x, 0, 0)
WARPSCOPE_SURFACE(surf2D, plane, (int x, int y), x, y, 0)
WARPSCOPE_SURFACE(surf3D, space, (int x, int y, int z), x, y, z)
WARPSCOPE_SURFACE(surf1DLayered, lines, (int x, int layer), x, 0, layer)
WARPSCOPE_SURFACE(surf2DLayered, planes, (int x, int y, int layer), x, y, layer)
#undef WARPSCOPE_SURFACE
#undef WARPSCOPE_LIST
