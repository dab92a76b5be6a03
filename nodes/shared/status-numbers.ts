import { spoken } from './node-error'

/** Node-RED's local time: `14:03:12`. */
export const timeOfDay = (at: Date): string =>
  [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')

/** A duration in its shortest readable form: `340 ms`, `2.4 s`, `12 min`. */
export function took(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.max(1, Math.round(milliseconds))} ms`
  const seconds = milliseconds / 1000
  if (seconds < 100) return `${seconds.toLocaleString(spoken(), { maximumFractionDigits: 1 })} s`
  return `${Math.round(seconds / 60)} min`
}

const formats = new Map<string | undefined, Intl.NumberFormat>()

/** A count with its thousands grouped. A format takes far longer to make than to use. */
export function grouped(count: number): string {
  const language = spoken()
  const format = formats.get(language) ?? new Intl.NumberFormat(language)
  formats.set(language, format)
  return format.format(count)
}
