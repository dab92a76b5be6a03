import { Canvas, type PlotOptions } from './canvas'
import { plotTexts } from './sentences'

/** How long cycles took, milliseconds. */
export interface CycleTimes {
  /** Upper ends of the bars; longer cycles are in a last bar. */
  steps: readonly number[]
  /** How many cycles are in each bar; one more than there are steps. */
  bars: readonly number[]
  /** The median. @default not drawn */
  median?: number | undefined
  /** The longest. @default not drawn */
  longest?: number | undefined
}

const [width, height] = [400, 220]
const area = { left: 44, right: 392, top: 44, bottom: 168 }

/**
 * How many cycles took how long, as a histogram with the median and the longest in words. 400 × 220 pixels; readable at
 * that size.
 */
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
  // Beside the bars there is one empty one, which shows that nothing is missing.
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
  const told = [
    median === undefined ? '' : say('median', { value: whole(median, language) }),
    longest === undefined ? '' : say('longest', { value: whole(longest, language) }),
  ].filter(Boolean)
  canvas.text(area.right, 16, told.join(' · '), { anchor: 'end' })
  return canvas.svg(width, height, title)
}

/** 200, 1 s, 5 s: there is little room below a bar. */
const short = (milliseconds: number) =>
  milliseconds < 1000 ? String(milliseconds) : `${Number((milliseconds / 1000).toPrecision(2))} s`

const whole = (milliseconds: number, language: string) =>
  Number.isFinite(milliseconds) ? `${Math.round(milliseconds).toLocaleString(language)} ms` : '–'
