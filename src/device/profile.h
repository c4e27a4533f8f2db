/* profile.h: the devices that are emulated. profiles.def lists them; a person can read it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "observe/counters.h"

enum { PROFILE_CARVEOUTS = 10 };
enum { CONSTANT_BYTES = 64 << 10 }; /* CUDA C++ Programming Guide, technical specifications: on all devices */

/* What the time model (model.h) knows of the device. */
typedef struct TimeConfig {
    double clock_ghz;   /* of the SMs */
    double dram_gb_s;   /* device memory: peak of the data sheet */
    uint32_t l1_cycles; /* latencies of a load that L1, L2, device memory answers */
    uint32_t l2_cycles;
    uint32_t dram_cycles;
    uint32_t peer_cycles; /* of one that another block of the cluster answers; 0: there are no clusters */
    uint32_t issue;       /* warp instructions an SM starts in a cycle */
    double launch_us;     /* of an empty kernel, on the device: gpu__time_duration */
    double pcie_gb_s;     /* to and from the host, each way: peak of the data sheet */
    bool calibrated;      /* the model was fitted, or held, to times measured on this device */
} TimeConfig;

typedef struct Profile {
    const char *name;      /* "h200" */
    const char *full_name; /* "NVIDIA H200" */
    uint32_t compute_major, compute_minor;
    uint32_t sms;
    uint32_t sms_shown; /* what %nsmid says and %smid stays below; 0: sms */
    uint32_t max_threads_per_sm, max_blocks_per_sm;
    uint32_t shared_per_sm, shared_per_block; /* bytes; the most a block may ask for */
    uint32_t shared_per_block_default;        /* bytes a block may have without opting in: 49152 */
    uint32_t l1_bytes;                        /* unified with shared memory: what a kernel's blocks do not take is cache */
    uint32_t l1_ways;
    uint32_t registers;    /* of 32 bits, of an SM; a block may have all of them */
    uint64_t memory_bytes; /* device memory */
    uint32_t memory_bits;  /* width of its bus */
    uint64_t l2_bytes;
    uint32_t l2_ways;
    bool l2_pairs;            /* reads from device memory bring in 64 bytes */
    bool line_requests;       /* the old 128-byte rule */
    uint32_t shared_reserved; /* bytes that the system takes of each resident block's shared memory */
    uint32_t carveout_kb
        [PROFILE_CARVEOUTS]; /* how much of l1_bytes can be shared memory, rising; 0 after the last (the first may be 0) */
    MergeConfig merge;       /* limit 0: this device has no request coalescer */
    TimeConfig time;
} Profile;

const Profile *profile_find(const char *name, Diag *diag); /* lists the known ones in the message when there is none */
uint32_t profile_count(void);
const Profile *profile_at(uint32_t index);

/* Blocks of this shape that are resident on one SM together, at least 1. Registers, which PTX does not tell, are not counted. */
uint32_t profile_resident_blocks(const Profile *profile, uint32_t threads, uint32_t shared_bytes);

/* The counters' configuration for a kernel whose blocks use so much shared memory. L1 is what the smallest carve-out leaves that holds
 * the resident blocks' shared memory: on an H200, second passes over 224 to 2304 lines hit and miss as that predicts, without shared
 * memory (32 blocks of one warp: 32 KB) and with 16, 64, 112 and 160 KB a block. */
CounterConfig profile_counters(const Profile *profile, uint32_t threads, uint32_t shared_bytes, bool l1);
