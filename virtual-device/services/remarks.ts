import { returnCode } from '../module'

/** A remark of a service in addition to its answer; positive values. */
export interface Remark {
  value: number
  message: string
}

/** Of several remarks the device reports the smallest value and all the messages. */
export function codeOf(remarks: readonly Remark[]): ReturnType<typeof returnCode> {
  if (remarks.length === 0) return returnCode(0)
  const message = remarks.map((each) => each.message).join('; ')
  return returnCode(Math.min(...remarks.map(({ value }) => value)), message)
}
