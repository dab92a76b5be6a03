import { Canvas, type PlotOptions } from './canvas'
import { plotTexts } from './sentences'

/** How far a pose deviates from the common result of all. */
export interface PoseResidual {
  /** Number of the pose, from 1. */
  number: number
  /** Metres, such as `translation` of a `Misfit`. */
  translation: number
  /** Whether it does not fit the others. */
  isBad?: boolean
}

/** How residuals are shown. */
export interface ResidualOptions extends PlotOptions {
  /** Drawn as a line, metres. @default none */
  limit?: number | undefined
}

const [width, height] = [400, 220]
const area = { left: 44, right: 392, top: 34, bottom: 172 }
/** More have no room for a number. */
const mostPoses = 50

/**
 * The residual of each pose of a hand-eye calibration as a bar, in millimetres; those that do not fit are red.
 * 400 × 220 pixels; readable at that size.
 */
export function residualPlot(
  residuals: readonly PoseResidual[],
  { theme = 'light', language = 'en-US', limit }: ResidualOptions = {},
): string {
  const canvas = new Canvas(theme)
  const say = (key: Parameters<typeof plotTexts.say>[0], values = {}) => plotTexts.say(key, values, language)
  const shown = residuals.filter(({ translation }) => Number.isFinite(translation)).slice(0, mostPoses)
  const bad = shown.filter(({ isBad }) => isBad)
  const end = niceEnd(1000 * Math.max(1e-5, limit ?? 0, ...shown.map(({ translation }) => translation)))
  const yOf = (millimetres: number) => area.bottom - (millimetres / end) * (area.bottom - area.top)
  canvas.text(8, 16, say('residual'))
  for (const part of [0, 0.5, 1]) {
    const y = yOf(part * end)
    canvas.line(area.left, y, area.right, y, 'line')
    canvas.text(area.left - 5, y + 4, String(Number((part * end).toPrecision(3))), {
      anchor: 'end',
      size: 12,
    })
  }
  const step = (area.right - area.left) / Math.max(1, shown.length)
  const every = Math.ceil(shown.length / 16)
  shown.forEach(({ number, translation, isBad = false }, index) => {
    const x = area.left + index * step
    const y = yOf(1000 * translation)
    const bar = Math.min(28, 0.7 * step)
    canvas.box(x + (step - bar) / 2, y, bar, Math.max(1, area.bottom - y), isBad ? 'bad' : 'good')
    if (index % every === 0)
      canvas.text(x + step / 2, area.bottom + 16, String(number), { anchor: 'middle', size: 12 })
  })
  canvas.text((area.left + area.right) / 2, area.bottom + 34, say('pose'), { anchor: 'middle' })
  if (limit !== undefined) {
    const y = yOf(1000 * limit)
    canvas.line(area.left, y, area.right, y, 'missing', '6 4')
    const text = say('limit', { limit: Number((1000 * limit).toPrecision(3)) })
    canvas.text(area.right, y - 5, text, { anchor: 'end', colour: 'missing' })
  }
  if (bad.length) {
    const numbers = bad.map(({ number }) => number).join(', ')
    canvas.text(area.right, 16, say('bad', { numbers }), { anchor: 'end', colour: 'bad' })
  }
  return canvas.svg(width, height, say('residuals-title', { poses: shown.length, bad: bad.length }))
}

/** The next of 1, 2, 5, 10, 20… */
function niceEnd(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((each) => value <= each * power * 1.0001) ?? 10) * power
}
