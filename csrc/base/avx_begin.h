/* avx_begin.h: makes the compiler use AVX from here to base/avx_end.h, whatever instruction set its
 * flags name. */
#define SAT_AVX

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx")
#endif
