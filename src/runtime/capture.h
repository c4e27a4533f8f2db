/* capture.h: stream capture: work given to a stream becomes a node of a graph instead of running. Internal to src/runtime. */
#pragma once

#include "runtime/event.h"
#include "runtime/stream.h"

struct Capture {
    Graph *graph;
    bool given; /* the program's own graph: cudaStreamBeginCaptureToGraph */
    uint64_t number;
    const Stream *origin;
    enum cudaStreamCaptureMode mode;
    pthread_t thread;
    Nodes left;   /* the last of what streams captured that were destroyed */
    bool invalid; /* a call that capturing forbids was made */
};

/* A call that capturing forbids was made: the capture will give no graph. */
static inline void capture_invalidate(Capture *capture) { capture->invalid = true; }

/* An error when some capture forbids calls that would wait for the device; that capture is then invalid. */
cudaError_t capture_forbids(Context *context);

/* An error where some stream is captured, in whatever mode, for calls that wait for all of the device; or, with of_legacy, where one is that waits for
 * the legacy default stream, for whatever is done in that. Such captures are then invalid. */
cudaError_t capture_forbids_all(Context *context, bool of_legacy);

/* Takes the work over, also when it fails. The stream is being captured. */
cudaError_t capture_add(Context *context, Stream *stream, Work *work);

/* Whether a stream captures into the graph or into a child graph of it: what there is in it stays then. */
bool capture_is_into(const Context *context, const Graph *graph);

/* The event stands for what the stream has captured so far. */
void capture_record(Stream *stream, Event *event);

/* A stream that is destroyed: what was captured in it is to be joined all the same; with the stream that it began in the capture ends, as on an H100. */
void capture_leave(Context *context, Stream *stream);

/* A stream that waits for an event of a capture joins that capture. */
cudaError_t capture_wait(Stream *stream, const Event *event);
