import { escaped } from '../escaped'
import type { Flat } from './flat'

const thousandth = (metres: number) => Math.round(1000 * metres)
/** Metres to which the edges of a drawing are rounded, so that it stands still while something in it moves. */
const step = 0.25
const margin = 0.08

/** A drawing in metres, written as SVG in millimetres; the page gives each class its colours. */
export class Drawing {
  private readonly parts: string[] = []
  private readonly texts: { at: Flat; text: string }[] = []
  private readonly seen: Flat[] = []

  /** Enlarges the drawing so that a point is in it. */
  show(...points: readonly Flat[]): void {
    this.seen.push(...points)
  }

  area(name: string, outline: readonly Flat[]): void {
    this.show(...outline)
    this.parts.push(`<polygon class="${name}" points="${listed(outline)}"/>`)
  }

  /** @param width metres; thin lines are as wide as the page says */
  line(name: string, points: readonly Flat[], width?: number): void {
    this.show(...points)
    const thickness = width === undefined ? '' : ` stroke-width="${thousandth(width)}"`
    this.parts.push(`<polyline class="${name}" points="${listed(points)}"${thickness}/>`)
  }

  /** A line without ends through a point. */
  horizon(name: string, through: Flat, slope: number): void {
    const at = (x: number) => ({ x: through.x + x, y: through.y + x * slope })
    this.show(through)
    this.parts.push(`<polyline class="${name}" points="${listed([at(-10), at(10)])}"/>`)
  }

  text(text: string, at: Flat): void {
    this.texts.push({ at, text })
  }

  /** @param title what is shown, for those who cannot see it */
  svg(title: string): string {
    const xs = this.seen.map(({ x }) => x)
    const ys = this.seen.map(({ y }) => y)
    const left = Math.floor((Math.min(...xs) - margin) / step) * step
    const right = Math.ceil((Math.max(...xs) + margin) / step) * step
    const bottom = Math.floor((Math.min(...ys) - margin) / step) * step
    const top = Math.ceil((Math.max(...ys) + margin) / step) * step
    const [width, height] = [right - left, top - bottom]
    const size = thousandth(0.04 * Math.max(width, height))
    const box = [left, -top, width, height].map(thousandth)
    const texts = this.texts.map(
      ({ at, text }) =>
        `<text x="${thousandth(at.x)}" y="${thousandth(-at.y)}" font-size="${size}">${escaped(text)}</text>`,
    )
    const rule = { x: left + 0.03 * width, y: bottom + 0.03 * height }
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.join(' ')}" role="img">`,
      `<title>${escaped(title)}</title>`,
      ...this.parts,
      `<polyline class="rule" points="${listed([rule, { x: rule.x + step, y: rule.y }])}"/>`,
      `<text x="${thousandth(rule.x)}" y="${thousandth(-rule.y) - size / 2}" font-size="${size}">${thousandth(step)} mm</text>`,
      ...texts,
      '</svg>',
    ].join('')
  }
}

const listed = (points: readonly Flat[]) =>
  points.map(({ x, y }) => `${thousandth(x)},${thousandth(-y)}`).join(' ')
