import type { Time } from '../../lib/codec/streams'

const nanoseconds = 1e9

/**
 * The exact timestamp of a message, so that timestamps are evenly spaced.
 * @param index of the moment, in periods since 1970 @param rate periods per second @param ahead seconds to add
 */
export function timestampAt(index: number, rate: number, ahead: number): Required<Time> {
  const seconds = Math.floor(index / rate)
  const more = Math.floor(ahead)
  const nsec = Math.round(((index - seconds * rate) / rate + ahead - more) * nanoseconds)
  return nsec < nanoseconds
    ? { sec: seconds + more, nsec }
    : { sec: seconds + more + 1, nsec: nsec - nanoseconds }
}
