/* What PTX calls of CUDA's runtime on the device, and which of it is answered (machine/devicecall.h). */

#include "machine/devicecall.h"

#include "machine/calls.h"
#include "suite.h"

START_TEST(calls_are_known_by_their_names_in_ptx)
{
    static const struct {
        const char *ptx, *name; /* NULL: there is none */
    } rows[] = {{"__cudaCDP2LaunchDeviceV2", "cudaLaunchDeviceV2"},
                {"__cudaCDP2LaunchDeviceV2_ptsz", "cudaLaunchDeviceV2"},
                {"__cudaCDP2EventRecord", "cudaEventRecord"},
                {"__cudaCDP2EventRecordWithFlags", "cudaEventRecordWithFlags"},
                {"__cudaCDP2EventRecordWithFlags_ptsz", "cudaEventRecordWithFlags"},
                {"__cudaCDP2MemcpyAsync", "cudaMemcpyAsync"},
                {"__cudaCDP2Memcpy3DAsync", NULL},
                {"__cudaCDP2MallocManaged", NULL},
                {"__cudaCDP2Free_ptds", NULL},
                {"__cudaCDP2", NULL},
                {"cudaGetLastError", NULL},
                {"_Z16cudaGetLastErrorv", NULL},
                {"", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DeviceFunction function;
        const bool known = devicecall_find(rows[i].ptx, &function);
        ck_assert_msg(known == (rows[i].name != NULL), "%s", rows[i].ptx);
        ck_assert_msg(call_is_provided(rows[i].ptx) == known, "%s", rows[i].ptx);
        if (known) ck_assert_str_eq(devicecall_name(function), rows[i].name);
    }
}
END_TEST

SUITE("devicecall", calls_are_known_by_their_names_in_ptx)
