/** The status values of a device that are series: those that somebody has chosen, and those that nodes read. */
import type { Group } from './measuring'

/** A status value that somebody has chosen: `dev_camera.temp_left`, in pipeline 0 unless it begins with `1/`. */
export interface ChosenValue {
  pipeline: string
  /** The prefix may be that of another brand. */
  node: string
  value: string
}

/** Most values that can be chosen: so many fit into the series of a device with everything else. */
export const mostChosen = 10

/** @returns undefined if the text is no list of at most ten values */
export function chosenValues(text: string): ChosenValue[] | undefined {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (parts.length > mostChosen) return undefined
  const found: ChosenValue[] = []
  for (const part of parts) {
    const [, pipeline = '0', node, value] =
      /^(?:(\d{1,4})\/)?([\w-]{1,100})\.([\w-]{1,100})$/.exec(part) ?? []
    if (node === undefined || value === undefined) return undefined
    if (!found.some((other) => other.pipeline === pipeline && other.node === node && other.value === value))
      found.push({ pipeline, node, value })
  }
  return found
}

/** Status values that are shown because a node has read them; the chosen ones have room of their own. */
const mostRead = { temperatures: 4, others: 8 }

/** Milliseconds after which a value is out of date. */
const fresh = 5 * 60_000

const temperature = /(^|_)temp(erature)?(_|$)/

/** Where a value is on the device. */
interface ValueLabels extends Record<string, string> {
  pipeline: string
  node: string
  value: string
}

interface Shown {
  labels: ValueLabels
  value: number
  until: number
}

/** The numeric status values of a device as last read. */
export class StatusValues {
  /** What nodes have read, by pipeline, node and name. */
  private readonly read = new Map<string, { shown: Shown; takeAway: () => void }>()
  private readonly chosen = new Map<ChosenValue, Shown>()

  constructor(private readonly group: Group) {}

  /** Shows these values as soon as they are read; what nodes read has the room that is left. */
  show(values: readonly ChosenValue[]): void {
    for (const value of values)
      this.add(value.value, `chosen ${value.pipeline} ${value.node} ${value.value}`, () =>
        this.chosen.get(value),
      )
  }

  /** A node has read values. */
  seen(pipeline: string, node: string, values: object): void {
    for (const [value, text] of Object.entries(values)) {
      const shown = shownOf({ pipeline, node, value }, text, fresh)
      if (shown) this.noteRead(shown)
    }
  }

  /**
   * A chosen value was read.
   * @param node by the device's own name
   * @param keep milliseconds for which it counts as up to date
   */
  took(
    chosen: ChosenValue,
    { pipeline, node }: { pipeline: string; node: string },
    text: unknown,
    keep: number,
  ): void {
    const shown = shownOf({ pipeline, node, value: chosen.value }, text, Math.max(keep, fresh))
    if (!shown) return
    this.chosen.set(chosen, shown)
    const key = keyOf(shown.labels)
    this.read.get(key)?.takeAway()
    this.read.delete(key)
  }

  /** The highest temperature that is up to date, degrees Celsius. */
  get temperature(): number | undefined {
    const now = performance.now()
    const temperatures = [...this.chosen.values(), ...[...this.read.values()].map(({ shown }) => shown)]
      .filter(({ labels, until }) => now < until && temperature.test(labels.value))
      .map(({ value }) => value)
    return temperatures.length > 0 ? Math.max(...temperatures) : undefined
  }

  private noteRead(shown: Shown): void {
    const key = keyOf(shown.labels)
    if ([...this.chosen.values()].some(({ labels }) => keyOf(labels) === key)) return
    const known = this.read.get(key)
    if (known) Object.assign(known.shown, shown)
    else if (this.hasRoomFor(shown)) {
      const takeAway = this.add(shown.labels.value, key, () => shown)
      this.read.set(key, { shown, takeAway })
    }
  }

  private hasRoomFor({ labels }: Shown): boolean {
    const isHeat = temperature.test(labels.value)
    const alike = [...this.read.values()].filter(
      (each) => temperature.test(each.shown.labels.value) === isHeat,
    )
    return alike.length < (isHeat ? mostRead.temperatures : mostRead.others)
  }

  private add(name: string, key: string, read: () => Shown | undefined): () => void {
    const metric = temperature.test(name) ? 'vision_temperature_celsius' : 'vision_status_value'
    return this.group.gauge(metric, key, 1, () => {
      const shown = read()
      return shown && performance.now() < shown.until ? [shown] : []
    })
  }
}

const keyOf = ({ pipeline, node, value }: ValueLabels): string => `${pipeline} ${node} ${value}`

function shownOf(labels: ValueLabels, text: unknown, keep: number): Shown | undefined {
  const value = numeric(text)
  return value === undefined ? undefined : { labels, value, until: performance.now() + keep }
}

/** The device sends all values as texts. */
function numeric(text: unknown): number | undefined {
  if (typeof text === 'number') return text
  if (typeof text !== 'string' || text.trim() === '') return undefined
  const word = { true: 1, false: 0 }[text.trim().toLowerCase()]
  const value = word ?? Number(text)
  return Number.isNaN(value) ? undefined : value
}
