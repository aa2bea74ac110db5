#include "application/library/gathering.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <span>

#include "core/atomic_file.hpp"
#include "application/library/real.hpp"

namespace hockney::profile {
namespace {

/// Messages between ranks are at most so large [B]: they fit on the stack.
constexpr std::size_t piece = std::size_t{1} << 17U;
using Room = std::array<char, piece>;
constexpr int tag = 7;

/// The bytes of a part in the order of its file.
class PartBytes {
 public:
  PartBytes(const Recorder& recorder, bool with_log)
      : header_(recorder.whole_header()), pieces_(recorder.pieces()) {
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

void send_letters(std::string_view letters, int to, MPI_Comm comm) {
  real::Send(letters.data(), static_cast<int>(letters.size()), handles().byte, to, tag, comm);
}

void send_size(std::uint64_t size, int to, MPI_Comm comm) {
  real::Send(&size, int{sizeof size}, handles().byte, to, tag, comm);
}

/// Its size, and its bytes in as few messages as they need.
void send(const PartBytes& part, int to, MPI_Comm comm) {
  Room room{};
  std::size_t filled = 0;
  send_size(part.size(), to, comm);
  part.for_each([&](std::span<const std::byte> bytes) {
    for (std::string_view rest = text_of(bytes); !rest.empty();) {
      const std::size_t now = rest.copy(room.data() + filled, piece - filled);
      rest.remove_prefix(now);
      filled += now;
      if (filled < piece) continue;
      send_letters({room.data(), piece}, to, comm);
      filled = 0;
    }
  });
  if (filled > 0) send_letters({room.data(), filled}, to, comm);
}

std::uint64_t receive_size(int from, MPI_Comm comm) {
  std::uint64_t size = 0;
  MPI_Status status;
  real::Recv(&size, int{sizeof size}, handles().byte, from, tag, comm, &status);
  return size;
}

/// Hands over each piece of a part that comes, until all have come.
template <class Take>
void receive(std::uint64_t size, int from, MPI_Comm comm, Take&& take) {
  Room room{};
  while (size > 0) {
    const std::size_t now = std::min<std::uint64_t>(piece, size);
    MPI_Status status;
    real::Recv(room.data(), static_cast<int>(now), handles().byte, from, tag, comm, &status);
    take(std::string_view(room.data(), now));
    size -= now;
  }
}

/// The bytes of a part that comes, as far as there is memory for it.
class HeldPart {
 public:
  /// Empties it for one of so many bytes.
  void begin(std::uint64_t size) {
    bytes_.clear();
    try {
      bytes_.reserve(size);
      is_held_ = true;
    } catch (const std::exception&) {
      is_held_ = false;
    }
  }
  void add(std::string_view bytes) {
    if (is_held_) bytes_ += bytes;  // there is room for it
  }
  [[nodiscard]] std::optional<std::string_view> bytes() const {
    return is_held_ ? std::optional<std::string_view>(bytes_) : std::nullopt;
  }

 private:
  std::string bytes_;
  bool is_held_ = false;
};

void receive_part(int from, MPI_Comm comm, HeldPart& part) {
  const std::uint64_t size = receive_size(from, comm);
  part.begin(size);
  receive(size, from, comm, [&](std::string_view bytes) { part.add(bytes); });
}

void pass_on(int from, int to, MPI_Comm comm) {
  const std::uint64_t size = receive_size(from, comm);
  send_size(size, to, comm);
  receive(size, from, comm, [&](std::string_view bytes) { send_letters(bytes, to, comm); });
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

void gather_parts(const Recorder& recorder, MPI_Comm comm,
                  const std::function<void(std::optional<std::string_view>)>& take) {
  const int rank = recorder.header.rank;
  const int size = recorder.header.world_ranks;
  const int parent = rank & (rank - 1);
  HeldPart part;
  const PartBytes own(recorder, false);
  if (rank == 0) {
    part.begin(own.size());
    own.for_each([&](auto bytes) { part.add(text_of(bytes)); });
    take(part.bytes());
  } else {
    send(own, parent, comm);
  }
  // Below the rank at each distance are as many ranks, itself among them, as far as there are any.
  for (int distance = 1; (rank & distance) == 0 && rank + distance < size; distance *= 2) {
    const int from = rank + distance;
    for (int parts = std::min(distance, size - from); parts > 0; --parts) {
      if (rank != 0) {
        pass_on(from, parent, comm);
      } else {
        receive_part(from, comm, part);
        take(part.bytes());
      }
    }
  }
}

void gather_events(const Recorder& recorder, MPI_Comm comm, const std::vector<int>& logging,
                   const std::string& file) {
  const int rank = recorder.header.rank;
  std::vector<char> sends(rank == 0 ? static_cast<std::size_t>(recorder.header.world_ranks) : 0);
  for (const int one : logging) sends[static_cast<std::size_t>(one)] = 1;
  char is_to_send = 0;
  real::Scatter(sends.data(), 1, handles().byte, &is_to_send, 1, handles().byte, 0, comm);
  const PartBytes own(recorder, true);
  if (rank != 0) {
    if (is_to_send != 0) send(own, 0, comm);
    return;
  }
  if (logging.empty()) return;
  EventsFile events(file);
  for (const int from : logging) {
    if (from == 0) {
      own.for_each([&](auto bytes) { events.write(text_of(bytes)); });
    } else {
      receive(receive_size(from, comm), from, comm,
              [&](std::string_view bytes) { events.write(bytes); });
    }
  }
  events.keep();
}

}  // namespace hockney::profile
