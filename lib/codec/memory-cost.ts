/**
 * Approximate bytes of memory per part of a decoded value, measured with Node.js 20. Texts take as much as they do in
 * transit, and a value of a list twice its 8 bytes, because a list is copied whenever it grows.
 */
export const cost = { container: 64, field: 64, value: 16 }

/** Memory that a body may always use, whatever its size: enough for ordinary answers. */
const always = 2 * 1024 * 1024
/** A body of short lists and fields takes up to ten times its size. */
const timesItsBytes = 16
/** A gateway computer with 512 MB has other work to do. */
const most = 40 * 1024 * 1024

/** Bytes of memory that the decoded value of a body may take. @param bytes length of the body */
export const mostMemory = (bytes: number): number => Math.min(most, always + timesItsBytes * bytes)

/**
 * Most fields of one object in a long body; the device's objects have some dozens. Visiting each field of a bigger one,
 * as a check or a copy does, blocks the event loop, because the engine stores such an object as a hash table.
 */
export const mostFields = 16_384
