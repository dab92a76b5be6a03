/** What a person sees of a robot that drives itself, and may order now. */
import { isCodedError } from '../../../lib/kernel/errors'
import { type PlotOptions, residualPlot } from '../../../lib/plots'
import type { DeployedRobot } from '../../robot-motion/deployed-robot'
import { detailOf, withLanguage } from '../../shared/node-error'
import type { StatusWord } from '../../shared/status'
import type { HandEyeCalibrationFields } from '../fields'
import { type DriveDisplay, type Driving, type PoseAhead, reportNow, type Spoken } from './driving'
import type { DriveJournal } from './settings'
import { countsOf, type DriveReport, pictureOf, type ShownBound, type ShownResidual } from './reports'

/** What a person can say at the dialog. */
export const panelOrders = [
  'confirm',
  'decline',
  'skip',
  'pause',
  'resume',
  'stop',
  'start',
  'continue',
  'look',
  'check-camera',
  'touch-up',
  'reset',
  'save',
  'cancel',
] as const

export type PanelOrder = (typeof panelOrders)[number]

/** What decides which of them are possible now. */
interface PanelState {
  fields: Pick<HandEyeCalibrationFields, 'drive' | 'confirm' | 'sightings' | 'mounting'>
  driving: Driving
  deployed: DeployedRobot | undefined
  /** Whether a calibration can go on. */
  isUnderWay: boolean
  /** Whether there is a calibration to check the camera against. */
  hasSaved: boolean
  /** Whether a result can be saved. */
  hasResult: boolean
}

/**
 * What a person can say now. From here nothing begins to move that nobody is asked about: where movements are not
 * confirmed, or the flow has to tell where its robot is, only messages begin.
 */
function ordersNow(state: PanelState): PanelOrder[] {
  const { fields, driving, deployed, isUnderWay, hasSaved, hasResult } = state
  const mayBegin = fields.confirm !== 'none'
  if (driving.isBusy) return [...answersNow(driving), ...pauseNow(driving, mayBegin), 'stop']
  const isTouchable = fields.sightings === 'picture' && fields.mounting === 'robot' && deployed !== undefined
  const save: PanelOrder[] = [
    ...(fields.sightings === 'answers' ? [] : (['look'] as const)),
    ...(isTouchable && (hasResult || hasSaved) ? (['touch-up'] as const) : []),
    ...(hasResult ? (['save', 'cancel'] as const) : []),
  ]
  if (!deployed || !mayBegin) return save
  if (permitOf(deployed) === 'latched') return ['reset', ...save]
  return [
    ...(isUnderWay ? (['continue'] as const) : []),
    'start',
    ...(hasSaved ? (['check-camera'] as const) : []),
    ...save,
  ]
}

function pauseNow({ isSteered, isPaused }: Driving, mayBegin: boolean): PanelOrder[] {
  if (!isSteered) return []
  if (!isPaused) return ['pause']
  return mayBegin ? ['resume'] : []
}

/** A pose that is not looked at is skipped; every other question is declined. */
const answersNow = ({ question, isSteered, display }: Driving): PanelOrder[] => {
  if (!question.isOpen || !display.question) return []
  return ['confirm', isSteered ? 'skip' : 'decline']
}

/** A robot with wrong settings has none. */
function permitOf(deployed: DeployedRobot): string | undefined {
  try {
    return deployed.robot.permit.is
  } catch {
    return undefined
  }
}

/** A result in a driven report. */
interface DriveResult {
  saved: boolean
  good: boolean
  errors: { millimetres: number | undefined; degrees: number | undefined }
  limits: { millimetres: number; degrees: number }
  /** How far the camera is from where the calibration saved before has it. */
  comparison?: { millimetres: number; degrees: number }
  /** Deviation of each pose from the common result, as an SVG file. */
  residuals?: string
}

/** A robot that drives itself, for a person. Millimetres, degrees; texts in the language of the person. */
export interface DriveSnapshot {
  /** As in the status of the node; missing while nothing was done. */
  doing?: { word: StatusWord; count: number }
  question?: { request: string; text: string }
  /** The last report: of a look, an end, or a problem. */
  said?: string
  /** The robot's pose, in its own numbers. */
  at?: string
  seen: number
  unseen: number
  /** Number of poses left; missing while it is not known. */
  left?: number
  /** The next one first. */
  planned: Pick<PoseAhead, 'number' | 'text'>[]
  bound?: ShownBound
  doubtful?: number[]
  /** Poses so far and planned ones, as an SVG file; missing without any. */
  coverage?: string
  /** Deviation of each pose from the result so far, as an SVG file; missing before there is one, and at the end. */
  residuals?: string
  result?: DriveResult
  /** The report of the last touch-up. */
  touched?: string
  /** What a touch-up under way checks. */
  touches?: 'result' | 'saved'
  orders: PanelOrder[]
}

