#ifndef HOCKNEY_PROFILE_H
#define HOCKNEY_PROFILE_H

/* Names regions of a program for its profile:
 * HOCKNEY_REGION_BEGIN("solve"); ...; HOCKNEY_REGION_END("solve");
 * Without the preloaded library the macros do nothing. */

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((weak, visibility("default"))) void hockney_region_begin(const char* name);
__attribute__((weak, visibility("default"))) void hockney_region_end(const char* name);

#ifdef __cplusplus
}
#endif

#define HOCKNEY_REGION_BEGIN(name)                        \
  do {                                                    \
    if (hockney_region_begin) hockney_region_begin(name); \
  } while (0)
#define HOCKNEY_REGION_END(name)                      \
  do {                                                \
    if (hockney_region_end) hockney_region_end(name); \
  } while (0)

#endif
