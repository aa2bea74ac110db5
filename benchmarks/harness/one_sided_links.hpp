#pragma once

#include "benchmarks/harness/one_sided.hpp"
#include "benchmarks/harness/remote_data.hpp"

/// The forms in which calls of many ranks on each other's memory are measured. A call is a struct
/// as those of one_sided.hpp, whose make() does not depend on what other ranks do.
namespace hockney::benchmarks {

/// One run: every rank makes its calls and completes them together. The last rank counts, each of
/// which is done when its own calls are complete and, where completion counts at the target, when
/// it knows that those of the others are.
template <class Call, class Pattern>
class LinkedCalls : public RemoteCalls<Call> {
  using Base = RemoteCalls<Call>;

 public:
  static std::optional<std::string> obstacle(const Point& point) {
    if (point.ranks < 2) return "it needs another rank";
    return Base::obstacle(point);
  }

  static Volume volume(const Point& point) {
    return {.operations = 1, .bytes = point.bytes * Pattern::messages(point.ranks)};
  }

  LinkedCalls(const Context& context, const Point& point)
      : LinkedCalls(context, point, Pattern::links(context.rank, context.size)) {}

  void run() {
    if (gives_ && takes_) {
      this->give_and_take();
    } else if (gives_) {
      this->give();
    } else {
      this->take();
    }
    this->count();
  }

 protected:
  static constexpr Descriptor describe(const FixedText& name, const FixedText& summary,
                                       std::string_view counts) {
    Descriptor made = describe_form<Call>(name, summary);
    made.counts = counts;
    made.shape = GroupShape::everybody;
    made.timing = Timing::last_rank;
    return made;
  }

 private:
  LinkedCalls(const Context& context, const Point& point, const Links& links)
      : Base(context, point, links), gives_(!links.calls.empty()), takes_(!links.origins.empty()) {}

  bool gives_;
  bool takes_;
};

template <class Call>
class OneOnAll : public LinkedCalls<Call, OneToAll> {
  static constexpr FixedText name{"one-", Call::words.name, "-all"};
  static constexpr FixedText summary{
      Call::words.function,
      " of the first rank on each of the others, completed together, until the last rank is "
      "through"};

 public:
  static constexpr Descriptor descriptor = LinkedCalls<Call, OneToAll>::describe(
      name, summary, "the data of all calls (IMB-RMA One_put_all, One_get_all: the same)");
  using LinkedCalls<Call, OneToAll>::LinkedCalls;
};

template <class Call>
class AllOnAll : public LinkedCalls<Call, AllToAll> {
  static constexpr FixedText name{"all-", Call::words.name, "-all"};
  static constexpr FixedText summary{
      Call::words.function,
      " of every rank on each of the others, completed together, until the last rank is through"};

 public:
  static constexpr Descriptor descriptor = LinkedCalls<Call, AllToAll>::describe(
      name, summary, "the data of one rank's calls (IMB-RMA All_put_all, All_get_all: none)");
  using LinkedCalls<Call, AllToAll>::LinkedCalls;
};

template <class Call>
class ExchangeByCalls : public LinkedCalls<Call, BothNeighbours> {
  static constexpr FixedText name{"exchange-", Call::words.name};
  static constexpr FixedText summary{
      Call::words.function,
      " of every rank on both neighbours in a ring, completed together, until the last rank is "
      "through"};

 public:
  static constexpr Descriptor descriptor = LinkedCalls<Call, BothNeighbours>::describe(
      name, summary,
      "the data four times, as exchange: two calls of a rank and two on it (IMB-RMA Exchange_put, "
      "Exchange_get: none)");
  using LinkedCalls<Call, BothNeighbours>::LinkedCalls;
};

}  // namespace hockney::benchmarks
