// Calls MPI through a binding alone, from places with names, at several depths of the stack.

#include <mpi.h>

extern "C" void bound_barrier(int* error);
extern "C" void bound_sum(int numbers, int* error);
extern "C" void bound_f08_sum(int numbers, int* error);

namespace {

int errors = 0;

template <class Call>
void counted(Call&& call) {
  int error = 1;
  call(error);
  errors += error;
}

}  // namespace

extern "C" __attribute__((noinline)) void first_place() {
  counted([](int& error) { bound_barrier(&error); });
  counted([](int& error) { bound_sum(2, &error); });
}

extern "C" __attribute__((noinline)) void second_place(int depth) {
  if (depth > 0) {
    second_place(depth - 1);
    ++errors;  // so that this is no jump
    --errors;
    return;
  }
  for (int i = 0; i < 10; ++i) counted([](int& error) { bound_barrier(&error); });
}

extern "C" __attribute__((noinline)) void third_place() {
  for (int i = 0; i < 5; ++i) counted([](int& error) { bound_f08_sum(4, &error); });
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  first_place();
  second_place(0);
  third_place();
  second_place(5);
  MPI_Finalize();
  return errors == 0 ? 0 : 1;
}
