/** Status values of a device as series: chosen ones, and those that nodes read. */
import type { Group } from './measuring'

/** `dev_camera.temp_left`; pipeline 0 unless it begins with `1/`. */
export interface ChosenValue {
  pipeline: string
  /** The prefix may be another brand's. */
  node: string
  value: string
}

/** These fit into the series of a device with everything else. */
export const mostChosen = 10

/** @returns undefined unless the text is a list of at most ten values */
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

/** Values shown because nodes read them; chosen ones have their own room. */
const mostRead = { temperatures: 4, others: 8 }

/** Age of an outdated value, ms. */
const fresh = 5 * 60_000

const temperature = /(^|_)temp(erature)?(_|$)/

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

export class StatusValues {
  /** Read by nodes; by pipeline, node and name. */
  private readonly read = new Map<string, { shown: Shown; takeAway: () => void }>()
  private readonly chosen = new Map<ChosenValue, Shown>()

  constructor(private readonly group: Group) {}

  /** Shown as soon as read; values that nodes read get the remaining room. */
  show(values: readonly ChosenValue[]): void {
    for (const value of values)
      this.add(value.value, `chosen ${value.pipeline} ${value.node} ${value.value}`, () =>
        this.chosen.get(value),
      )
  }

  seen(pipeline: string, node: string, values: object): void {
    for (const [value, text] of Object.entries(values)) {
      const shown = shownOf({ pipeline, node, value }, text, fresh)
      if (shown) this.noteRead(shown)
    }
  }

  /**
   * @param node by the device's own name
   * @param keep milliseconds until outdated
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

  /** The highest current one, degrees Celsius. */
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

/** Devices send all values as text. */
function numeric(text: unknown): number | undefined {
  if (typeof text === 'number') return text
  if (typeof text !== 'string' || text.trim() === '') return undefined
  const word = { true: 1, false: 0 }[text.trim().toLowerCase()]
  const value = word ?? Number(text)
  return Number.isNaN(value) ? undefined : value
}
