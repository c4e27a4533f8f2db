// Kernels that leave marks in every way, by many blocks, each byte of `data` accessed: in order, strided, wherever. A comment before each says its grid, in
// blocks for 1024 bytes, and the threads of a block.
typedef unsigned char Byte;
typedef unsigned short Half;
typedef unsigned Word;

__device__ static Word thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Another number of so many bits, each by one number alone: odd factors and shifts are undone one after the other.
__device__ static Word wherever(Word number, Word bits) {
    const Word mask = (1u << bits) - 1;
    for (int round = 0; round < 3; round++) {
        number = number * 0x9E3779B1u & mask;
        number ^= number >> bits / 2;
        number = number * 0x85EBCA6Bu & mask;
    }
    return number;
}

// An odd stride leads to all bytes of a power of two.
template <Word stride> __device__ static void strided(Byte *data, Word bits) { data[thread() * stride & ((1u << bits) - 1)]++; }

// 4 256
extern "C" __global__ void bytes_in_order(Byte *data, Word bits) { data[thread()]++; }

// 4 256
extern "C" __global__ void bytes_by_stride_2(Byte *data, Word bits) {
    const Word half = 1u << (bits - 1), i = thread();
    data[(i & (half - 1)) * 2 + i / half]++;
}

// 4 256
extern "C" __global__ void bytes_by_stride_3(Byte *data, Word bits) { strided<3>(data, bits); }

// 4 256
extern "C" __global__ void bytes_by_stride_5(Byte *data, Word bits) { strided<5>(data, bits); }

// 4 256
extern "C" __global__ void bytes_by_stride_7(Byte *data, Word bits) { strided<7>(data, bits); }

// 4 256
extern "C" __global__ void bytes_wherever(Byte *data, Word bits) { data[wherever(thread(), bits)]++; }

// 16 256
extern "C" __global__ void bytes_read_by_many(Byte *data, Word bits) {
    if (data[wherever(thread(), 24) & ((1u << bits) - 1)] == 99) data[0] = 0; // not so, but reads leave marks
}

// 2 256
extern "C" __global__ void halves_wherever(Half *data, Word bits) { data[wherever(thread(), bits - 1)]++; }

// 1 256
extern "C" __global__ void words_wherever(Word *data, Word bits) { data[wherever(thread(), bits - 2)]++; }

// 1 256
extern "C" __global__ void words_beside_bytes(Word *data, Word bits) {
    const Word word = wherever(thread(), bits - 2);
    if (bits == 99) reinterpret_cast<Byte *>(data)[word] = 1; // not so: the kernel has accesses of bytes
    data[word]++;
}

// 2 256
extern "C" __global__ void atomics_wherever(Word *data, Word bits) {
    const Word word = wherever(thread() * 2654435761u & 0xffffff, 24) & ((1u << (bits - 2)) - 1);
    if (bits == 99) reinterpret_cast<Byte *>(data)[word] = 1; // likewise
    atomicAdd(&data[word], 1);
}

// Written in order, read wherever; each block has its own 16 KiB.
// 0.0625 1024
extern "C" __global__ void bytes_by_turns(Byte *data, Word bits) {
    Byte *own = data + blockIdx.x * 16384;
    Word sum = 0;
    for (Word i = threadIdx.x; i < 16384; i += blockDim.x) own[i] = i;
    __syncthreads();
    for (Word i = threadIdx.x; i < 16384; i += blockDim.x) sum += own[wherever(i, 14)];
    if (sum == 99) __trap();
}

// 1024 1
extern "C" __global__ void bytes_by_lone_threads(Byte *data, Word bits) { data[wherever(blockIdx.x, bits)]++; }
