/* nvToolsExt.h: marks and ranges for NVIDIA's profilers, which do not watch here: they do nothing, as on a machine where no profiler
 * runs. For C and C++. */
#pragma once

#include <stdint.h>

#include "../warpscope/qualifiers.h"

#define NVTX_VERSION 3
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2
} nvtxMessageType_t;
typedef union nvtxMessageValue_t {
    const char *ascii;
    const void *unicode;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_t {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

WARPSCOPE_HOST void nvtxMarkA(const char *message) { (void)message; }
WARPSCOPE_HOST void nvtxMarkEx(const nvtxEventAttributes_t *event) { (void)event; }
WARPSCOPE_HOST int nvtxRangePushA(const char *message) {
    (void)message;
    return NVTX_NO_PUSH_POP_TRACKING;
}
WARPSCOPE_HOST int nvtxRangePushEx(const nvtxEventAttributes_t *event) {
    (void)event;
    return NVTX_NO_PUSH_POP_TRACKING;
}
WARPSCOPE_HOST int nvtxRangePop(void) { return NVTX_NO_PUSH_POP_TRACKING; }
WARPSCOPE_HOST nvtxRangeId_t nvtxRangeStartA(const char *message) {
    (void)message;
    return 0;
}
WARPSCOPE_HOST void nvtxRangeEnd(nvtxRangeId_t range) { (void)range; }
#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
