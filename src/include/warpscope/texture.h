/* texture.h: names of textures and surfaces, which are not emulated: a program that uses them is told so. */
#pragma once

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

#define WARPSCOPE_NO_TEXTURE \
    __attribute__((device, unavailable("textures and surfaces are not emulated: read the buffer itself, with __ldg()")))
#define WARPSCOPE_TEXTURE(name)                                                                              \
    template <typename T, typename... A> WARPSCOPE_NO_TEXTURE T name(cudaTextureObject_t texture, A... at);  \
    template <typename T, typename... A> WARPSCOPE_NO_TEXTURE void name(T *to, cudaTextureObject_t texture, A... at);
WARPSCOPE_TEXTURE(tex1Dfetch)
WARPSCOPE_TEXTURE(tex1D)
WARPSCOPE_TEXTURE(tex1DLod)
WARPSCOPE_TEXTURE(tex1DGrad)
WARPSCOPE_TEXTURE(tex1DLayered)
WARPSCOPE_TEXTURE(tex2D)
WARPSCOPE_TEXTURE(tex2DLod)
WARPSCOPE_TEXTURE(tex2DGrad)
WARPSCOPE_TEXTURE(tex2Dgather)
WARPSCOPE_TEXTURE(tex2DLayered)
WARPSCOPE_TEXTURE(tex3D)
WARPSCOPE_TEXTURE(tex3DLod)
WARPSCOPE_TEXTURE(tex3DGrad)
WARPSCOPE_TEXTURE(texCubemap)
WARPSCOPE_TEXTURE(texCubemapLayered)
WARPSCOPE_TEXTURE(surf1Dread)
WARPSCOPE_TEXTURE(surf2Dread)
WARPSCOPE_TEXTURE(surf3Dread)
WARPSCOPE_TEXTURE(surf2DLayeredread)
#undef WARPSCOPE_TEXTURE
#define WARPSCOPE_SURFACE(name) \
    template <typename T, typename... A> WARPSCOPE_NO_TEXTURE void name(T v, cudaSurfaceObject_t surface, A... at);
WARPSCOPE_SURFACE(surf1Dwrite)
WARPSCOPE_SURFACE(surf2Dwrite)
WARPSCOPE_SURFACE(surf3Dwrite)
WARPSCOPE_SURFACE(surf2DLayeredwrite)
#undef WARPSCOPE_SURFACE
#undef WARPSCOPE_NO_TEXTURE
