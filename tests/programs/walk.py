"""Messages of mpi4py: arrays, pickled objects, any source, persistent, split; each rank prints what it has in the end."""

import hashlib

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
right, left = (rank + 1) % size, (rank - 1) % size
digest = hashlib.sha256()

values = bytearray(range(200))
for step in range(50):
    came = bytearray(len(values) + 10)
    status = MPI.Status()
    world.Sendrecv([values, MPI.BYTE], dest=right, recvbuf=[came, MPI.BYTE], source=left, status=status)
    assert status.Get_count(MPI.BYTE) == len(values)
    values = bytearray((value + step) % 256 for value in came[:len(values)])
    digest.update(values)

thing = {"from": rank, "what": ["words", 1.5]}
for step in range(10):  # pickled, of a size that the receiver asks for
    request = world.isend(thing, dest=left, tag=step)
    thing = world.recv(source=MPI.ANY_SOURCE, tag=step)
    request.wait()
digest.update(repr(sorted(thing.items())).encode())

half = world.Split(rank % 2, rank)
total = half.allreduce(rank)
half.Free()
cell = bytearray(8)
plan = [world.Send_init([bytes(range(8)), MPI.BYTE], dest=right), world.Recv_init([cell, MPI.BYTE], source=left)]
for step in range(7):
    MPI.Prequest.Startall(plan)
    MPI.Request.Waitall(plan)
digest.update(cell)
for line in world.gather(f"{rank} {total} {digest.hexdigest()}") or []:
    print(line)
