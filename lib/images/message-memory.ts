/** Pieces that wait to be used again: one may be received, one wait and one be in the consumer's hands. */
const mostFree = 2

/**
 * Memory for messages that is used again after they are done with. New memory for every set would make the garbage
 * collector run again and again, and every copy go to memory that is not in the processor's cache.
 */
export class MessageMemory {
  private readonly free: Buffer[] = []

  /** Memory whose content is to be overwritten. */
  take(bytes: number): Buffer {
    const at = this.free.findIndex(({ length }) => length >= bytes && length <= 2 * bytes)
    const [found] = at < 0 ? [] : this.free.splice(at, 1)
    if (found) return found.length === bytes ? found : found.subarray(0, bytes)
    // Sets have another size than before.
    this.free.length = 0
    // Not from the pool of small buffers, which would be kept alive by one image.
    return Buffer.allocUnsafeSlow(bytes)
  }

  /** @param message that nobody reads any more */
  give({ buffer }: Buffer): void {
    if (this.free.length < mostFree) this.free.push(Buffer.from(buffer))
  }
}
