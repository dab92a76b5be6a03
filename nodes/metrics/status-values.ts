import type { ChosenValue } from './chosen-values'
import type { Group } from './registry'

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
