/* avx.h: makes the compiler use AVX, whatever instruction set its flags name. A file includes this
 * header twice, before and after what is to use AVX. */
#ifndef SAT_AVX
#define SAT_AVX
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx")
#endif
#elif defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
