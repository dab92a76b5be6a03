import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('pictures')

/**
 * Fills in a pattern such as `clouds/{date}/{timestamp}.ply`: the device's time of the picture as seconds and
 * nanoseconds, and this computer's local date and time.
 * @param timestamp nanoseconds since 1970
 * @throws INVALID_INPUT naming an unknown placeholder
 */
export function fileName(pattern: string, timestamp: bigint, now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const perSecond = 1_000_000_000n
  const values: Readonly<Record<string, string>> = {
    date: [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-'),
    time: [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('-'),
    timestamp: `${timestamp / perSecond}.${String(timestamp % perSecond).padStart(9, '0')}`,
  }
  return pattern.replace(/\{(\w*)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value !== undefined) return value
    const known = Object.keys(values).map((each) => `{${each}}`)
    throw invalidInput('unknown-file-part', { placeholder: whole, known: known.join(', ') })
  })
}
