// BKERNN_CLONES before a function compiles it twice, for any x86-64 processor and for those with
// AVX2, and picks the right one when the program starts. The only place that knows instruction
// sets. Both give the same bits: a test links the copies by BKERNN_NO_CLONES and BKERNN_ONLY_AVX2.
#pragma once

#if !defined(__x86_64__) || defined(BKERNN_NO_CLONES)
#define BKERNN_CLONES
#elif defined(BKERNN_ONLY_AVX2)
#define BKERNN_CLONES __attribute__((target("arch=x86-64-v3")))
#else
#define BKERNN_CLONES __attribute__((target_clones("default", "arch=x86-64-v3")))
#endif
