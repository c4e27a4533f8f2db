/* clock.h: modelled time. Work is done at once, but its modelled time passes on its stream's timeline: a kernel takes as long as the time
 * model says, a copy between host and device as long as PCIe's peak allows. Code on the host takes no time; the host's clock advances only
 * where the program waits.
 *
 * Three engines serve all streams: one for kernels, one for copies to the device, one for copies from it. Work on different engines
 * overlaps, copies in one direction follow one another, and kernels overlap as far as they leave room: one whose blocks fill a share of
 * the device delays the next by that share of its time. */
#pragma once

#include <stdint.h>

#include "device/profile.h"

typedef enum Engine { ENGINE_NONE, ENGINE_KERNELS, ENGINE_TO_DEVICE, ENGINE_FROM_DEVICE, ENGINES } Engine;

/* Microseconds since the program began. */
typedef struct Clock {
    double host;
    double free[ENGINES];   /* when the engine can take the next work */
    double copied[ENGINES]; /* total time of copies, for the report */
    uint64_t copies[ENGINES], copied_bytes[ENGINES];
} Clock;

/* How long work keeps its stream busy, and which engine it occupies for what share of that time. */
typedef struct Duration {
    Engine engine;
    double us, share;
} Duration;

/* Schedules work that is ready at this time; returns when it ends. */
double clock_run(Clock *clock, double ready, Duration duration);

/* Counts a copy for the report. */
void clock_count(Clock *clock, Duration duration, uint64_t bytes);

/* The host waits until then. */
void clock_wait(Clock *clock, double until);

double clock_copy_us(const Profile *profile, Engine engine, uint64_t bytes); /* ENGINE_KERNELS: from device to device */
double clock_fill_us(const Profile *profile, uint64_t bytes);
