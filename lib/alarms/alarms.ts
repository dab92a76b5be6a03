/**
 * Alarms of a cell: raised, cleared, acknowledged, counted, and kept in a file by the kernel's storage. In: conditions
 * with a text. Out: the list of alarms and its changes. Knows neither Node-RED nor what an alarm is about.
 */
import { Type, type Static } from '../typebox'

/** Milliseconds since 1970. */
const Time = Type.Number({ minimum: 0, maximum: 8.64e15 })

/** Raised; then cleared by itself and acknowledged by a person, in either order. */
const Alarm = Type.Object({
  /** Only one alarm per key is active at a time. */
  key: Type.String(),
  text: Type.String(),
  raised: Time,
  gone: Type.Optional(Time),
  acknowledged: Type.Optional(Time),
  /** How often it was raised before it was acknowledged. */
  count: Type.Integer({ minimum: 1 }),
})
export type Alarm = Static<typeof Alarm>

/** In the order of raising. */
export const AlarmList = Type.Array(Alarm)

export type AlarmState = 'active' | 'acknowledged' | 'gone' | 'over'

/** Including past ones. */
export const mostAlarms = 200
const longest = 400 // characters of a text

/** `gone`: not acknowledged yet; `over`: gone and acknowledged. */
export const stateOf = ({ gone, acknowledged }: Alarm): AlarmState =>
  gone === undefined
    ? acknowledged === undefined
      ? 'active'
      : 'acknowledged'
    : acknowledged === undefined
      ? 'gone'
      : 'over'

/** Texts that differ only in numbers count as equal. */
const isSameText = (one: string, other: string) =>
  one === other || withoutNumbers(one) === withoutNumbers(other)
const withoutNumbers = (text: string) => text.replaceAll(/\d+(?:[.,]\d+)*/g, '#')

/** In the order of a person's attention. */
const ranks: Readonly<Record<AlarmState, number>> = { active: 0, gone: 1, acknowledged: 2, over: 3 }

/**
 * The alarms of a cell. Times are milliseconds since 1970. Bounded: the oldest that are over are dropped first; while a
 * key has several unacknowledged ones, none of another key.
 */
export class Alarms {
  #alarms: Alarm[]

  /** @param previous of the previous run, possibly still active */
  constructor(previous: readonly Alarm[] = []) {
    this.#alarms = previous.slice(-mostAlarms).map((alarm) => ({ ...alarm }))
  }

  get all(): readonly Alarm[] {
    return this.#alarms
  }

  /** Alarms that need attention first, the newest of each kind first. */
  get sorted(): Alarm[] {
    return [...this.#alarms].sort(
      (one, other) => ranks[stateOf(one)] - ranks[stateOf(other)] || other.raised - one.raised,
    )
  }

  get open(): number {
    return this.#alarms.filter(({ acknowledged }) => acknowledged === undefined).length
  }

  /**
   * Raises the alarm; another text with the same key replaces it. @returns false for a repetition, which is only
   * counted
   */
  raise(key: string, given: string, at: number): boolean {
    const text = given.slice(0, longest)
    const last = this.#alarms.findLast((alarm) => alarm.key === key)
    const isSame = last !== undefined && isSameText(last.text, text)
    if (isSame && last.gone === undefined) {
      last.count++
      last.text = text
      return false
    }
    if (last && last.gone === undefined) last.gone = at
    if (isSame && last.acknowledged === undefined) {
      // Repeated before it was acknowledged: one line, not hundreds.
      last.count++
      last.text = text
      last.raised = at
      delete last.gone
      return true
    }
    this.#alarms.push({ key, text, raised: at, count: 1 })
    this.#forget()
    return true
  }

  /** Clears the alarm. @returns whether it was active */
  clear(key: string, at: number): boolean {
    const active = this.#alarms.filter((alarm) => alarm.key === key && alarm.gone === undefined)
    for (const alarm of active) alarm.gone = at
    return active.length > 0
  }

  /** Raises an alarm for an event that must be acknowledged. */
  note(key: string, text: string, at: number): void {
    this.raise(key, text, at)
    this.clear(key, at)
  }

  /** Acknowledges one alarm, or all. @returns how many */
  acknowledge(at: number, one?: Pick<Alarm, 'key' | 'text'>): number {
    const open = this.#alarms.filter(
      ({ acknowledged, key, text }) =>
        acknowledged === undefined && (!one || (one.key === key && isSameText(one.text, text))),
    )
    for (const alarm of open) alarm.acknowledged = at
    return open.length
  }

  #forget(): void {
    if (this.#alarms.length <= mostAlarms) return
    const indexOf = (state: AlarmState) => this.#alarms.findIndex((alarm) => stateOf(alarm) === state)
    const index = [
      indexOf('over'),
      this.#joined(),
      ...(['acknowledged', 'gone', 'active'] as const).map(indexOf),
    ]
    this.#alarms.splice(index.find((at) => at >= 0) ?? 0, 1)
  }

  /** Merges the oldest alarm of the key with most unacknowledged ones into the next of that key. @returns its index */
  #joined(): number {
    const byKey = new Map<string, Alarm[]>()
    for (const alarm of this.#alarms)
      if (alarm.acknowledged === undefined) byKey.set(alarm.key, [...(byKey.get(alarm.key) ?? []), alarm])
    const most = Math.max(...[...byKey.values()].map(({ length }) => length))
    const [oldest, next] = [...byKey.values()].find(({ length }) => length === most) ?? []
    if (!oldest || !next) return -1
    next.count += oldest.count
    return this.#alarms.indexOf(oldest)
  }
}
