// A tool for MPI_Pcontrol alone: prints what it is given, as far as it knows how to read it.

#include <mpi.h>
#include <cstdarg>
#include <cstdio>

int MPI_Pcontrol(const int level, ...) {
  va_list given;
  va_start(given, level);
  if (level == 0) std::printf("0\n");
  if (level == 1 || level == -1) std::printf("%d %s\n", level, va_arg(given, const char*));
  if (level == 7) {
    const int one = va_arg(given, int);
    const long two = va_arg(given, long);
    const char* const three = va_arg(given, const char*);
    const double four = va_arg(given, double);
    std::printf("7 %d %ld %s %.1f %.1f\n", one, two, three, four, va_arg(given, double));
  }
  va_end(given);
  return PMPI_Pcontrol(level);
}
