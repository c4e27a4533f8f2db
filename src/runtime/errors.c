/* The names and texts of errors. */
#include "runtime/errors.h"

/* No default: the compiler finds an error of the header that errors.def lacks. */
const char *error_name(cudaError_t error) {
    switch (error) {
#define ERROR(name, text) \
    case name:            \
        return #name;
#include "runtime/errors.def"
#undef ERROR
    }
    return "unrecognized error code";
}

const char *error_text(cudaError_t error) {
    switch (error) {
#define ERROR(name, text) \
    case name:            \
        return text;
#include "runtime/errors.def"
#undef ERROR
    }
    return "unrecognized error code";
}
