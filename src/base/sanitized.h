/* sanitized.h: whether AddressSanitizer is built in, which keeps freed memory, needs terabytes of addresses and answers signals itself. */
#pragma once

#include <stdbool.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif
