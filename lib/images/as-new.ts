/** Of shorter messages, few are met twice, bytes. */
const least = 1024 * 1024

/**
 * The same memory as a new object; the object before has none from then on. What is only needed for a moment costs next to
 * nothing if its object is new. But a set takes long to arrive, and an object that the garbage collector has met twice is
 * found unneeded only by a search through all that Node-RED has in memory.
 */
export function asNew(bytes: Buffer): Buffer {
  const { buffer, byteOffset, length } = bytes
  if (length < least || !(buffer instanceof ArrayBuffer)) return bytes
  return Buffer.from(structuredClone(buffer, { transfer: [buffer] }), byteOffset, length)
}
