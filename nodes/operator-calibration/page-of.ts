import { svgDataUrl } from '../../lib/overlay'
import { boundsPlot, type PlotTheme } from '../../lib/plots'
import type { DriveSnapshot, PanelOrder } from '../hand-eye-calibration/drive/panel'
import { spoken } from '../shared/node-error'
import { pressed } from './pressed'
import { stepsOf, type ShownStep } from './steps'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('operator-calibration')

/** A line of figures on the page. */
export interface PageFact {
  label: string
  value: string
}

/** A button of the page. */
export interface PageButton {
  topic: PanelOrder
  /** The question that it answers. */
  request?: string
  label: string
  /** What it looks like: goes on, stops, or neither. */
  kind: 'go' | 'stop' | 'plain'
}

/** What the page says of a calibration. */
export interface CalibrationPage {
  steps: ShownStep[]
  /** What is to be done now. */
  instruction: string
  facts: PageFact[]
}

/** Orders that answer the open question. */
const answers: ReadonlySet<PanelOrder> = new Set(['confirm', 'decline', 'skip'])
/** What a person most probably wants, the first of these that is possible. */
const likely: readonly PanelOrder[] = ['confirm', 'save', 'resume', 'reset', 'continue', 'start']

/** The buttons that a person can press now: what most probably comes next first, the stop last. */
export function buttonsOf({ orders, question }: DriveSnapshot): PageButton[] {
  const next = likely.find((order) => orders.includes(order))
  const rank = (order: PanelOrder) =>
    order === next ? 0 : answers.has(order) || order === 'cancel' ? 1 : order === 'stop' ? 3 : 2
  return [...orders]
    .sort((one, other) => rank(one) - rank(other))
    .map((topic) => ({
      topic,
      ...(answers.has(topic) && question && { request: question.request }),
      label: say(`order-${topic}`),
      kind: topic === 'stop' ? 'stop' : topic === next ? 'go' : 'plain',
    }))
}

/** What is to be done, and the figures so far. */
export const pageOf = (drive: DriveSnapshot): CalibrationPage => ({
  steps: stepsOf(drive),
  instruction: pressed(
    drive.question?.text ?? drive.touched ?? drive.said ?? resultText(drive) ?? say('instruction'),
    spoken(),
  ),
  facts: factsOf(drive),
})

function resultText({ result }: DriveSnapshot): string | undefined {
  if (!result) return undefined
  if (result.saved) return say('result-saved')
  return say(result.good ? 'result-good' : 'result-poor')
}

function factsOf({ seen, unseen, left, bound, at, doubtful, result }: DriveSnapshot): PageFact[] {
  const fact = (name: Parameters<typeof say>[0], value: string | undefined): PageFact[] =>
    value === undefined ? [] : [{ label: say(name), value }]
  const { errors, limits, comparison } = result ?? {}
  return [
    ...fact('fact-looks', seen + unseen > 0 ? say('looks', { seen, unseen }) : undefined),
    ...fact('fact-left', left === undefined ? undefined : String(left)),
    ...fact('fact-accuracy', bound && say('bound', { ...bound })),
    ...fact(
      'fact-result',
      errors?.millimetres === undefined ? undefined : say('errors', { ...errors, limits }),
    ),
    ...fact('fact-limits', limits && say('limits', { ...limits })),
    ...fact('fact-compared', comparison && say('compared', { ...comparison })),
    ...fact('fact-doubtful', doubtful?.join(', ')),
    ...fact('fact-at', at),
  ]
}

/** Where the poses are, how far each is from the result, and how accurate it is: addresses of images. */
export function plotsOf({ coverage, bound, result }: DriveSnapshot, theme: PlotTheme): string[] {
  const bounds = bound && [
    { name: say('plot-position'), unit: 'mm', value: bound.millimetres, limit: bound.wantedMillimetres },
    { name: say('plot-rotation'), unit: '°', value: bound.degrees, limit: bound.wantedDegrees },
  ]
  return [
    coverage,
    bounds && boundsPlot(bounds, { theme, language: spoken() ?? 'en-US' }),
    result?.residuals,
  ].flatMap((svg) => (svg === undefined ? [] : [svgDataUrl(svg)]))
}
