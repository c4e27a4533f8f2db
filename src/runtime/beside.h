/* beside.h: a host that goes on beside a launch, of a kernel or a graph, or beside a host function. A kernel that may wait for what the host sets, since it polls and memory of both sides is there, runs in
 * a thread of its own, for which the call that launches it waits: until it has ended, as all other launches do, or until none of its threads goes
 * on before memory of both sides changes. The call then comes back, the host goes on, and the launch when that memory has changed.
 *
 * The context is locked while a launch runs, and is not while it waits: what the device does is never done by two at once. Work that comes after
 * it waits too (late.h). A host function has such a thread as well: the call comes back when it has lasted for 20 ms, since it may wait for what the host does next. A launch that nobody can go on for ends with a deadlock: the host's threads all wait for the device, or one does for
 * longer than WARPSCOPE_HOST_WAIT. So does one that waits for what another launch may set, which waits for the host; of these the latter is told. After
 * a launch's fault all that wait end, and nothing is told of them. Internal to src/runtime. */
#pragma once

#include "device/device.h"
#include "runtime/work.h"

/* Whether a launch may have to wait for the host. */
bool beside_may_wait(const Context *context, const KernelWork *work);

typedef void BesideCall(Context *context, void *data);

/* Has a thread call `run` with the locked context. True when that has returned; false when a launch in it waits for the host, or a function of the program's that it
 * calls lasts: the thread then calls `behind` once it has. In either case it calls `last` after that. Where no thread can be started this one calls `run` alone. */
bool beside_call(Context *context, BesideCall *run, BesideCall *behind, void (*last)(Context *), void *data);

/* Whether a launch waits for the host now. Others then run without checks, whose marks are those of one launch. */
bool beside_waits(const Context *context);

/* The host waits until launches have gone on. */
void beside_host_waits(Context *context);

/* One launch's side of it. */
typedef struct Beside {
    HostBeside host;
    Context *context;
    const char *kernel;             /* its name, as PTX has it */
    double idle_since, hosts_since; /* seconds: nothing has changed, and a thread of the host has waited; 0: not now */
    double moment_s;
    bool told;
    bool waited;  /* at least once */
    bool stopped; /* by another launch's fault */
} Beside;

/* For a launch, which lasts no longer than the object. */
const HostBeside *beside_begin(Beside *beside, Context *context, const char *kernel);
