import { spoken } from '../shared/node-error'
import { changesBetween, type Change, type Snapshot } from './changes'
import type { DeviceLook } from './look-at'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('operator-devices')

/** Changes that a row names. */
const mostNamed = 3
/** Characters of a value. */
const longest = 40

/** A row of Dashboard's table, whose columns are named by it. */
export function deviceRow(look: DeviceLook, before: Snapshot | undefined): Record<string, string> {
  const { name, state, temperature, firmware, isLicensed, logs, values } = look
  return {
    [say('column-device')]: name,
    [say('column-health')]: say(`health-${state}`),
    [say('column-temperature')]: temperature === undefined ? '–' : `${numbered(temperature)} °C`,
    [say('column-firmware')]: firmware ?? '–',
    [say('column-license')]:
      isLicensed === undefined ? '–' : say(isLicensed ? 'license-valid' : 'license-missing'),
    [say('column-logs')]: logs === undefined ? '–' : `${numbered(logs)} KiB`,
    [say('column-changes')]:
      values && before ? changed(changesBetween(before.values, values), before.at) : '–',
  }
}

function changed(changes: readonly Change[], at: number): string {
  const since = new Date(at).toLocaleString(locale(), { dateStyle: 'short', timeStyle: 'short' })
  if (changes.length === 0) return say('nothing-changed', { since })
  const named = changes
    .slice(0, mostNamed)
    .map(({ name, from, to }) => `${name}: ${short(from)} → ${short(to)}`)
  const more = changes.length - named.length
  return [...named, ...(more > 0 ? [say('more-changes', { count: more })] : [])].join(', ')
}

const short = (value: unknown) => {
  const text = (JSON.stringify(value) as string | undefined) ?? ''
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
const locale = () => (spoken() ?? 'en').replace(/^en.*/, 'en-GB')
const numbered = (value: number) => value.toLocaleString(locale(), { maximumFractionDigits: 1 })
