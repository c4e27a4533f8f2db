/* The names and texts of errors. */
#include "runtime/context.h"

/* No default: the compiler finds an error of the header that errors.def lacks. */
const char *cudaGetErrorName(cudaError_t error) {
    context_asked(error);
    switch (error) {
#define ERROR(name, text) \
    case name:            \
        return #name;
#include "runtime/errors.def"
#undef ERROR
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
    context_asked(error);
    switch (error) {
#define ERROR(name, text) \
    case name:            \
        return text;
#include "runtime/errors.def"
#undef ERROR
    }
    return "unrecognized error code";
}
