/** Random numbers from 0 up to but not including 1; identical for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A smooth random function of time around `mean`, within `spread`. Two readings at the same moment are equal. */
export function drifting(random: () => number, mean: number, spread: number): (seconds: number) => number {
  const waves = [7, 31, 113].map((period) => ({ period, phase: random() * 2 * Math.PI }))
  return (seconds) =>
    mean +
    (spread / waves.length) *
      waves.reduce((sum, { period, phase }) => sum + Math.sin((2 * Math.PI * seconds) / period + phase), 0)
}

/** A value as shown in an error message: short, on one line. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return cut(JSON.stringify(value.slice(0, 100)), 60)
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/** One printable line of bounded length. */
export function cut(text: string, length: number): string {
  const line = text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
  // A slice would keep the whole text in memory.
  return line.length > length ? `${Buffer.from(line.slice(0, length - 1)).toString()}…` : line
}

const returnCodes: Readonly<Record<number, number>> = { 403: -8, 500: -2 }

/** An HTTP status and a sentence for the client. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(
    readonly status: number,
    message: string,
    /** With the codes of services: -1 invalid argument, -2 internal, -8 not possible at present, -9 no license. */
    readonly returnCode = returnCodes[status] ?? -1,
  ) {
    super(message)
  }
}

/** @param anyOf components of which one is sufficient */
export const noLicense = (anyOf: readonly string[]): Refusal =>
  new Refusal(403, `no valid license: the component ${anyOf.join(' or ')} is missing`, -9)

/** Contains both `message` and `return_code`, because programs for real devices read one or the other. */
export const refusalBody = ({ message, returnCode }: Refusal): object => ({
  message,
  return_code: { value: returnCode, message },
})

/** Tests pass their own clock and advance it, so that nothing waits. */
export interface Clock {
  /** Seconds since 1970. */
  now: () => number
}

/** The clock of this machine. */
export const systemClock: Clock = { now: () => Date.now() / 1000 }

/** A clock that is stopped until it is set. */
export function manualClock(start = 1_700_000_000): Clock & { advance: (seconds: number) => void } {
  let time = start
  return {
    now: () => time,
    advance: (seconds) => {
      time += seconds
    },
  }
}
