/* cuda11.h: texture references, which CUDA 12 has no longer (CUDA 11.8's Runtime API, "Texture Reference Management"): variables that the host binds
 * to memory and kernels read by their names. The device's variable holds a texture object, the host's of the same name what the program sets.
 * `warpscope cc` and `run` lay it before each source, behind cuda12.h, when a program does not compile for want of it. Mipmaps, cube maps and
 * references of surfaces are not among them. The word texture is a macro then: it names references, functions and parameters alone; a variable or a
 * member of that name does not compile. */
#pragma once

#if defined(__cplusplus) && defined(__CUDACC__)
#include <climits>
#include <cstddef>
#include <cuda.h>
#include <cuda_runtime.h>

#ifndef WARPSCOPE_CUDA_HEADERS
/* The host's use of a variable of the device's, and that functions and parameters are none: those that return one, those named "texture". */
#pragma nv_diag_suppress 20091, 20092, 20093, 20094, 1835
#else
#pragma clang diagnostic ignored "-Wignored-attributes"
#endif

/* The host's variable is not made as it is declared, by neither compiler: 0, or by the constructor without arguments. The device's is. What the
 * program sets comes first. */
template <class T> struct WarpscopeSetting {
    T value;
    bool set;
    WarpscopeSetting() = default;
    __host__ __device__ constexpr WarpscopeSetting(T value) : value(value), set(false) {}
    WarpscopeSetting &operator=(T given) {
        value = given;
        set = true;
        return *this;
    }
    operator T() const { return value; }
    T or_as(const WarpscopeSetting &declared) const { return set ? value : declared.value; }
};

struct textureReference {
    WarpscopeSetting<int> normalized;
    WarpscopeSetting<cudaTextureFilterMode> filterMode;
    WarpscopeSetting<cudaTextureAddressMode> addressMode[3];
    cudaChannelFormatDesc channelDesc; /* all 0: as its type says */
    int sRGB;
    unsigned int maxAnisotropy;
    cudaTextureReadMode warpscope_read; /* the device's: its type's */
    size_t warpscope_offset;
    cudaTextureObject_t warpscope_object; /* 0: bound to nothing */
};

template <class T, int dimensions = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct warpscope_texture : textureReference {
    __host__ __device__ constexpr warpscope_texture(int normalised = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                                                    cudaTextureAddressMode address = cudaAddressModeClamp,
                                                    cudaChannelFormatDesc format = {})
        : textureReference{normalised, filter, {address, address, address}, format, 0, 0, mode, 0, 0} {}
};

/* --- what the host does with them --- */

static inline cudaError_t warpscope_hold(textureReference &reference, cudaTextureObject_t object, size_t offset) {
    const cudaTextureObject_t before = reference.warpscope_object;
    const cudaError_t error =
        cudaMemcpyToSymbol(reference, &object, sizeof object, offsetof(textureReference, warpscope_object));
    if (error != cudaSuccess) return error;
    reference.warpscope_object = object;
    reference.warpscope_offset = offset;
    if (before) cudaDestroyTextureObject(before); /* launches before the copy have ended */
    return cudaSuccess;
}

static inline cudaError_t warpscope_bind(const textureReference &to, const cudaResourceDesc &resource, size_t offset) {
    textureReference &reference = const_cast<textureReference &>(to);
    cudaTextureDesc sampling = cudaTextureDesc();
    textureReference declared;
    cudaError_t error = cudaMemcpyFromSymbol(&declared, reference, sizeof declared);
    if (error != cudaSuccess) return error;
    for (int axis = 0; axis < 3; axis++)
        sampling.addressMode[axis] = reference.addressMode[axis].or_as(declared.addressMode[axis]);
    sampling.filterMode = reference.filterMode.or_as(declared.filterMode);
    sampling.readMode = declared.warpscope_read;
    sampling.normalizedCoords = reference.normalized.or_as(declared.normalized);
    sampling.sRGB = reference.sRGB;
    sampling.maxAnisotropy = reference.maxAnisotropy;
    cudaTextureObject_t object;
    error = cudaCreateTextureObject(&object, &resource, &sampling, NULL);
    return error == cudaSuccess ? warpscope_hold(reference, object, offset) : error;
}

/* Where a texture that is to have `at` begins: at a multiple of textureAlignment in its allocation, of which `left` bytes are behind `at`. Who takes
 * no offset wants none. */
