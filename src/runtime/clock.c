#include "runtime/clock.h"

#include "device/model.h"

static double later(double a, double b) { return a > b ? a : b; }

double clock_run(Clock *clock, double ready, Duration duration) {
    double *free = &clock->free[duration.engine];
    double start = duration.engine == ENGINE_NONE ? ready : later(ready, *free);
    if (duration.engine != ENGINE_NONE) *free = start + duration.share * duration.us;
    return start + duration.us;
}

void clock_count(Clock *clock, Duration duration, uint64_t bytes) {
    clock->copies[duration.engine]++;
    clock->copied_bytes[duration.engine] += bytes;
    clock->copied[duration.engine] += duration.us;
}

void clock_wait(Clock *clock, double until) { clock->host = later(clock->host, until); }

double clock_copy_us(const Profile *profile, Engine engine, uint64_t bytes) {
    switch (engine) {
    case ENGINE_KERNELS: return model_copy_time_us(profile, bytes);
    case ENGINE_TO_DEVICE:
    case ENGINE_FROM_DEVICE: return (double)bytes / profile->time.pcie_gb_s * 1e-3;
    case ENGINE_NONE:
    case ENGINES: break;
    }
    return 0;
}

/* A copy's time without its reads. */
double clock_fill_us(const Profile *profile, uint64_t bytes) {
    double start = model_copy_time_us(profile, 0);
    return start + (model_copy_time_us(profile, bytes) - start) / 2;
}
