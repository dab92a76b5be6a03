/**
 * Bytes that are allocated once and freed by the next garbage collection. The memory allocator of Linux (glibc) learns from
 * the largest block that was freed how much freed memory the process keeps, twice as much (mallopt(3), M_MMAP_THRESHOLD),
 * and learns from none beyond 32 MiB. Nothing is written, so that they take no memory.
 */
const lesson = 32 * 1024 * 1024 - 64 * 1024

let isTaught = false

/**
 * Lets the process keep freed memory of up to 64 MiB. New memory for every set or picture would otherwise be given back to
 * the system with each garbage collection and asked for again page by page (`bench images`). Where another allocator is in
 * use, or the variables MALLOC_… say what it keeps, it changes nothing.
 */
export function keepFreedMemory(): void {
  if (isTaught) return
  isTaught = true
  Buffer.allocUnsafeSlow(lesson)
}
