import type { DeployedRobot } from '../../robot-motion/deployed-robot'
import type { HandEyeCalibrationFields } from '../fields'
import type { Driving } from './driving'

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
export interface PanelState {
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
export function ordersNow(state: PanelState): PanelOrder[] {
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
