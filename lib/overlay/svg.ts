import type { OverlayCamera } from './camera'
import type { Figure } from './overlay'

/** The colours of an overlay: bright lines with a dark edge, or dark lines with a bright one. */
export type OverlayTheme = 'light' | 'dark'

/** Lines of each kind and their edges, which keep them visible on any picture. */
const colours: Readonly<Record<OverlayTheme, { edge: string } & Record<Figure['kind'], string>>> = {
  dark: {
    edge: '#000',
    loadCarrier: '#35d6ff',
    item: '#ffd23f',
    grasp: '#ff5ad1',
    tag: '#6dff6a',
    object: '#ff9f43',
    grid: '#6dff6a',
    region: '#ffffff',
  },
  light: {
    edge: '#fff',
    loadCarrier: '#00629b',
    item: '#8a5a00',
    grasp: '#a3006f',
    tag: '#0b6b10',
    object: '#a84300',
    grid: '#0b6b10',
    region: '#222222',
  },
}

const round = (value: number) => Number(value.toFixed(2))

/** The figures as an SVG file of the same shape as the picture, over it if it is given as a data URL. */
export function svgOf(
  figures: readonly Figure[],
  { width, height }: Pick<OverlayCamera, 'width' | 'height'>,
  { theme, title, picture }: { theme: OverlayTheme; title: string; picture?: string | undefined },
): string {
  const { edge, ...lines } = colours[theme]
  const stroke = width / 320
  const size = width / 30
  const shapes = figures.map((figure) => {
    const { kind, label } = figure
    // Corners are dots, which have to be seen on a small screen too.
    const wide = kind === 'grid' ? 2.5 * stroke : stroke
    const path = figure.lines
      .map(({ points, isClosed }) => {
        const [first, ...others] = points.map(({ u, v }) => `${round(u)} ${round(v)}`)
        return `M${first ?? ''}${others.map((place) => `L${place}`).join('')}${isClosed ? 'Z' : ''}`
      })
      .join('')
    const colour = lines[kind]
    const name = kind === 'grid' || kind === 'region' ? '' : figure.name
    const text = name
      ? `<text x="${round(label.u)}" y="${round(label.v)}" dx="${round(size / 2)}" dy="${round(-size / 2)}" fill="${colour}" stroke="${edge}" stroke-width="${round(stroke * 1.6)}" paint-order="stroke">${escaped(name)}</text>`
      : ''
    return (
      `<g data-kind="${kind}">` +
      `<path d="${path}" stroke="${edge}" stroke-opacity="0.65" stroke-width="${round(wide + stroke * 1.4)}"/>` +
      `<path d="${path}" stroke="${colour}" stroke-width="${round(wide)}"${kind === 'region' ? ` stroke-dasharray="${round(4 * stroke)}"` : ''}/>` +
      `${text}</g>`
    )
  })
  // Pixel 0 is as wide as the others: its centre is half a pixel from the edge.
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-0.5 -0.5 ${width} ${height}" width="${width}" height="${height}" role="img">` +
    `<title>${escaped(title)}</title>` +
    (picture === undefined
      ? ''
      : `<image x="-0.5" y="-0.5" width="${width}" height="${height}" href="${escaped(picture)}"/>`) +
    `<g fill="none" stroke-linejoin="round" stroke-linecap="round" font-family="sans-serif" font-size="${round(size)}">${shapes.join('')}</g></svg>`
  )
}

/** An SVG file as the address of an image in a page. */
export const svgDataUrl = (svg: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`

const entities: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
}
/** A text as it may stand in an SVG file. Names come from the device. */
export const escaped = (text: string): string =>
  // Control characters are not allowed in XML at all.
  text
    .replace(/[\u0000-\u001f\ufffe\uffff\ud800-\udfff]/g, '\ufffd')
    .replace(/[&<>"']/g, (letter) => entities[letter] ?? '')
