export const timestampShape = { sec: 'int32', nsec: 'int32' } as const
export interface Timestamp {
  sec: number
  nsec: number
}

/** Seconds since 1970 as whole seconds and nanoseconds. */
export function timestamp(seconds: number): Timestamp {
  const sec = Math.floor(seconds)
  return { sec, nsec: Math.floor((seconds - sec) * 1e9) }
}
