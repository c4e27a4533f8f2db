/* qualifiers.h: the words that CUDA adds to C and C++: clang's attributes where clang compiles CUDA, nothing where a compiler reads
 * host code alone. The names that begin with WARPSCOPE mark functions of these headers. */
#pragma once

/* The interface is that of CUDA 13.0. */
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
#define __CUDART_API_VERSION CUDART_VERSION
#define __WARPSCOPE__ 1

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __thread__ __thread
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB

#ifdef __CUDA__

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __grid_constant__

/* Host code uses a managed variable as it stands. The host's half of it gets a section of its own, by which the runtime knows it and
 * makes it the variable itself. */
#if defined(__ELF__) && !defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device, section("warpscope_managed")))
#else
#define __managed__ __attribute__((device))
#endif

/* Newer clangs know the word; for the others libstdc++'s __attribute__((__noinline__)) is shielded in bits/. */
#if !__has_feature(cuda_noinline_keyword)
#define __noinline__ __attribute__((noinline))
#endif

/* nvcc takes up to three bounds, clang 14 two; the third only concerns clusters. */
#define WARPSCOPE_BOUNDS(threads, blocks, clusters, ...) __attribute__((launch_bounds(threads, blocks)))
#define __launch_bounds__(...) WARPSCOPE_BOUNDS(__VA_ARGS__, 0, 0, 0)

/* Functions of these headers: inlined, and without line information of their own, so that an access made inside __ldg() counts for
 * the user's line. The LARGE ones are left to the inliner. */
#define WARPSCOPE_DEVICE static __inline__ __attribute__((device, always_inline, nodebug, unused))
#define WARPSCOPE_BOTH static __inline__ __attribute__((host, device, always_inline, nodebug, unused))
#define WARPSCOPE_HOST static __inline__ __attribute__((host, nodebug, unused))
/* For both sides, under a name that the C library may declare too, today or some day. The host's is a template: of a plain function and a
 * template that fit equally well the compiler takes the plain one, so the C library's own is called where there is one. */
#define WARPSCOPE_SPARE template <int = 0> WARPSCOPE_HOST
#define WARPSCOPE_EITHER(...) WARPSCOPE_DEVICE __VA_ARGS__ WARPSCOPE_SPARE __VA_ARGS__
#define WARPSCOPE_LARGE static __inline__ __attribute__((device, nodebug, unused))
#define WARPSCOPE_METHOD __attribute__((device, always_inline, nodebug, unused))
#define WARPSCOPE_BOTH_METHOD __attribute__((host, device, always_inline, nodebug, unused))

/* nvcc defines these for every file that it compiles. */
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __NVCC__ 1
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0

#else

#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define WARPSCOPE_BOTH static __inline__ __attribute__((unused))
#define WARPSCOPE_HOST static __inline__ __attribute__((unused))
#define WARPSCOPE_BOTH_METHOD

#endif
