/* texture.h: reads of texture objects (CUDA C++ Programming Guide, "Texture Functions"). Objects have one level, so that functions with a level
 * or gradients read as those without. Cube maps are not emulated. */
#pragma once

#include "../driver_types.h"
#include "texels.h"

#define WARPSCOPE_FETCH(name, code, parameters, ...)                                                    \
    WARPSCOPE_DEVICE uint4 name(cudaTextureObject_t texture, WARPSCOPE_LIST parameters) {               \
        uint4 bits;                                                                                     \
        asm(code : "=r"(bits.x), "=r"(bits.y), "=r"(bits.z), "=r"(bits.w) : "l"(texture), __VA_ARGS__); \
        return bits;                                                                                    \
    }
#define WARPSCOPE_LIST(...) __VA_ARGS__
WARPSCOPE_FETCH(warpscope_fetch, "tex.1d.v4.u32.s32 {%0, %1, %2, %3}, [%4, {%5}];", (int x), "r"(x))
WARPSCOPE_FETCH(warpscope_line, "tex.1d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5}];", (float x), "f"(x))
WARPSCOPE_FETCH(warpscope_plane, "tex.2d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", (float x, float y), "f"(x), "f"(y))
WARPSCOPE_FETCH(warpscope_space, "tex.3d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];", (float x, float y, float z),
                "f"(x), "f"(y), "f"(z))
WARPSCOPE_FETCH(warpscope_lines, "tex.a1d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%6, %5}];", (float x, int layer), "f"(x),
                "r"(layer))
WARPSCOPE_FETCH(warpscope_planes, "tex.a2d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%7, %5, %6, %6}];", (float x, float y, int layer),
                "f"(x), "f"(y), "r"(layer))
#define WARPSCOPE_GATHER(c)                                                                                                  \
    WARPSCOPE_FETCH(warpscope_gather_##c, "tld4." #c ".2d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", (float x, float y), \
                    "f"(x), "f"(y))
WARPSCOPE_GATHER(r)
WARPSCOPE_GATHER(g)
WARPSCOPE_GATHER(b)
WARPSCOPE_GATHER(a)
#undef WARPSCOPE_GATHER
#undef WARPSCOPE_FETCH
WARPSCOPE_DEVICE uint4 warpscope_gather(cudaTextureObject_t texture, float x, float y, int channel) {
    if (channel == 1) return warpscope_gather_g(texture, x, y);
    if (channel == 2) return warpscope_gather_b(texture, x, y);
    return channel == 3 ? warpscope_gather_a(texture, x, y) : warpscope_gather_r(texture, x, y);
}

/* T name(texture, …) and name(T *, texture, …). */
#define WARPSCOPE_TEXTURE(name, parameters, read, ...)                                                                \
    template <typename T> WARPSCOPE_DEVICE T name(cudaTextureObject_t texture, WARPSCOPE_LIST parameters) {           \
        return WarpscopeTexel<T>::of(read(texture, __VA_ARGS__));                                                     \
    }                                                                                                                 \
    template <typename T> WARPSCOPE_DEVICE void name(T *to, cudaTextureObject_t texture, WARPSCOPE_LIST parameters) { \
        *to = WarpscopeTexel<T>::of(read(texture, __VA_ARGS__));                                                      \
    }
WARPSCOPE_TEXTURE(tex1Dfetch, (int x), warpscope_fetch, x)
WARPSCOPE_TEXTURE(tex1D, (float x), warpscope_line, x)
WARPSCOPE_TEXTURE(tex1DLod, (float x, float), warpscope_line, x)
WARPSCOPE_TEXTURE(tex1DGrad, (float x, float, float), warpscope_line, x)
WARPSCOPE_TEXTURE(tex1DLayered, (float x, int layer), warpscope_lines, x, layer)
WARPSCOPE_TEXTURE(tex1DLayeredLod, (float x, int layer, float), warpscope_lines, x, layer)
WARPSCOPE_TEXTURE(tex1DLayeredGrad, (float x, int layer, float, float), warpscope_lines, x, layer)
WARPSCOPE_TEXTURE(tex2D, (float x, float y), warpscope_plane, x, y)
WARPSCOPE_TEXTURE(tex2DLod, (float x, float y, float), warpscope_plane, x, y)
WARPSCOPE_TEXTURE(tex2DGrad, (float x, float y, float2, float2), warpscope_plane, x, y)
WARPSCOPE_TEXTURE(tex2DLayered, (float x, float y, int layer), warpscope_planes, x, y, layer)
WARPSCOPE_TEXTURE(tex2DLayeredLod, (float x, float y, int layer, float), warpscope_planes, x, y, layer)
WARPSCOPE_TEXTURE(tex2DLayeredGrad, (float x, float y, int layer, float2, float2), warpscope_planes, x, y, layer)
WARPSCOPE_TEXTURE(tex2Dgather, (float x, float y, int channel = 0), warpscope_gather, x, y, channel)
WARPSCOPE_TEXTURE(tex3D, (float x, float y, float z), warpscope_space, x, y, z)
WARPSCOPE_TEXTURE(tex3DLod, (float x, float y, float z, float), warpscope_space, x, y, z)
WARPSCOPE_TEXTURE(tex3DGrad, (float x, float y, float z, float4, float4), warpscope_space, x, y, z)
#undef WARPSCOPE_TEXTURE

#define WARPSCOPE_NO_TEXTURE __attribute__((device, unavailable("cube maps are not emulated")))
template <typename T, typename... A> WARPSCOPE_NO_TEXTURE T texCubemap(cudaTextureObject_t texture, A... at);
template <typename T, typename... A> WARPSCOPE_NO_TEXTURE T texCubemapLayered(cudaTextureObject_t texture, A... at);
#undef WARPSCOPE_NO_TEXTURE
