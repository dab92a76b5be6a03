import { Canvas, type PlotColour, type PlotOptions } from './canvas'
import { plotTexts } from './sentences'

/** A signal as a line over time. */
export interface TimeLine {
  /** `error` is red. */
  name: 'trigger' | 'ready' | 'busy' | 'done' | 'error'
  /** When it went on or off, milliseconds of any clock, oldest first. Before the first it was the opposite. */
  changes: readonly { at: number; on: boolean }[]
}

/** The time that is shown. */
export interface TimeLineOptions extends PlotOptions {
  /** Now, by the clock of the changes. */
  now: number
  /** Milliseconds that are shown before. @default 10000 */
  window?: number
}

const width = 400
const area = { left: 84, right: 392, top: 28, lane: 30 }
const high = 16
const colours: Readonly<Record<TimeLine['name'], PlotColour>> = {
  trigger: 'text',
  ready: 'good',
  busy: 'missing',
  done: 'good',
  error: 'bad',
}

/**
 * The signals of a handshake over the last seconds, one above the other, with the duration of the last time that each was
 * on. 400 pixels wide; readable at that size.
 */
export function timeLinePlot(
  lines: readonly TimeLine[],
  { theme = 'light', language = 'en-US', now, window = 10_000 }: TimeLineOptions,
): string {
  const canvas = new Canvas(theme)
  const say = (key: Parameters<typeof plotTexts.say>[0], values = {}) => plotTexts.say(key, values, language)
  const start = now - window
  const xOf = (at: number) =>
    area.left + ((Math.min(now, Math.max(start, at)) - start) / window) * (area.right - area.left)
  const bottom = area.top + lines.length * area.lane
  canvas.text(8, 16, say('time-line'))
  for (let part = 0; part <= 5; part++) {
    const x = area.left + (part / 5) * (area.right - area.left)
    canvas.line(x, area.top, x, bottom, 'line')
    const ago = Number((((part / 5 - 1) * window) / 1000).toPrecision(3))
    const label = part === 5 ? say('now') : `${ago.toLocaleString(language)} s`
    canvas.text(x, bottom + 16, label, { anchor: part === 5 ? 'end' : 'middle', size: 12 })
  }
  lines.forEach(({ name, changes }, index) => {
    const base = area.top + index * area.lane + area.lane - 6
    canvas.text(area.left - 6, base - 3, say(name), { anchor: 'end', size: 13 })
    canvas.line(area.left, base, area.right, base, 'line')
    let last: number | undefined
    let label: { x: number; text: string } | undefined
    for (const [from, to] of timesOn(changes)) {
      const isOver = to !== undefined
      if ((to ?? now) < start || from > now) continue
      const [x, end] = [xOf(from), xOf(to ?? now)]
      canvas.box(x, base - high, Math.max(1.5, end - x), high, colours[name])
      last = isOver ? to - from : undefined
      if (last !== undefined) label = { x: end, text: durationOf(last, language) }
    }
    if (label) {
      const isWide = label.x > area.right - 60
      const x = isWide ? area.right - 2 : label.x + 4
      canvas.text(x, base - high - 1, label.text, { size: 11, anchor: isWide ? 'end' : 'start' })
    }
  })
  return canvas.svg(width, bottom + 26, say('time-line-title', { seconds: window / 1000 }))
}

/** When it was on: from, and to where it is over. */
function timesOn(changes: TimeLine['changes']): [from: number, to: number | undefined][] {
  const [first] = changes
  const known = changes.filter(({ at }) => Number.isFinite(at))
  // What was on before the first change began at an unknown time.
  const whole = first && !first.on ? [{ at: -Infinity, on: true }, ...known] : known
  return whole.flatMap(({ at, on }, index) => (on ? [[at, whole[index + 1]?.at]] : []))
}

const durationOf = (milliseconds: number, language: string) =>
  !Number.isFinite(milliseconds)
    ? ''
    : milliseconds < 1000
      ? `${Math.round(milliseconds)} ms`
      : `${(milliseconds / 1000).toLocaleString(language, { maximumFractionDigits: 1 })} s`
