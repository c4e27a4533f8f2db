/* shared_ptr_base.h: libstdc++ writes __attribute__((__noinline__)) here, which CUDA's word of the same name would break. */
#pragma once

#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
