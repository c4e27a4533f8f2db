/* confine.h: the second-best sandbox, for systems that forbid namespaces (most containers): this process and all that it starts give up, for
 * good, what a compiler does not need to read an untrusted file. Linux only.
 *
 * - Files: reading what is listed, writing beneath one folder, nothing else: #include "/etc/passwd" finds no such file (Landlock, Linux
 *   5.13 and newer).
 * - Network, other processes, interfaces of the kernel that compilers do not need: system calls refused (seccomp).
 * - Root: becomes nobody first, and no program can give privileges back.
 *
 * A process that drives a GPU needs more, and is confined less (drives_gpu): it may use the devices among what is listed, whose driver is a large
 * part of the kernel; read and write /proc, where CUDA names its threads, and read /sys, as far as its user may; and make sockets of streams to
 * processes of this computer, but connect none.
 *
 * Time, memory and sizes of files are the caller's to limit. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"

typedef struct Confinement {
    const char *const *readable; /* files and folders, NULL at the end; those that do not exist are left out */
    const char *writable;        /* the folder in which files may be made; nobody must be able to write there when root calls */
    bool drives_gpu;
    bool hides; /* what is not listed is not there either (grade/hide.h); for a process that stays this program */
} Confinement;

/* False with a message that names what the system lacks; the process may then have lost some of its rights, and should end. */
bool confine(const Confinement *confinement, Diag *diag);

/* The same from a list FOLDER[:PATH...]: the folder to write in, then what may be read. */
bool confine_to(const char *list, bool drives_gpu, bool hides, Diag *diag);
