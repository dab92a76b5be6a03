import { randomUUID } from 'node:crypto'
import { uptime } from 'node:os'
import { bootId } from '../files/boot-id'

const boot = bootId()

/** Which clock `hostNow` is: that of one start of this computer, or of this process where the system tells no starts. */
export const hostClock = boot ?? randomUUID()

/** Milliseconds of a clock that goes on over the restarts of this program, and that nobody can set. */
export const hostNow = (): number => (boot === undefined ? performance.now() : 1000 * uptime())
