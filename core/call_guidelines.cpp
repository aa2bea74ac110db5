#include "core/call_guidelines.hpp"

namespace hockney {
namespace {

GuidelineSide call_side(const std::string& operation, const std::string& key = "",
                        const std::string& value = "") {
  GuidelineSide made{.operation = operation, .parameters = {}};
  if (!key.empty()) made.parameters[key] = value;
  return made;
}

Guideline vectors(const std::string& name) {
  return {name + " <= " + name + "v", call_side(name), call_side(name + "v")};
}

Guideline nonblocking(const std::string& name) {
  return {name + " <= i" + name + " + wait", call_side(name), call_side("i" + name)};
}

/// A nonblocking call that is waited for at once may take twice as long as the blocking one, which
/// may not take longer than it.
Guideline price_of_nonblocking(const std::string& name) {
  constexpr double most = 2;
  return {"i" + name + " + wait <= 2 " + name, call_side("i" + name), call_side(name),
          SideMap::same, most};
}

Guideline persistent(const std::string& name) {
  return {"persistent " + name + " <= " + name, call_side("persistent-" + name), call_side(name)};
}

Guideline in_place(const std::string& name) {
  return {name + " in place <= " + name, call_side(name, "in-place", "yes"), call_side(name)};
}

Guideline predefined(const std::string& name) {
  return {name + " <= " + name + " of a user's operator", call_side(name, "operator", "sum"),
          call_side(name, "operator", "user-sum")};
}

/// Threads of one rank may not take longer than as many ranks of one thread on the same cores.
Guideline threads_as_ranks(const std::string& name) {
  return {name + ": threads <= ranks", call_side(name), call_side(name, "threads", "1"),
          SideMap::threads_as_ranks};
}

}  // namespace

std::vector<Guideline> guidelines_between_calls() {
  std::vector<Guideline> all;
  for (const char* name : {"allgather", "alltoall", "gather", "scatter"}) {
    all.push_back(vectors(name));
  }
  all.push_back({"alltoallv <= alltoallw", call_side("alltoallv"), call_side("alltoallw")});
  all.push_back({"send <= ssend", call_side("pingpong"), call_side("ssend-pingpong")});
  for (const char* name : {"barrier", "bcast", "reduce", "allreduce", "gather", "scatter",
                           "allgather", "alltoall", "reduce-scatter"}) {
    all.push_back(nonblocking(name));
    all.push_back(price_of_nonblocking(name));
  }
  for (const char* name : {"barrier", "bcast", "reduce", "allreduce", "allgather", "alltoall"}) {
    all.push_back(persistent(name));
  }
  for (const char* name : {"allgather", "allreduce", "alltoall", "reduce", "scan"}) {
    all.push_back(in_place(name));
  }
  for (const char* name : {"allreduce", "reduce"}) all.push_back(predefined(name));
  for (const char* name : {"threaded-pingpong", "threaded-pingping", "threaded-message-rate",
                           "threaded-bidirectional-bandwidth"}) {
    all.push_back(threads_as_ranks(name));
  }
  return all;
}

std::vector<Guideline> unary_guidelines(const std::string& operation, bool has_in_place) {
  const GuidelineSide itself =
      has_in_place ? call_side(operation, "in-place", "no") : call_side(operation);
  return {{operation + ": a size <= the next", itself, itself, SideMap::next_size},
          {operation + ": whole <= in parts", itself, itself, SideMap::parts},
          {operation + ": some ranks <= more", itself, itself, SideMap::more_ranks}};
}

}  // namespace hockney
