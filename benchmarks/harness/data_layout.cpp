#include "benchmarks/harness/data_layout.hpp"

#include <algorithm>
#include <array>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/mpi_objects.hpp"

namespace hockney::benchmarks {

namespace {

constexpr std::size_t eight = 8;

}  // namespace

LaidOutData::LaidOutData(const MessageShape& message, DataLayout layout)
    : plain_(message.type->handle), extent_(message.type->extent), count_(message.count) {
  const auto elements = static_cast<std::size_t>(message.count);
  switch (layout) {
    case DataLayout::contiguous:
      add(elements, 0);
      return;
    case DataLayout::vector:
      lay_vector(elements);
      break;
    case DataLayout::indexed:
      lay_indexed(elements);
      break;
    case DataLayout::structure:
      lay_records(elements);
      break;
  }
  MPI_Datatype made = made_.get();
  mpi_check(MPI_Type_commit(&made));
}

/// Appends `elements` elements at `place` [elements].
void LaidOutData::add(std::size_t elements, std::size_t place) {
  const std::size_t before = blocks_.empty() ? 0 : blocks_.back().in_message + blocks_.back().bytes;
  blocks_.push_back(
      {.in_message = before, .in_memory = place * extent_, .bytes = elements * extent_});
}

void LaidOutData::lay_vector(std::size_t elements) {
  const std::size_t block = elements % eight == 0 ? eight : 1;
  for (std::size_t first = 0; first < elements; first += block) add(block, 2 * first);
  const auto length = static_cast<int>(block);
  mpi_check(
      MPI_Type_vector(static_cast<int>(elements / block), length, 2 * length, plain_, made_.out()));
  count_ = 1;
}

void LaidOutData::lay_indexed(std::size_t elements) {
  constexpr std::array<std::size_t, 2> lengths{4, 12};
  std::vector<int> counts;
  std::vector<int> places;
  for (std::size_t first = 0; first < elements; first += static_cast<std::size_t>(counts.back())) {
    const std::size_t length = std::min(lengths.at(counts.size() % 2), elements - first);
    add(length, 2 * first);
    counts.push_back(static_cast<int>(length));
    places.push_back(static_cast<int>(2 * first));
  }
  mpi_check(MPI_Type_indexed(static_cast<int>(counts.size()), counts.data(), places.data(), plain_,
                             made_.out()));
  count_ = 1;
}

void LaidOutData::lay_records(std::size_t elements) {
  const bool has_fields = elements % eight == 0;
  const std::vector<int> fields = has_fields ? std::vector{2, 6} : std::vector{1};
  const std::size_t record = has_fields ? eight : 1;
  std::vector<MPI_Aint> offsets;
  MPI_Aint end = 0;
  for (const int field : fields) {
    offsets.push_back(end * static_cast<MPI_Aint>(extent_));
    end += 2 * MPI_Aint{field};
  }
  for (std::size_t first = 0; first < elements; first += record) {
    std::size_t place = 2 * first;
    for (const int field : fields) {
      add(static_cast<std::size_t>(field), place);
      place += 2 * static_cast<std::size_t>(field);
    }
  }
  const std::vector<MPI_Datatype> types(fields.size(), plain_);
  UniqueDatatype one;
  mpi_check(MPI_Type_create_struct(static_cast<int>(fields.size()), fields.data(), offsets.data(),
                                   types.data(), one.out()));
  mpi_check(
      MPI_Type_create_resized(one.get(), 0, end * static_cast<MPI_Aint>(extent_), made_.out()));
  count_ = static_cast<int>(elements / record);
}

LaidOutMessage::LaidOutMessage(const Context& context, const Point& point, DataLayout layout)
    : comm_(context.comm),
      rank_(context.rank),
      message_(message_of(point)),
      data_(message_, layout) {
  const auto buffers = context.buffers.draw({2 * message_.extent(), 2 * message_.extent()});
  send_ = buffers[0];
  receive_ = buffers[1];
}

void LaidOutMessage::draw_packed(const Context& context) {
  mpi_check(MPI_Pack_size(data_.count(), data_.type(), comm_, &packed_bytes_));
  const auto room = std::max(static_cast<std::size_t>(packed_bytes_), message_.extent());
  packed_ = context.buffers.draw({room}).front();
}

void LaidOutMessage::pass_derived() {
  pass_and_return([&] { MPI_Send(send_.data(), data_.count(), data_.type(), 1 - rank_, 0, comm_); },
                  [&] {
                    MPI_Recv(receive_.data(), data_.count(), data_.type(), 1 - rank_, 0, comm_,
                             MPI_STATUS_IGNORE);
                  });
}

void LaidOutMessage::pass_packed() {
  pass_and_return(
      [&] {
        int end = 0;
        MPI_Pack(send_.data(), data_.count(), data_.type(), packed_.data(), packed_bytes_, &end,
                 comm_);
        MPI_Send(packed_.data(), end, MPI_PACKED, 1 - rank_, 0, comm_);
      },
      [&] {
        int end = 0;
        MPI_Recv(packed_.data(), packed_bytes_, MPI_PACKED, 1 - rank_, 0, comm_, MPI_STATUS_IGNORE);
        MPI_Unpack(packed_.data(), packed_bytes_, &end, receive_.data(), data_.count(),
                   data_.type(), comm_);
      });
}

void LaidOutMessage::pass_copied() {
  const int count = message_.count;
  MPI_Datatype type = message_.type->handle;
  pass_and_return(
      [&] {
        data_.pack(send_.data(), packed_.data());
        MPI_Send(packed_.data(), count, type, 1 - rank_, 0, comm_);
      },
      [&] {
        MPI_Recv(packed_.data(), count, type, 1 - rank_, 0, comm_, MPI_STATUS_IGNORE);
        data_.unpack(packed_.data(), receive_.data());
      });
}

void LaidOutMessage::refill(std::uint64_t seed) {
  std::vector<std::byte> packed(message_.extent());
  fill_pattern(packed, pattern_seed(seed, rank_));
  data_.unpack(packed.data(), send_.data());
  std::ranges::fill(receive_.to_poison(), std::byte{0});
}

bool LaidOutMessage::verify(std::uint64_t seed) const {
  std::vector<std::byte> packed(message_.extent());
  data_.pack(receive_.data(), packed.data());
  return holds_message(packed, *message_.type, pattern_seed(seed, 1 - rank_));
}

}  // namespace hockney::benchmarks
