/** Bytes of memory that parts of a decoded value take, about: measured with Node.js 20. Texts take what they travel in. */
export const cost = { container: 64, field: 64, value: 8 }

/** What the few bytes of an ordinary answer may cost, whatever they hold. */
const always = 1024 * 1024
/** A body of short lists and fields costs up to ten times its bytes. */
const timesItsBytes = 16
/** A gateway computer with 512 MB does other work beside this. */
const most = 64 * 1024 * 1024

/** Bytes of memory that the value in a body of so many bytes may take. */
export const mostMemory = (bytes: number): number => Math.min(most, always + timesItsBytes * bytes)

/**
 * Fields that one object of a long body may have; the device's have some dozens. Looking at each field of a bigger one,
 * as whoever checks or copies it does, holds the event loop: an engine keeps such an object as a table of its keys.
 */
export const mostFields = 16_384
