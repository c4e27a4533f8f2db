/* What the runtime has said, for programs that ask for it: dumps, and callbacks that ask in their turn. */
#include "runtime_test.h"

/* Two calls that are refused say two lines; so does one call once. */
static void say_two(void) {
    GIVES(cudaErrorInvalidDevice, cudaSetDevice(7));
    GIVES(cudaErrorInvalidDevice, cudaSetDevice(8));
}

/* Runtime API, cudaLogsDumpToMemory: an iterator that is moved by what is given out. */
START_TEST(a_dump_that_fails_loses_nothing)
{
    cudaLogIterator at;
    char text[500] = "", again[500] = "";
    size_t bytes = 4;
    FINE(cudaLogsCurrent(&at, 0));
    const cudaLogIterator first = at;
    say_two();
    GIVES(cudaErrorInvalidValue, cudaLogsDumpToMemory(&at, text, &bytes, 0));
    ck_assert_uint_eq(bytes, 0);
    ck_assert_uint_eq(at, first);
    GIVES(cudaErrorInvalidValue, cudaLogsDumpToFile(&at, "/no/such/folder/log", 0));
    ck_assert_uint_eq(at, first);
    if (access("/dev/full", W_OK) == 0) {
        GIVES(cudaErrorOperatingSystem, cudaLogsDumpToFile(&at, "/dev/full", 0));
        ck_assert_uint_eq(at, first);
    }
    bytes = sizeof text;
    FINE(cudaLogsDumpToMemory(&at, text, &bytes, 0));
    ck_assert_uint_gt(at, first);
    ck_assert_ptr_nonnull(strstr(strstr(text, "cudaSetDevice"), "\n"));
    bytes = sizeof again;
    FINE(cudaLogsDumpToMemory(&at, again, &bytes, 0)); /* now there is nothing more */
    ck_assert_uint_eq(bytes, 0);
}
END_TEST

typedef struct Heard {
    int calls;
    unsigned current;
    cudaError_t asked, took, refused;
    cudaLogsCallbackHandle own;
} Heard;

/* Calls with the log's lock and with the context's, and one that says something itself. */
static void ask(void *data, cudaLogLevel level, char *message, size_t length) {
    Heard *heard = data;
    void *p;
    ck_assert_int_eq(level, cudaLogLevelError);
    ck_assert_uint_eq(strlen(message), length);
    heard->calls++;
    heard->asked = cudaLogsCurrent(&heard->current, 0);
    heard->took = cudaMalloc(&p, 256);
    heard->refused = cudaFree((char *)p + 1);
    FINE(cudaFree(p));
}

START_TEST(a_callback_may_call_the_api)
{
    Heard heard = {0};
    cudaLogsCallbackHandle handle;
    alarm(10); /* it does not hang */
    FINE(cudaLogsRegisterCallback(ask, &heard, &handle));
    say_two(); /* refused behind the context's lock, and before it */
    ck_assert_int_eq(heard.calls, 2);
    GIVES(cudaErrorInvalidValue, cudaMemcpy(NULL, NULL, 4, cudaMemcpyDeviceToDevice));
    ck_assert_int_eq(heard.calls, 3);
    FINE(heard.asked);
    FINE(heard.took);
    GIVES(cudaErrorInvalidValue, heard.refused);
    GIVES(cudaErrorInvalidValue, cudaGetLastError()); /* the call's own, which ends behind the callback */
    FINE(cudaLogsUnregisterCallback(handle));
    GIVES(cudaErrorInvalidDevice, cudaSetDevice(9));
    ck_assert_int_eq(heard.calls, 3);
}
END_TEST

static void leave(void *data, cudaLogLevel level, char *message, size_t length) {
    Heard *heard = data;
    (void)level, (void)message, (void)length;
    heard->calls++;
    FINE(cudaLogsUnregisterCallback(heard->own));
}

START_TEST(a_callback_may_leave)
{
    Heard first = {0}, second = {0};
    alarm(10);
    FINE(cudaLogsRegisterCallback(leave, &first, &first.own));
    FINE(cudaLogsRegisterCallback(leave, &second, &second.own));
    for (int device = 7; device < 9; device++) { /* the second one time both have left */
        GIVES(cudaErrorInvalidDevice, cudaSetDevice(device));
        ck_assert_int_eq(first.calls, 1);
        ck_assert_int_eq(second.calls, 1);
    }
}
END_TEST

START_TEST(what_is_said_to_an_editor_is_in_the_log)
{
    char text[500] = "";
    size_t bytes = sizeof text;
    setenv("WARPSCOPE_REPORT", "gcc", 1);
    FILE *heard = listen();
    GIVES(cudaErrorInvalidDevice, cudaSetDevice(7));
    FINE(cudaLogsDumpToMemory(NULL, text, &bytes, 0));
    ck_assert_msg(strstr(text, "cudaSetDevice: cudaErrorInvalidDevice"), "%s", text);
    rewind(heard);
    fclose(heard);
}
END_TEST

RUNTIME_MAIN("runtime logs", a_dump_that_fails_loses_nothing, a_callback_may_call_the_api, a_callback_may_leave,
             what_is_said_to_an_editor_is_in_the_log)
