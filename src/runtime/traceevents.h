/* traceevents.h: --trace FILE: what a program's streams did when, in modelled time, for chrome://tracing and ui.perfetto.dev: a JSON array of events in the
 * Trace Event Format ("ph" X: from "ts" for "dur" microseconds; i: at one; M: names). The device is process 1. A stream is a thread of it; works of one graph that
 * overlap in a stream have threads beside it. Written as works end. Internal to src/runtime. */
#pragma once

#include "runtime/stream.h"

/* A work that has ended, after so long, and was asked for there (callsite.h). */
void traceevents_add(Context *context, Stream *stream, const Work *work, double end_us, Duration duration, const void *site);
