/* instruction_sets.h: the one choice between kernels for processors with AVX and those for any. */
#ifndef SAT_BASE_INSTRUCTION_SETS_H
#define SAT_BASE_INSTRUCTION_SETS_H

/* Two builds have no kernels for AVX. SAT_BASELINE_ONLY marks the one whose sources are all in one
 * file, which has one instruction set. gcc on Windows aligns the stack to 16 bytes and yet moves
 * values of 32 bytes there as if they were aligned (bug 54412 of gcc). */
#if defined(__GNUC__) && defined(__x86_64__) && !defined(SAT_BASELINE_ONLY) &&                     \
    (!defined(_WIN32) || defined(__clang__))
#define SAT_AVX_KERNELS
#endif

/* Declares a kernel, and its function in each instruction set, which has the same bits: a call by
 * the kernel's name is a call of the function for the widest set that the processor has. */
#ifdef SAT_AVX_KERNELS
#define SAT_KERNEL(type, name, parameters, arguments)                                              \
  type name##_avx parameters;                                                                      \
  type name##_baseline parameters;                                                                 \
  static inline type name parameters {                                                             \
    return __builtin_cpu_supports("avx") ? name##_avx arguments : name##_baseline arguments;       \
  }
#else
#define SAT_KERNEL(type, name, parameters, arguments)                                              \
  type name##_baseline parameters;                                                                 \
  static inline type name parameters { return name##_baseline arguments; }
#endif

#endif