/** The state that a snapshot is made from. */
export interface DriveSnapshotState extends Omit<PanelState, 'isUnderWay' | 'hasSaved'> {
  driving: Driving
  journal: DriveJournal
}

/** What a person at the dialog can say now. */
export const ordersOf = async (state: DriveSnapshotState): Promise<PanelOrder[]> =>
  ordersNow({ ...state, ...(await state.journal.overview()) })

/** What there is to be seen of a robot that drives itself, now or the last time. Asks neither robot nor device. */
export async function driveSnapshotOf(
  state: DriveSnapshotState,
  { theme, language }: Required<Pick<PlotOptions, 'theme'>> & { language: string | undefined },
): Promise<DriveSnapshot> {
  const { driving, journal } = state
  const { display, isBusy } = driving
  const stored = await journal.overview()
  const orders = ordersNow({ ...state, ...stored })
  const kept = isBusy || display.attempts.length ? [] : await journal.read().catch(() => [])
  const attempts = display.attempts.length ? display.attempts : kept
  const options: PlotOptions = { theme, language: language ?? 'en-US' }
  const isOpen = isBusy && driving.question.isOpen
  return withLanguage(language, () => {
    const plan = isBusy && display.plan ? reportNow(display.plan) : undefined
    const planned = isBusy ? display.planned : []
    const ended = !isBusy && display.end ? reportNow(display.end) : undefined
    const result = ended && resultOf(ended, options)
    const bound = plan?.bound ?? ended?.['bound']
    const doubtful = plan?.doubtful ?? ended?.['doubtful']
    const unread = isBusy ? undefined : stored.problem
    const said = unread === undefined ? saidIn(display, isBusy, language) : sentenceOf(unread, language)
    const doing = unread === undefined ? doingOf(driving, stored.isUnderWay, ended) : failed
    return {
      ...(doing && { doing }),
      ...(isOpen && display.question && { question: questionOf(display.question) }),
      ...(said !== undefined &&
        (!result || unread !== undefined || display.error !== undefined || display.seenNow) && { said }),
      ...(isBusy && display.at !== undefined && { at: display.at }),
      ...countsOf(attempts),
      ...(plan?.left !== undefined && { left: planned.length }),
      planned: planned.map(({ number, text }) => ({ number, text })),
      ...(bound && { bound }),
      ...(doubtful && { doubtful }),
      ...(attempts.length && {
        coverage: pictureOf(
          attempts,
          planned.map(({ pose }) => pose),
          options,
        ),
      }),
      ...(plan?.residuals?.length && { residuals: residualPlot(plan.residuals.map(plotted), options) }),
      ...(result && { result }),
      ...(!isBusy && display.touched && { touched: reportNow(display.touched).details }),
      ...(display.touches && { touches: display.touches }),
      orders,
    }
  })
}

const questionOf = ({ request, report }: { request: string; report: Spoken }) => ({
  request,
  text: reportNow(report).details,
})

function saidIn(
  { said, seenNow, end, error }: DriveDisplay,
  isBusy: boolean,
  language: string | undefined,
): string | undefined {
  if (!isBusy && seenNow) return reportNow(seenNow).details
  if (!isBusy && error !== undefined) return sentenceOf(error, language)
  const report = isBusy ? said : (end ?? said)
  return report && reportNow(report).details
}

function sentenceOf(error: unknown, language: string | undefined): string {
  return isCodedError(error) ? error.inLanguage(language) : detailOf(error)
}

const failed = { word: 'failed', count: 0 } as const

function doingOf(
  { display, isBusy, isPaused }: Driving,
  isUnderWay: boolean,
  ended: DriveReport | undefined,
): DriveSnapshot['doing'] {
  if (isBusy) return isPaused ? { word: 'paused', count: 0 } : display.doing
  if (display.error !== undefined) return failed
  if (isUnderWay) return { word: ended?.['errors'] === undefined ? 'interrupted' : 'calibrated', count: 0 }
  return ended && { word: ended.ok ? 'done' : 'failed', count: 0 }
}

function resultOf(report: DriveReport, options: PlotOptions): DriveResult | undefined {
  const { errors, limits, good, saved, comparison } = report as Partial<DriveResult>
  if (!errors || !limits) return undefined
  const of = report.residuals?.map(plotted)
  return {
    ...{ errors, limits, good: good === true, saved: saved === true },
    ...(comparison && { comparison }),
    ...(of?.length && { residuals: residualPlot(of, { ...options, limit: limits.millimetres / 1000 }) }),
  }
}

const plotted = ({ number, millimetres, isBad }: ShownResidual) => ({
  ...{ number, isBad, translation: millimetres / 1000 },
})
