import { Canvas, type PlotOptions } from './canvas'
import { plotTexts } from './sentences'

/** A result with what is known of its error, and what is allowed. */
export interface BoundedResult {
  /** What it is, in the reader's language. */
  name: string
  /** mm, °, … */
  unit: string
  value: number
  /** It is at most this with a probability of 95 %. @default only the value is drawn */
  bound?: number | undefined
  /** What is wanted. @default none */
  limit?: number | undefined
}

const width = 400
const area = { left: 16, right: 384, top: 8, row: 66 }

/**
 * Results with their bounds as bars, beside their limits: blue while the bound keeps the limit, red beyond. 400 pixels wide;
 * readable at that size.
 */
export function boundsPlot(
  results: readonly BoundedResult[],
  { theme = 'light', language = 'en-US' }: PlotOptions = {},
): string {
  const canvas = new Canvas(theme)
  const say = (key: Parameters<typeof plotTexts.say>[0], values = {}) => plotTexts.say(key, values, language)
  const shown = results.filter(({ value }) => Number.isFinite(value))
  const exceeded = (result: BoundedResult) =>
    result.limit !== undefined && (result.bound ?? result.value) > result.limit
  shown.forEach((result, index) => {
    const { name, unit, value, bound, limit } = result
    const top = area.top + index * area.row
    const end = 1.15 * Math.max(1e-9, value, finite(bound), finite(limit))
    const xOf = (number: number) => area.left + (Math.max(0, number) / end) * (area.right - area.left)
    const colour = exceeded(result) ? 'bad' : 'good'
    const told = `${number(value, language)} ${unit}`
    canvas.text(area.left, top + 14, `${name}: ${told}`, { size: 14 })
    if (bound !== undefined) {
      const text = say('bound', { value: `${number(bound, language)} ${unit}` })
      canvas.text(area.right, top + 14, text, { anchor: 'end', size: 12 })
      canvas.line(xOf(value), top + 29, xOf(bound), top + 29, colour)
      canvas.line(xOf(bound), top + 22, xOf(bound), top + 36, colour)
    }
    canvas.box(area.left, top + 22, xOf(value) - area.left, 14, colour)
    canvas.line(area.left, top + 40, area.right, top + 40, 'line')
    if (limit !== undefined) {
      canvas.line(xOf(limit), top + 18, xOf(limit), top + 44, 'missing', '4 3')
      const text = say('limit-of', { value: `${number(limit, language)} ${unit}` })
      const anchor = xOf(limit) > width / 2 ? 'end' : 'start'
      canvas.text(xOf(limit), top + 57, text, { anchor, size: 12, colour: 'missing' })
    }
  })
  const beyond = shown.filter(exceeded).length
  const height = area.top + Math.max(1, shown.length) * area.row
  return canvas.svg(width, height, say('bounds-title', { results: shown.length, beyond }))
}

const finite = (value: number | undefined) => (value !== undefined && Number.isFinite(value) ? value : 0)
const number = (value: number, language: string) =>
  Number(value.toPrecision(3)).toLocaleString(language, { maximumFractionDigits: 6 })