static inline cudaError_t warpscope_begin(size_t *offset, const void *at, size_t *apart, size_t *left) {
    CUdeviceptr start;
    size_t bytes;
    if (cuMemGetAddressRange(&start, &bytes, (CUdeviceptr)at) != CUDA_SUCCESS) return cudaErrorInvalidValue;
    const size_t within = (size_t)((CUdeviceptr)at - start);
    *apart = within % 512;
    *left = bytes - within;
    if (*apart && !offset) return cudaErrorInvalidValue;
    if (offset) *offset = *apart;
    return cudaSuccess;
}

/* A GPU takes more than there is, and without a size UINT_MAX: what lies behind the allocation is 0 here. */
static inline cudaError_t cudaBindTexture(size_t *offset, const textureReference *to, const void *at,
                                          const cudaChannelFormatDesc *format, size_t bytes = UINT_MAX) {
    size_t apart, left;
    const cudaError_t error = warpscope_begin(offset, at, &apart, &left);
    if (error != cudaSuccess) return error;
    cudaResourceDesc resource = cudaResourceDesc();
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = (char *)at - apart;
    resource.res.linear.desc = *format;
    resource.res.linear.sizeInBytes = (bytes < left ? bytes : left) + apart;
    return warpscope_bind(*to, resource, apart);
}

static inline cudaError_t cudaBindTexture2D(size_t *offset, const textureReference *to, const void *at,
                                            const cudaChannelFormatDesc *format, size_t width, size_t height, size_t pitch) {
    size_t apart, left;
    const cudaError_t error = warpscope_begin(offset, at, &apart, &left);
    const int bits = format->x + format->y + format->z + format->w;
    if (error != cudaSuccess) return error;
    cudaResourceDesc resource = cudaResourceDesc();
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = (char *)at - apart;
    resource.res.pitch2D.desc = *format;
    resource.res.pitch2D.width = width + (bits ? apart * 8 / bits : 0);
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return warpscope_bind(*to, resource, apart);
}

static inline cudaError_t cudaBindTextureToArray(const textureReference *to, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc *) {
    cudaResourceDesc resource = cudaResourceDesc();
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = (cudaArray_t)array;
    return warpscope_bind(*to, resource, 0);
}

static inline cudaError_t cudaUnbindTexture(const textureReference *from) {
    return from->warpscope_object ? warpscope_hold(const_cast<textureReference &>(*from), 0, 0) : cudaSuccess;
}

static inline cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const textureReference *of) {
    if (!of->warpscope_object) return cudaErrorInvalidTextureBinding;
    *offset = of->warpscope_offset;
    return cudaSuccess;
}

static inline cudaError_t cudaGetTextureReference(const textureReference **reference, const void *symbol) {
    *reference = static_cast<const textureReference *>(symbol);
    return symbol ? cudaSuccess : cudaErrorInvalidTexture;
}

