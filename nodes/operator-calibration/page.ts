/** The page of a calibration: steps, instruction, figures, buttons, plots and the latest picture. */
import { dataUrlOf, pngOf } from '../../lib/images'
import { cornersOf, gridPattern, type GridPattern } from '../../lib/images/grid'
import { overlayOf, pixelOf, svgDataUrl } from '../../lib/overlay'
import { composed } from '../../lib/robotics'
import type { GridView } from '../hand-eye-calibration/drive/driving'
import { handEyeCalibrationNode, type HandEyeCalibrationFields } from '../hand-eye-calibration/fields'
import { setupOf } from '../hand-eye-calibration/session'
import { numberOf } from '../shared/fields/checked-fields'
import { panelOrders, type DriveSnapshot, type PanelOrder } from '../hand-eye-calibration/drive/panel'
import { sentencesOf } from '../sentences'
import { boundsPlot, type PlotTheme } from '../../lib/plots'
import { currentLanguage } from '../shared/node-error'

/** With the corners of the grid, as a data URL. @throws RangeError for an odd picture */
export async function viewOf({ picture, grid, mark }: GridView, pattern: GridPattern): Promise<string> {
  const { width, height, focalLength, principalPoint } = picture
  const camera = { width, height, focalLength, principalPoint: { ...principalPoint } }
  const corners = grid
    ? cornersOf(pattern).flatMap(({ x, y }) => {
        const corner = composed(grid, {
          position: { x, y, z: 0 },
          orientation: { w: 1, x: 0, y: 0, z: 0 },
        })
        return pixelOf(camera, corner.position) ?? []
      })
    : []
  const png = dataUrlOf(await pngOf(picture))
  const pose = mark && { position: mark, orientation: { w: 1, x: 0, y: 0, z: 0 } }
  const answer = pose ? { grasps: [{ pose, pose_frame: 'camera' }] } : {}
  return svgDataUrl(overlayOf(answer, camera, { grid: corners, picture: png }).svg)
}

/** The printed grid. @throws INVALID_INPUT; RangeError for an impossible grid */
export function patternOf(fields: HandEyeCalibrationFields): GridPattern {
  const { grid_width, grid_height } = setupOf(fields).parameters
  const rows = numberOf(handEyeCalibrationNode, fields, 'gridRows')
  return gridPattern(Number(grid_width), Number(grid_height), rows)
}

const { say } = sentencesOf('operator-calibration')

/** Verbs of commands in the calibration's sentences, and those of a page with buttons. */
const verbs: Readonly<Record<'en' | 'de', Readonly<Record<string, string>>>> = {
  en: { Send: 'Press', send: 'press' },
  de: { 'Senden Sie': 'Drücken Sie', 'senden Sie': 'drücken Sie', mit: 'mit', Mit: 'Mit' },
}

const quotes = { en: ['“', '”'], de: ['„', '“'] } as const

/**
 * "send start" becomes "press “Start”". Commands without a button stay.
 * @param language other languages than German become English
 */
function withButtonLabels(sentence: string, language = 'en-US'): string {
  const key = language.startsWith('de') ? 'de' : 'en'
  const [open, close] = quotes[key]
  let text = sentence
  for (const [verb, instead] of Object.entries(verbs[key]))
    for (const order of panelOrders)
      text = text.replaceAll(`${verb} ${order}`, `${instead} ${open}${say(`order-${order}`)}${close}`)
  return text
}

const steps = ['prepare', 'pose', 'movements', 'result', 'saved'] as const

type Step = (typeof steps)[number]

interface ShownStep {
  text: string
  is: 'done' | 'now' | 'next'
}

function stepsOf(drive: DriveSnapshot): ShownStep[] {
  const now = steps.indexOf(stepOf(drive))
  return steps.map((step, index) => ({
    text: say(`step-${step}`),
    // Nothing follows the last step.
    is: index < now || (index === now && step === 'saved') ? 'done' : index === now ? 'now' : 'next',
  }))
}

function stepOf({ doing, result, seen, touches }: DriveSnapshot): Step {
  if (touches) return touches
  if (result) return result.saved ? 'saved' : 'result'
  switch (doing?.word) {
    case 'confirmPose':
      return 'pose'
    case undefined:
    case 'done':
      return 'prepare'
    default:
      return seen > 0 || doing?.word === 'interrupted' ? 'movements' : 'prepare'
  }
}

export interface PageFact {
  label: string
  value: string
}

export interface PageButton {
  topic: PanelOrder
  request?: string
  label: string
  kind: 'go' | 'stop' | 'plain'
}

export interface CalibrationPage {
  steps: ShownStep[]
  instruction: string
  facts: PageFact[]
}

const answers: ReadonlySet<PanelOrder> = new Set(['confirm', 'decline', 'skip'])

/** The most probable next commands, in this order. */
const likely: readonly PanelOrder[] = ['confirm', 'save', 'resume', 'reset', 'continue', 'start']

/** Possible now: the most probable first, the stop last. */
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

export const pageOf = (drive: DriveSnapshot): CalibrationPage => ({
  steps: stepsOf(drive),
  instruction: withButtonLabels(
    drive.question?.text ?? drive.touched ?? drive.said ?? resultText(drive) ?? say('instruction'),
    currentLanguage(),
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

/** Coverage, residuals and accuracy, as data URLs. */
export function plotsOf({ coverage, bound, result }: DriveSnapshot, theme: PlotTheme): string[] {
  const bounds = bound && [
    { name: say('plot-position'), unit: 'mm', value: bound.millimetres, limit: bound.wantedMillimetres },
    { name: say('plot-rotation'), unit: '°', value: bound.degrees, limit: bound.wantedDegrees },
  ]
  return [
    coverage,
    bounds && boundsPlot(bounds, { theme, language: currentLanguage() ?? 'en-US' }),
    result?.residuals,
  ].flatMap((svg) => (svg === undefined ? [] : [svgDataUrl(svg)]))
}
