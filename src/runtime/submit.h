/* submit.h: what streams are given to do, and waiting for it. Work is done at once, later (late.h), or becomes a node of the graph that the stream is
 * capturing. Internal to src/runtime. */
#pragma once

#include "runtime/stream.h"

/* Refuses what is known to be wrong before the stream does it. */
cudaError_t stream_check(Context *context, Stream *stream, const Work *work);

/* The same; then runs or captures the work, and takes it over. */
cudaError_t stream_submit(Context *context, Stream *stream, Work *work);

/* The same, now or when what is left before it is done, of work that has been checked and has its place in the order. Takes both over. */
cudaError_t submit_ordered(Context *context, Stream *stream, WorkOrder submission, Work *work);

/* Submits a copy or fill to the handle's stream, and for a synchronous call writes out what kernels printed before it. */
cudaError_t submit_work(Context *context, cudaStream_t handle, Work *work);

/* An error where a capture forbids what is done in the stream, since it is the legacy default one. */
cudaError_t stream_forbidden(Context *context, const Stream *stream);

/* The host waits for all in the clock: does what of it is left. The error is what kernels have done wrong, or else the first of work that was left. */
cudaError_t stream_host_waits(Context *context, const VectorClock *clock);

cudaError_t stream_wait_for_all(Context *context);

/* The same, and for what other threads submit meanwhile: before something ends that launches need as a whole. */
cudaError_t stream_wait_until_idle(Context *context);

/* The host asks whether all in the clock is done: the first time it is not, unless the host has waited for it. */
cudaError_t stream_ask(Context *context, const VectorClock *clock, VectorClock *asked);
