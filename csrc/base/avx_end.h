/* avx_end.h: the end of what base/avx_begin.h begins. */
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