/* By the variable itself: its type says what a texel is where the program does not. */
#define WARPSCOPE_REFERENCE template <class T, int dimensions, cudaTextureReadMode mode> static inline cudaError_t
#define WARPSCOPE_TEXTURE const warpscope_texture<T, dimensions, mode> &reference
template <class T> static inline cudaChannelFormatDesc warpscope_format(const cudaChannelFormatDesc &given) {
    return given.x ? given : cudaCreateChannelDesc<T>();
}
WARPSCOPE_REFERENCE cudaBindTexture(size_t *offset, WARPSCOPE_TEXTURE, const void *at, const cudaChannelFormatDesc &format,
                                    size_t bytes = UINT_MAX) {
    const cudaChannelFormatDesc texel = warpscope_format<T>(format);
    return cudaBindTexture(offset, static_cast<const textureReference *>(&reference), at, &texel, bytes);
}
WARPSCOPE_REFERENCE cudaBindTexture(size_t *offset, WARPSCOPE_TEXTURE, const void *at, size_t bytes = UINT_MAX) {
    return cudaBindTexture(offset, reference, at, reference.channelDesc, bytes);
}
WARPSCOPE_REFERENCE cudaBindTexture2D(size_t *offset, WARPSCOPE_TEXTURE, const void *at, const cudaChannelFormatDesc &format,
                                      size_t width, size_t height, size_t pitch) {
    const cudaChannelFormatDesc texel = warpscope_format<T>(format);
    return cudaBindTexture2D(offset, static_cast<const textureReference *>(&reference), at, &texel, width, height, pitch);
}
WARPSCOPE_REFERENCE cudaBindTexture2D(size_t *offset, WARPSCOPE_TEXTURE, const void *at, size_t width, size_t height,
                                      size_t pitch) {
    return cudaBindTexture2D(offset, reference, at, reference.channelDesc, width, height, pitch);
}
WARPSCOPE_REFERENCE cudaBindTextureToArray(WARPSCOPE_TEXTURE, cudaArray_const_t array, const cudaChannelFormatDesc &format) {
    return cudaBindTextureToArray(static_cast<const textureReference *>(&reference), array, &format);
}
WARPSCOPE_REFERENCE cudaBindTextureToArray(WARPSCOPE_TEXTURE, cudaArray_const_t array) {
    return cudaBindTextureToArray(reference, array, reference.channelDesc);
}
WARPSCOPE_REFERENCE cudaUnbindTexture(WARPSCOPE_TEXTURE) {
    return cudaUnbindTexture(static_cast<const textureReference *>(&reference));
}
WARPSCOPE_REFERENCE cudaGetTextureAlignmentOffset(size_t *offset, WARPSCOPE_TEXTURE) {
    return cudaGetTextureAlignmentOffset(offset, static_cast<const textureReference *>(&reference));
}
#undef WARPSCOPE_TEXTURE
#undef WARPSCOPE_REFERENCE

/* --- what kernels read of them --- */

template <class T> struct WarpscopeFractions; /* of integers, as floats */
#define WARPSCOPE_FRACTIONS(of, to) \
    template <> struct WarpscopeFractions<of> { typedef to type; };
#define WARPSCOPE_ALL_FRACTIONS(of, name) \
    WARPSCOPE_FRACTIONS(of, float)        \
    WARPSCOPE_FRACTIONS(name##1, float1)  \
    WARPSCOPE_FRACTIONS(name##2, float2)  \
    WARPSCOPE_FRACTIONS(name##4, float4)
WARPSCOPE_FRACTIONS(char, float)
WARPSCOPE_ALL_FRACTIONS(signed char, char)
WARPSCOPE_ALL_FRACTIONS(unsigned char, uchar)
WARPSCOPE_ALL_FRACTIONS(short, short)
WARPSCOPE_ALL_FRACTIONS(unsigned short, ushort)
#undef WARPSCOPE_ALL_FRACTIONS
#undef WARPSCOPE_FRACTIONS

template <class T, cudaTextureReadMode mode> struct WarpscopeRead { typedef T type; };
template <class T> struct WarpscopeRead<T, cudaReadModeNormalizedFloat> { typedef typename WarpscopeFractions<T>::type type; };

#define WARPSCOPE_READ(name, dimensions, parameters, ...)                                            \
    template <class T, cudaTextureReadMode mode>                                                     \
    static __device__ __forceinline__ typename WarpscopeRead<T, mode>::type name(                    \
        const warpscope_texture<T, dimensions, mode> &reference, WARPSCOPE_PARAMETERS parameters) {  \
        return name<typename WarpscopeRead<T, mode>::type>(reference.warpscope_object, __VA_ARGS__); \
    }
#define WARPSCOPE_PARAMETERS(...) __VA_ARGS__
WARPSCOPE_READ(tex1Dfetch, cudaTextureType1D, (int x), x)
WARPSCOPE_READ(tex1D, cudaTextureType1D, (float x), x)
WARPSCOPE_READ(tex1DLod, cudaTextureType1D, (float x, float level), x, level)
WARPSCOPE_READ(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), x, layer)
WARPSCOPE_READ(tex2D, cudaTextureType2D, (float x, float y), x, y)
WARPSCOPE_READ(tex2DLod, cudaTextureType2D, (float x, float y, float level), x, y, level)
WARPSCOPE_READ(tex2Dgather, cudaTextureType2D, (float x, float y, int channel = 0), x, y, channel)
WARPSCOPE_READ(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), x, y, layer)
WARPSCOPE_READ(tex3D, cudaTextureType3D, (float x, float y, float z), x, y, z)
#undef WARPSCOPE_PARAMETERS
#undef WARPSCOPE_READ

#define texture __constant__ warpscope_texture
#endif
