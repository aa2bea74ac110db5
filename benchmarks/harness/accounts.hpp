#pragma once

#include "benchmarks/harness/operation.hpp"

/// What collective operations count: as algorithm bandwidth the data as nccl-tests count them
/// (github.com/NVIDIA/nccl-tests, doc/PERFORMANCE.md), as bus bandwidth the bytes that the rank
/// with most of them must send or receive in every algorithm. With equal counts these are
/// nccl-tests' factors.
namespace hockney {

/// The message once, of which so much passes the busiest rank: bcast and reduce 1, allreduce
/// 2 (p - 1) / p.
Account message_account(const Point& point, double bus_share);

/// All blocks, of which a root sends or receives all but its own: gather, scatter.
Account rooted_account(const Point& point);

/// All blocks, of which every rank receives all but its own: allgather.
Account allgather_account(const Point& point);

/// The blocks of one rank for all others, all but its own: alltoall.
Account alltoall_account(const Point& point);

/// The whole vector, of which every rank sends all but its own part: reduce_scatter.
Account reduce_scatter_account(const Point& point);

}  // namespace hockney
