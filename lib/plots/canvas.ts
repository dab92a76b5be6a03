import { escaped, type OverlayTheme } from '../overlay'
import { sentencesIn } from '../kernel/sentences'
import type en from './locales/en-US/reports.json'

/** Dark lines for bright pages, or bright lines for dark ones. */
export type PlotTheme = OverlayTheme

/** Appearance of a plot. */
export interface PlotOptions {
  /** @default 'light' */
  theme?: PlotTheme
  /** Language of its texts. @default 'en-US' */
  language?: string
}

interface Colours {
  text: string
  line: string
  good: string
  bad: string
  missing: string
  onMark: string
}

const colours: Readonly<Record<PlotTheme, Colours>> = {
  light: {
    ...{ text: '#222222', line: '#b4b4b4', good: '#1565a8', bad: '#b3261e', missing: '#8a5a00' },
    onMark: '#ffffff',
  },
  dark: {
    ...{ text: '#e6e6e6', line: '#6a6a6a', good: '#7cc0ff', bad: '#ff8a80', missing: '#ffd23f' },
    onMark: '#111111',
  },
}
export type PlotColour = keyof Colours

const round = (value: number) => Number(value.toFixed(1))

/** Draws a plot as SVG without a background. Coordinates are pixels; NaN is not drawn. */
export class Canvas {
  readonly #parts: string[] = []
  readonly #colours: Colours

  constructor(theme: PlotTheme) {
    this.#colours = colours[theme]
  }

  line(x1: number, y1: number, x2: number, y2: number, colour: PlotColour, dash = ''): void {
    this.#add([x1, y1, x2, y2], ([a, b, c, d]) => {
      const dashed = dash && ` stroke-dasharray="${dash}"`
      return `<line x1="${a}" y1="${b}" x2="${c}" y2="${d}" stroke="${this.#colours[colour]}"${dashed}/>`
    })
  }

  /** @param fill filled instead of outlined */
  circle(x: number, y: number, radius: number, colour: PlotColour, fill = false, dash = ''): void {
    this.#add([x, y, radius], ([a, b, c]) => {
      const stroke = this.#colours[colour]
      const style = fill
        ? `fill="${stroke}"`
        : `fill="none" stroke="${stroke}"${dash && ` stroke-dasharray="${dash}"`}`
      return `<circle cx="${a}" cy="${b}" r="${c}" ${style}/>`
    })
  }

  box(x: number, y: number, width: number, height: number, colour: PlotColour): void {
    this.#add(
      [x, y, width, height],
      ([a, b, c, d]) =>
        `<rect x="${a}" y="${b}" width="${c}" height="${d}" fill="${this.#colours[colour]}"/>`,
    )
  }

  text(
    x: number,
    y: number,
    text: string,
    {
      colour = 'text',
      anchor = 'start',
      size = 13,
    }: { colour?: PlotColour; anchor?: string; size?: number } = {},
  ): void {
    this.#add(
      [x, y],
      ([a, b]) =>
        `<text x="${a}" y="${b}" fill="${this.#colours[colour]}" text-anchor="${anchor}" font-size="${size}">${escaped(text)}</text>`,
    )
  }

  svg(width: number, height: number, title: string): string {
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">` +
      `<title>${escaped(title)}</title><g font-family="sans-serif">${this.#parts.join('')}</g></svg>`
    )
  }

  #add(numbers: readonly number[], made: (rounded: number[]) => string): void {
    if (numbers.every(Number.isFinite)) this.#parts.push(made(numbers.map(round)))
  }
}

/** A result with its error bound and its limit. */
export interface BoundedResult {
  /** In the reader's language. */
  name: string
  unit: string
  value: number
  /** Upper bound with a probability of 95 %. @default only the value is drawn */
  bound?: number | undefined
  /** Required value. @default none */
  limit?: number | undefined
}

const width = 400
const area = { left: 16, right: 384, top: 8, row: 66 }

/** Results with their bounds and limits as bars: blue within the limit, red beyond. 400 pixels wide. */
export function boundsPlot(
  results: readonly BoundedResult[],
  { theme = 'light', language = 'en-US' }: PlotOptions = {},
): string {
  const canvas = new Canvas(theme)
  const say = (key: Parameters<typeof plotTexts.say>[0], values = {}) => plotTexts.say(key, values, language)
  const drawn = results.filter(({ value }) => Number.isFinite(value))
  const exceeded = (result: BoundedResult) =>
    result.limit !== undefined && (result.bound ?? result.value) > result.limit
  drawn.forEach((result, index) => {
    const { name, unit, value, bound, limit } = result
    const top = area.top + index * area.row
    const end = 1.15 * Math.max(1e-9, value, finite(bound), finite(limit))
    const xOf = (number: number) => area.left + (Math.max(0, number) / end) * (area.right - area.left)
    const colour = exceeded(result) ? 'bad' : 'good'
    canvas.text(area.left, top + 14, `${name}: ${number(value, language)} ${unit}`, { size: 14 })
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
  const beyond = drawn.filter(exceeded).length
  const height = area.top + Math.max(1, drawn.length) * area.row
  return canvas.svg(width, height, say('bounds-title', { results: drawn.length, beyond }))
}

const finite = (value: number | undefined) => (value !== undefined && Number.isFinite(value) ? value : 0)
const number = (value: number, language: string) =>
  Number(value.toPrecision(3)).toLocaleString(language, { maximumFractionDigits: 6 })

export const plotTexts = sentencesIn<typeof en>(__dirname)
