#include "benchmarks/harness/operation_kind.hpp"

namespace hockney {

OperationKind kind_of(const Descriptor& descriptor) {
  const bool pair = descriptor.shape == TeamShape::pair;
  if (descriptor.windowed) {
    return pair ? OperationKind::windowed_pair : OperationKind::windowed_pairs;
  }
  if (descriptor.single) {
    return descriptor.sized ? OperationKind::collective : OperationKind::barrier;
  }
  return pair ? OperationKind::pair : OperationKind::ring;
}

}  // namespace hockney
