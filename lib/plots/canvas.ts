import { escaped, type OverlayTheme } from '../overlay'

/** Dark lines for bright pages, or bright lines for dark ones. */
export type PlotTheme = OverlayTheme

/** How a plot is shown. */
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

/** Draws a plot as SVG text without a background. Coordinates are pixels; values that are no numbers are not drawn. */
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

  /** @param fill whether it is filled; otherwise its line is as given */
  circle(x: number, y: number, radius: number, colour: PlotColour, fill = false, dash = ''): void {
    this.#add([x, y, radius], ([a, b, c]) => {
      const own = this.#colours[colour]
      const look = fill
        ? `fill="${own}"`
        : `fill="none" stroke="${own}"${dash && ` stroke-dasharray="${dash}"`}`
      return `<circle cx="${a}" cy="${b}" r="${c}" ${look}/>`
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

  /** The finished SVG file. */
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
