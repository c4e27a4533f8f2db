/* clock.h: modelled time. Work is done at once, but its time runs on a timeline of its stream: kernels take what the time model says,
 * copies between host and device what PCIe's peak allows. The host's own work takes no time; it waits where the program waits.
 *
 * Three engines serve all streams: kernels, copies to the device, copies from it; so the three overlap, copies of one direction follow
 * one another, and kernels overlap as far as they leave room: one whose blocks take a share of the places on the device keeps the next
 * one waiting for that share of its time. */
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

/* How long something keeps a stream busy, and which engine for what share of it. */
typedef struct Duration {
    Engine engine;
    double us, share;
} Duration;

/* Runs work that is ready at this time; returns when it ends. */
double clock_run(Clock *clock, double ready, Duration duration);

/* Counts a copy for the report. */
void clock_count(Clock *clock, Duration duration, uint64_t bytes);

/* The host waits until then. */
void clock_wait(Clock *clock, double until);

double clock_copy_us(const Profile *profile, Engine engine, uint64_t bytes); /* ENGINE_KERNELS: from device to device */
double clock_fill_us(const Profile *profile, uint64_t bytes);
