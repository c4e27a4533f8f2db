/* heap.h: the memory that kernels get from malloc and new, which stays theirs from launch to launch until they free it: chunks of one
 * allocation of the device's memory. Kernels that use it run on one host thread, so that addresses do not depend on threads. */
#pragma once

#include "machine/memory.h"

typedef struct Heap Heap;

/* Room for so many bytes in all, in memory of this name; each chunk takes 16 bytes more, and is rounded up to a power of two. The memory must outlive it. */
Heap *heap_new(Memory *memory, uint64_t bytes, const char *name);
void heap_free(Heap *heap);

const Allocation *heap_memory(const Heap *heap);

/* The chunk's device address, a multiple of 16; 0 when there is no room. */
uint64_t heap_allocate(Heap *heap, uint64_t bytes);

/* Whether it ever had no room. */
bool heap_has_refused(const Heap *heap);

/* Frees a chunk. False when the address is not that of one in use. 0 is fine and does nothing. */
bool heap_release(Heap *heap, uint64_t address);
