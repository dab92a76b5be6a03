import { Canvas, type PlotColour, type PlotOptions, plotTexts } from './canvas'

/** Milliseconds. */
export interface CycleTimes {
  /** Upper ends of the bars; longer cycles are in a last bar. */
  steps: readonly number[]
  /** Cycles in each bar; one more than there are steps. */
  bars: readonly number[]
  /** The median. @default not drawn */
  median?: number | undefined
  /** The longest. @default not drawn */
  longest?: number | undefined
}

const [width, height] = [400, 220]
const area = { left: 44, right: 392, top: 44, bottom: 168 }

/** A histogram of cycle times with the median and the longest in words. 400 × 220 pixels; readable at that size. */
export function cycleTimesPlot(
  { steps, bars, median, longest }: CycleTimes,
  { theme = 'light', language = 'en-US' }: PlotOptions = {},
): string {
  const canvas = new Canvas(theme)
  const say = (key: Parameters<typeof plotTexts.say>[0], values = {}) => plotTexts.say(key, values, language)
  const shown = bars
    .slice(0, steps.length + 1)
    .map((count) => (count > 0 && Number.isFinite(count) ? count : 0))
  const cycles = shown.reduce((sum, count) => sum + count, 0)
  const title = say('cycle-times-title', { cycles })
  canvas.text(8, 16, say('cycle-times'))
  if (cycles === 0) {
    canvas.text(width / 2, height / 2, say('no-cycles'), { anchor: 'middle', size: 14 })
    return canvas.svg(width, height, title)
  }
  const [first, last] = [shown.findIndex(Boolean), shown.findLastIndex(Boolean)]
  // An empty bar beside the others shows that nothing is missing.
  const from = Math.max(0, first - 1)
  const part = shown.slice(from, Math.min(shown.length, Math.max(last + 2, from + 3)))
  const highest = 2 * Math.ceil(Math.max(...part) / 2)
  const yOf = (count: number) => area.bottom - (count / highest) * (area.bottom - area.top)
  for (const count of [0, highest / 2, highest]) {
    canvas.line(area.left, yOf(count), area.right, yOf(count), 'line')
    canvas.text(area.left - 5, yOf(count) + 4, String(count), { anchor: 'end', size: 12 })
  }
  const step = (area.right - area.left) / part.length
  part.forEach((count, index) => {
    const x = area.left + index * step
    const colour = from + index === steps.length ? 'bad' : 'good'
    if (count > 0) canvas.box(x + 2, yOf(count), step - 4, area.bottom - yOf(count), colour)
    const end = steps[from + index]
    const label = end === undefined ? `>${short(steps.at(-1) ?? 0)}` : short(end)
    canvas.text(x + step / 2, area.bottom + 16, label, { anchor: 'middle', size: 12 })
  })
  canvas.text((area.left + area.right) / 2, area.bottom + 36, say('up-to'), { anchor: 'middle' })
  const summary = [
    median === undefined ? '' : say('median', { value: whole(median, language) }),
    longest === undefined ? '' : say('longest', { value: whole(longest, language) }),
  ].filter(Boolean)
  canvas.text(area.right, 16, summary.join(' · '), { anchor: 'end' })
  return canvas.svg(width, height, title)
}

/** 200, 1 s, 5 s: there is little room below a bar. */
const short = (milliseconds: number) =>
  milliseconds < 1000 ? String(milliseconds) : `${Number((milliseconds / 1000).toPrecision(2))} s`

const whole = (milliseconds: number, language: string) =>
  Number.isFinite(milliseconds) ? `${Math.round(milliseconds).toLocaleString(language)} ms` : '–'

/** A signal over time. */
export interface TimeLine {
  /** `error` is red. */
  name: 'trigger' | 'ready' | 'busy' | 'done' | 'error'
  /** Milliseconds of any clock, oldest first. Before the first change it was the opposite. */
  changes: readonly { at: number; on: boolean }[]
}

/** The displayed time. */
export interface TimeLineOptions extends PlotOptions {
  /** By the clock of the changes. */
  now: number
  /** Milliseconds before `now`. @default 10000 */
  window?: number
}

const timeLineWidth = 400
const timeLineArea = { left: 84, right: 392, top: 28, lane: 30 }
const high = 16
const colours: Readonly<Record<TimeLine['name'], PlotColour>> = {
  trigger: 'text',
  ready: 'good',
  busy: 'missing',
  done: 'good',
  error: 'bad',
}

/** Handshake signals over the last seconds, each with the duration of its last on-time. 400 pixels wide. */
export function timeLinePlot(
  lines: readonly TimeLine[],
  { theme = 'light', language = 'en-US', now, window = 10_000 }: TimeLineOptions,
): string {
  const canvas = new Canvas(theme)
  const say = (key: Parameters<typeof plotTexts.say>[0], values = {}) => plotTexts.say(key, values, language)
  const start = now - window
  const xOf = (at: number) =>
    timeLineArea.left +
    ((Math.min(now, Math.max(start, at)) - start) / window) * (timeLineArea.right - timeLineArea.left)
  const bottom = timeLineArea.top + lines.length * timeLineArea.lane
  canvas.text(8, 16, say('time-line'))
  for (let part = 0; part <= 5; part++) {
    const x = timeLineArea.left + (part / 5) * (timeLineArea.right - timeLineArea.left)
    canvas.line(x, timeLineArea.top, x, bottom, 'line')
    const ago = Number((((part / 5 - 1) * window) / 1000).toPrecision(3))
    const label = part === 5 ? say('now') : `${ago.toLocaleString(language)} s`
    canvas.text(x, bottom + 16, label, { anchor: part === 5 ? 'end' : 'middle', size: 12 })
  }
  lines.forEach(({ name, changes }, index) => {
    const base = timeLineArea.top + index * timeLineArea.lane + timeLineArea.lane - 6
    canvas.text(timeLineArea.left - 6, base - 3, say(name), { anchor: 'end', size: 13 })
    canvas.line(timeLineArea.left, base, timeLineArea.right, base, 'line')
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
      const isWide = label.x > timeLineArea.right - 60
      const x = isWide ? timeLineArea.right - 2 : label.x + 4
      canvas.text(x, base - high - 1, label.text, { size: 11, anchor: isWide ? 'end' : 'start' })
    }
  })
  return canvas.svg(timeLineWidth, bottom + 26, say('time-line-title', { seconds: window / 1000 }))
}

/** On-times: from, and to if it has ended. */
function timesOn(changes: TimeLine['changes']): [from: number, to: number | undefined][] {
  const [first] = changes
  const known = changes.filter(({ at }) => Number.isFinite(at))
  // Unknown when it was switched on before the first change.
  const whole = first && !first.on ? [{ at: -Infinity, on: true }, ...known] : known
  return whole.flatMap(({ at, on }, index) => (on ? [[at, whole[index + 1]?.at]] : []))
}

const durationOf = (milliseconds: number, language: string) =>
  !Number.isFinite(milliseconds)
    ? ''
    : milliseconds < 1000
      ? `${Math.round(milliseconds)} ms`
      : `${(milliseconds / 1000).toLocaleString(language, { maximumFractionDigits: 1 })} s`
