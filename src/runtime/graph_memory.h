/* graph_memory.h: graphs whose nodes allocate and free (planned.h), in stream order too. Internal to src/runtime. */
#pragma once

#include "runtime/graph.h"

/* An error where there is one like it that is ready to run. */
cudaError_t graph_memory_may_run(const Context *context, const Graph *graph);

/* Before a launch in the stream: an error where what the graph allocates, and leaves to others to free, will be there still when its earlier work is done. */
cudaError_t graph_memory_is_free(Context *context, Stream *stream, const Graph *graph);

/* cudaMallocAsync and cudaFreeAsync in a stream that is being captured. */
cudaError_t graph_memory_capture(Context *context, Stream *stream, void **pointer, size_t bytes);
cudaError_t graph_memory_capture_free(Context *context, Stream *stream, void *pointer);
