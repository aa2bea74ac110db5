#include "application/analysis/critical_path.hpp"

#include <algorithm>

namespace hockney::applications {
namespace {

/// A step of a rank; the number of its steps stands for its end.
struct Place {
  std::size_t rank = 0;
  std::size_t step = 0;
};

/// Where each message is sent and its receive posted, and each collective entered.
struct Actors {
  std::vector<Place> sends;
  std::vector<Place> posts;
  std::vector<std::vector<Place>> enters;  ///< in the order of the collective's ranks

  explicit Actors(const HappensBefore& program)
      : sends(program.messages.size()),
        posts(program.messages.size()),
        enters(program.collectives.size()) {
    for (std::size_t rank = 0; rank < program.ranks.size(); ++rank) {
      for (std::size_t step = 0; step < program.ranks[rank].size(); ++step) {
        add(program.ranks[rank][step], {rank, step});
      }
    }
  }

 private:
  void add(const ProgramStep& step, const Place& place) {
    if (step.does == ProgramStep::Does::sends) sends[step.index] = place;
    if (step.does == ProgramStep::Does::receives) posts[step.index] = place;
    if (step.does == ProgramStep::Does::enters) enters[step.index].push_back(place);
  }
};

class Walk {
 public:
  Walk(const Trace& trace, const HappensBefore& program, const ReplayedTimes& times)
      : trace_(trace), program_(program), times_(times), actors_(program) {
    for (std::size_t rank = 0; rank < program.ranks.size(); ++rank) follow(rank);
  }

  std::vector<PathPiece> take() {
    std::size_t rank = last_rank();
    // The others' end is the run's: what T is longer than this rank's own time is transfer, too.
    pieces_.push_back({rank, std::nullopt, computing_after(trace_.ranks[rank]),
                       trace_.seconds() - trace_.ranks[rank].seconds});
    std::size_t events = trace_.ranks[rank].events.size();
    while (events > 0) {
      const std::size_t event = events - 1;
      const auto waiting = last_wait(rank, event);
      if (!waiting) {
        pieces_.push_back(
            {rank, event, computing_with(trace_.ranks[rank], event), inside(rank, event)});
        --events;
        continue;
      }
      const Place cause = cause_of({rank, *waiting});
      const double excess = left(rank, event) - times_.left[rank][*waiting];
      pieces_.push_back({rank, event, 0, excess - excess_at(cause)});
      events = go_to(cause);
      rank = cause.rank;
    }
    return std::move(pieces_);
  }

 private:
  /// When each step of a rank begins in the replay, and which steps each of its events has.
  void follow(std::size_t rank) {
    const auto& steps = program_.ranks[rank];
    std::vector<double>& entered = entered_.emplace_back();
    std::vector<std::size_t>& first = first_.emplace_back();
    double before = 0;
    for (std::size_t step = 0; step < steps.size(); ++step) {
      while (first.size() <= steps[step].event) first.push_back(step);
      entered.push_back(before + steps[step].computing_seconds);
      before = times_.left[rank][step];
    }
    first.resize(trace_.ranks[rank].events.size() + 1, steps.size());
    entered.push_back(before + program_.tail_seconds[rank]);
  }

  /// That ends last in the replay, of several the one that ran longest.
  [[nodiscard]] std::size_t last_rank() const {
    std::size_t last = 0;
    for (std::size_t rank = 1; rank < trace_.ranks.size(); ++rank) {
      const auto end = [&](std::size_t one) {
        return std::pair(times_.rank_seconds[one], trace_.ranks[one].seconds);
      };
      if (end(rank) > end(last)) last = rank;
    }
    return last;
  }

  /// The last step of a call in which the rank waits.
  [[nodiscard]] std::optional<std::size_t> last_wait(std::size_t rank, std::size_t event) const {
    for (std::size_t step = first_[rank][event + 1]; step > first_[rank][event]; --step) {
      if (times_.waits[rank][step - 1] > 0) return step - 1;
    }
    return std::nullopt;
  }

  // Measured, since the rank's own begin.
  [[nodiscard]] double inside(std::size_t rank, std::size_t event) const {
    const RankTrace& own = trace_.ranks[rank];
    const profile::Event& one = own.events[event];
    if (profile::describe(one.function).kind == profile::Kind::file) return 0;
    return static_cast<double>(one.ticks) * own.seconds_per_tick;
  }
  [[nodiscard]] double left(std::size_t rank, std::size_t event) const {
    return trace_.ranks[rank].end_of(trace_.ranks[rank].events[event]);
  }

  /// By how much a rank was later at a place than in the replay. Others wait for what a call begins
  /// with alone, so that nothing has been waited for in it.
  [[nodiscard]] double excess_at(const Place& place) const {
    const RankTrace& rank = trace_.ranks[place.rank];
    const double replayed = entered_[place.rank][place.step];
    if (place.step == program_.ranks[place.rank].size()) return rank.seconds - replayed;
    const std::size_t event = program_.ranks[place.rank][place.step].event;
    return left(place.rank, event) - inside(place.rank, event) - replayed;
  }

  /// What a rank did before a place: the computing belongs to the path, the call does not. Returns
  /// how many events come before it.
  std::size_t go_to(const Place& place) {
    const RankTrace& rank = trace_.ranks[place.rank];
    if (place.step == program_.ranks[place.rank].size()) {
      pieces_.push_back({place.rank, std::nullopt, computing_after(rank), 0});
      return rank.events.size();
    }
    const std::size_t event = program_.ranks[place.rank][place.step].event;
    pieces_.push_back({place.rank, event, computing_with(rank, event), 0});
    return event;
  }

  /// What a rank waits for, where it waits.
  [[nodiscard]] Place cause_of(const Place& waiting) const {
    const ProgramStep& step = program_.ranks[waiting.rank][waiting.step];
    if (step.needs == ProgramStep::Needs::received) return actors_.sends[step.index];
    if (step.needs == ProgramStep::Needs::left) return cause_in(step.index, waiting);
    const Place& post = actors_.posts[step.index];
    const double at = times_.left[waiting.rank][waiting.step];
    if (entered_[post.rank][post.step] == at) return post;
    // A message that the receiver took when it was inside MPI for another reason.
    const std::vector<double>& entered = entered_[post.rank];
    const auto look = std::ranges::lower_bound(entered, at) - entered.begin();
    return {post.rank, std::min(static_cast<std::size_t>(look), entered.size() - 1)};
  }

  /// The last one to come of those that a rank of a collective waits for.
  [[nodiscard]] Place cause_in(std::uint32_t index, const Place& waiting) const {
    const CollectiveCall& call = program_.collectives[index];
    const std::vector<Place>& places = actors_.enters[index];
    if (call.waits == Waits::for_root) return places[static_cast<std::size_t>(call.root)];
    Place last = places.front();
    for (const Place& place : places) {
      if (call.waits == Waits::for_lower_ranks && place.rank > waiting.rank) break;
      if (entered_[place.rank][place.step] > entered_[last.rank][last.step]) last = place;
    }
    return last;
  }

  const Trace& trace_;
  const HappensBefore& program_;
  const ReplayedTimes& times_;
  Actors actors_;
  std::vector<std::vector<double>> entered_;     ///< of each rank, each step, and its end
  std::vector<std::vector<std::size_t>> first_;  ///< of each rank and event, its first step
  std::vector<PathPiece> pieces_;
};

}  // namespace

std::vector<PathPiece> critical_path(const Trace& trace, const HappensBefore& program,
                                     const ReplayedTimes& times) {
  return Walk(trace, program, times).take();
}

}  // namespace hockney::applications
