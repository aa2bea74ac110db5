#include "profile/library/gathering.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <span>

#include "core/atomic_file.hpp"
#include "profile/library/real.hpp"

namespace hockney::profile {
namespace {

/// Large messages between ranks go in pieces of this size [B].
constexpr std::size_t piece = std::size_t{1} << 22U;
constexpr int tag = 7;

/// The bytes of a part in the order of its file.
class PartBytes {
 public:
  PartBytes(const Recorder& recorder, bool with_log)
      : header_(recorder.header_with_events()), pieces_(recorder.pieces()) {
    if (!with_log) pieces_.log = {};
    pieces_.count_in(header_);
  }

  template <class Take>
  void for_each(Take&& take) const {
    take(std::as_bytes(std::span(&header_, 1)));
    for (const auto bytes : pieces_.bytes()) take(bytes);
  }

  [[nodiscard]] std::uint64_t size() const {
    std::uint64_t size = 0;
    for_each([&](std::span<const std::byte> bytes) { size += bytes.size(); });
    return size;
  }

 private:
  PartHeader header_;
  PartPieces pieces_;
};

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void send_size(std::uint64_t size, int to, MPI_Comm comm) {
  real::Send(&size, int{sizeof size}, handles().byte, to, tag, comm);
}

void send(std::string_view bytes, int to, MPI_Comm comm) {
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    const auto count = static_cast<int>(std::min(piece, bytes.size() - at));
    real::Send(bytes.data() + at, count, handles().byte, to, tag, comm);
  }
}

/// Hands over each piece that comes, until all have come.
template <class Take>
void receive(int from, MPI_Comm comm, Take&& take) {
  std::uint64_t size = 0;
  MPI_Status status;
  real::Recv(&size, int{sizeof size}, handles().byte, from, tag, comm, &status);
  std::string room(std::min<std::uint64_t>(piece, size), '\0');
  while (size > 0) {
    real::Recv(room.data(), static_cast<int>(room.size()), handles().byte, from, tag, comm,
               &status);
    int count = 0;
    real::Get_count(&status, handles().byte, &count);
    take(std::string_view(room).substr(0, static_cast<std::size_t>(count)));
    size -= static_cast<std::uint64_t>(count);
  }
}

/// A file under way; what goes wrong is kept until the end, since the other ranks still send.
class EventsFile {
 public:
  explicit EventsFile(const std::string& file) {
    attempt([&] { output_.emplace(file); });
  }
  void write(std::string_view bytes) {
    attempt(
        [&] { output_->stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size())); });
  }
  void keep() {
    attempt([&] { output_->keep(); });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  template <class Step>
  void attempt(Step&& step) {
    if (failure_) return;
    try {
      step();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  std::optional<OutputFile> output_;
  std::exception_ptr failure_;
};

}  // namespace

std::string gather_parts(const Recorder& recorder, MPI_Comm comm) {
  const int rank = recorder.header.rank;
  const int size = recorder.header.world_ranks;
  std::string gathered;
  const auto add = [&](std::string_view bytes) { gathered += bytes; };
  PartBytes(recorder, false).for_each([&](auto bytes) { add(text_of(bytes)); });
  for (int distance = 1; distance < size; distance *= 2) {
    if ((rank & distance) != 0) {
      send_size(gathered.size(), rank - distance, comm);
      send(gathered, rank - distance, comm);
      return {};
    }
    if (rank + distance < size) receive(rank + distance, comm, add);
  }
  return gathered;
}

void gather_events(const Recorder& recorder, MPI_Comm comm, const std::vector<int>& logging,
                   const std::string& file) {
  const PartBytes own(recorder, true);
  if (recorder.header.rank != 0) {
    if (!recorder.log) return;
    send_size(own.size(), 0, comm);
    own.for_each([&](auto bytes) { send(text_of(bytes), 0, comm); });
    return;
  }
  if (logging.empty()) return;
  EventsFile events(file);
  for (const int rank : logging) {
    if (rank == 0) {
      own.for_each([&](auto bytes) { events.write(text_of(bytes)); });
    } else {
      receive(rank, comm, [&](std::string_view bytes) { events.write(bytes); });
    }
  }
  events.keep();
}

}  // namespace hockney::profile
