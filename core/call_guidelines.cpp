#include "core/call_guidelines.hpp"

namespace hockney {
namespace {

GuidelineSide side(const std::string& operation, const std::string& key = "",
                   const std::string& value = "") {
  GuidelineSide made{.operation = operation, .parameters = {}};
  if (!key.empty()) made.parameters[key] = value;
  return made;
}

Guideline vectors(const std::string& name) {
  return {name + " <= " + name + "v", side(name), side(name + "v")};
}

Guideline nonblocking(const std::string& name) {
  return {name + " <= i" + name + " + wait", side(name), side("i" + name)};
}

/// A nonblocking call that is waited for at once may take twice as long as the blocking one, which
/// may not take longer than it.
Guideline price_of_nonblocking(const std::string& name) {
  constexpr double most = 2;
  return {"i" + name + " + wait <= 2 " + name, side("i" + name), side(name), SideMap::same, most};
}

Guideline persistent(const std::string& name) {
  return {"persistent " + name + " <= " + name, side("persistent-" + name), side(name)};
}

Guideline in_place(const std::string& name) {
  return {name + " in place <= " + name, side(name, "in-place", "yes"), side(name)};
}

Guideline predefined(const std::string& name) {
  return {name + " <= " + name + " of a user's operator", side(name, "operator", "sum"),
          side(name, "operator", "user-sum")};
}

/// Threads of one rank may not take longer than as many ranks of one thread on the same cores.
Guideline threads_as_ranks(const std::string& name) {
  return {name + ": threads <= ranks", side(name), side(name, "threads", "1"),
          SideMap::threads_as_ranks};
}

}  // namespace

std::vector<Guideline> guidelines_between_calls() {
  std::vector<Guideline> all;
  for (const char* name : {"allgather", "alltoall", "gather", "scatter"}) {
    all.push_back(vectors(name));
  }
  all.push_back({"alltoallv <= alltoallw", side("alltoallv"), side("alltoallw")});
  all.push_back({"send <= ssend", side("pingpong"), side("ssend-pingpong")});
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
  const GuidelineSide itself = has_in_place ? side(operation, "in-place", "no") : side(operation);
  return {{operation + ": a size <= the next", itself, itself, SideMap::next_size},
          {operation + ": whole <= in parts", itself, itself, SideMap::parts},
          {operation + ": some ranks <= more", itself, itself, SideMap::more_ranks}};
}

}  // namespace hockney
