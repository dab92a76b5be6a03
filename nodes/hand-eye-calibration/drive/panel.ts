/** What a person sees of a robot that drives itself, and may order now. */
import { isCodedError } from '../../../lib/kernel/errors'
import { type PlotOptions, residualPlot } from '../../../lib/plots'
import type { DeployedRobot } from '../../robot-motion/deployed-robot'
import { detailOf, withLanguage } from '../../shared/node-error'
import type { StatusWord } from '../../shared/status'
import type { HandEyeCalibrationFields } from '../fields'
import { type DriveDisplay, type Driving, type PoseAhead, reportNow, type LocalizedReport } from './driving'
import type { DriveJournal } from './settings'
import { countsOf, type DriveReport, pictureOf, type ShownBound, type ShownResidual } from './reports'

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

interface PanelState {
  fields: Pick<HandEyeCalibrationFields, 'drive' | 'confirm' | 'sightings' | 'mounting'>
  driving: Driving
  deployed: DeployedRobot | undefined
  isUnderWay: boolean
  hasSaved: boolean
  hasResult: boolean
}

/** No motion starts from here without a confirmation: if none is configured, or the flow must send its pose, only messages start. */
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

/** An unobserved pose is skipped; every other question is declined. */
const answersNow = ({ question, isSteered, display }: Driving): PanelOrder[] => {
  if (!question.isOpen || !display.question) return []
  return ['confirm', isSteered ? 'skip' : 'decline']
}

/** None if the robot's settings are invalid. */
function permitOf(deployed: DeployedRobot): string | undefined {
  try {
    return deployed.robot.permit.is
  } catch {
    return undefined
  }
}

interface DriveResult {
  saved: boolean
  good: boolean
  errors: { millimetres: number | undefined; degrees: number | undefined }
  limits: { millimetres: number; degrees: number }
  /** Distance of the camera from the previously saved calibration. */
  comparison?: { millimetres: number; degrees: number }
  /** SVG file. */
  residuals?: string
}

/** Millimetres, degrees; texts in the reader's language. */
export interface DriveSnapshot {
  /** As in the status; missing before the first run. */
  doing?: { word: StatusWord; count: number }
  question?: { request: string; text: string }
  /** The last report except questions. */
  said?: string
  /** In the robot's own numbers. */
  at?: string
  seen: number
  unseen: number
  /** Missing while unknown. */
  left?: number
  /** Next first. */
  planned: Pick<PoseAhead, 'number' | 'text'>[]
  bound?: ShownBound
  doubtful?: number[]
  /** Past and planned poses, as an SVG file; missing without any. */
  coverage?: string
  /** Against the result so far, as an SVG file; missing at the end. */
  residuals?: string
  result?: DriveResult
  touched?: string
  /** Checked by the present touch-up. */
  touches?: 'result' | 'saved'
  orders: PanelOrder[]
}

export interface DriveSnapshotState extends Omit<PanelState, 'isUnderWay' | 'hasSaved'> {
  driving: Driving
  journal: DriveJournal
}

export const ordersOf = async (state: DriveSnapshotState): Promise<PanelOrder[]> =>
  ordersNow({ ...state, ...(await state.journal.overview()) })

/** Queries neither robot nor device. */
export async function driveSnapshotOf(
  state: DriveSnapshotState,
  { theme, language }: Required<Pick<PlotOptions, 'theme'>> & { language: string | undefined },
): Promise<DriveSnapshot> {
  const { driving, journal } = state
  const { display, isBusy } = driving
  const stored = await journal.overview()
  const orders = ordersNow({ ...state, ...stored })
  const journaled = isBusy || display.attempts.length ? [] : await journal.read().catch(() => [])
  const attempts = display.attempts.length ? display.attempts : journaled
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
    const lastReport =
      unread === undefined ? lastReportOf(display, isBusy, language) : sentenceOf(unread, language)
    const doing = unread === undefined ? doingOf(driving, stored.isUnderWay, ended) : failed
    return {
      ...(doing && { doing }),
      ...(isOpen && display.question && { question: questionOf(display.question) }),
      ...(lastReport !== undefined &&
        (!result || unread !== undefined || display.error !== undefined || display.seenNow) && {
          said: lastReport,
        }),
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

const questionOf = ({ request, report }: { request: string; report: LocalizedReport }) => ({
  request,
  text: reportNow(report).details,
})

function lastReportOf(
  { said: lastReport, seenNow, end, error }: DriveDisplay,
  isBusy: boolean,
  language: string | undefined,
): string | undefined {
  if (!isBusy && seenNow) return reportNow(seenNow).details
  if (!isBusy && error !== undefined) return sentenceOf(error, language)
  const report = isBusy ? lastReport : (end ?? lastReport)
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
