/* avx_begin.h: from here to base/avx_end.h the compiler uses AVX, whatever instruction set it is
 * told to use elsewhere. */
#define SAT_AVX

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx")
#endif
