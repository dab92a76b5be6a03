/** The steps up to the result, and their commands. */
import { nearDuplicates, type Pose } from '../../lib/robotics'
import { type SentenceOf, sentencesOf } from '../sentences'
import type { MessageWork } from '../shared/handle-input'
import { detailOf } from '../shared/node-error'
import { normalizedCommand } from '../shared/permission'
import { posesIn, readPossiblePose, type RobotFormat, suspicionText } from '../shared/poses'
import { shown } from '../shared/shown'
import type { StatusWord } from '../shared/status'
import { slotCount } from './device'
import { driveOrders } from './drive/driving'
import { refusedBy, type Report } from './report'
import { type CalibrationStep, caughtUp, gridUnseen, type PoseList, progress } from './session'

const { invalidInput, say } = sentencesOf('hand-eye-calibration')

/** A saved calibration remains. */
export async function start(step: CalibrationStep): Promise<Report> {
  const { setup, session, device } = step
  session.clear()
  await device.configure(setup.parameters)
  const answer = await device.reset()
  if (!answer.success) return refusedBy(step, answer, say('hand-eye-not-reset'))
  const { grid_width: width = 0, grid_height: height = 0 } = setup.parameters
  const grid = `${millimetres(width)} × ${millimetres(height)} mm`
  const key = setup.robotMounted ? 'hand-eye-started-robot' : 'hand-eye-started-fixed'
  return progress(step, { event: 'started' }, [say(key, { grid })])
}

const millimetres = (metres: number | boolean) => Number((1000 * Number(metres)).toPrecision(6))

/** A saved calibration remains. */
export async function cancel(step: CalibrationStep): Promise<Report> {
  step.session.clear()
  const answer = await step.device.reset()
  if (!answer.success) return refusedBy(step, answer, say('hand-eye-not-reset'))
  return progress(step, { event: 'cancelled' }, [say('hand-eye-cancelled')])
}

/** @default the last pose */
export async function undo(step: CalibrationStep, number?: number): Promise<Report> {
  const { session, device } = step
  const noticed = await caughtUp(step)
  const slot = number === undefined ? (session.last ?? session.slots().at(-1)) : number - 1
  if (slot === undefined || !session.poses.has(slot))
    return progress(step, { event: 'refused', ok: false }, [say('hand-eye-nothing-to-undo'), ...noticed])
  const answer = await device.deletePose(slot)
  const place = { number: slot + 1 }
  if (!answer.success) return refusedBy(step, answer, say('hand-eye-not-undone', place), place)
  session.poses.delete(slot)
  session.last = session.result = undefined
  const detail = say('hand-eye-undone', { ...place, poses: session.poses.size })
  return progress(step, { event: 'pose-deleted', ...place }, [detail, ...noticed])
}

/** By the status of `set_pose`. */
const reasons: Partial<Record<number, SentenceOf<'hand-eye-calibration'>>> = {
  [gridUnseen]: 'pose-rejected-grid',
  8: 'pose-rejected-image',
  9: 'pose-rejected-busy',
}

/**
 * Records a pose with the camera's view of the grid.
 * @param number from 1 @default the first free one
 * @throws INVALID_INPUT if it is not a valid pose
 */
export async function record(step: CalibrationStep, value: unknown, number?: number): Promise<Report> {
  const { setup, session, device, settle } = step
  const { pose, suspicions } = readPossiblePose(setup.robot, value)
  const doubts = suspicions.map((each) => suspicionText(each, setup.robot.format))
  await settle()
  const noticed = [...doubts, ...(await caughtUp(step))]

  const slot = number === undefined ? session.slotFor(pose) : number - 1
  if (slot === undefined) return progress(step, { event: 'refused', ok: false }, [say('hand-eye-full')])
  const sameAs = twinOf(pose, slot, session.poses)
  const answer = await session.record(device, slot, pose)
  const place = { number: slot + 1 }
  if (!answer.success) {
    const { status, message } = answer
    const reason = reasons[status]
    const why = reason ? say(reason, place) : say('pose-rejected', place)
    const detail = say(message ? 'hand-eye-said' : 'hand-eye-status', { message, status })
    const unseen = status === gridUnseen
    const far = unseen && session.failures > 1 ? [say('hand-eye-check-distance')] : []
    const report = { event: 'pose-rejected', ok: false, ...place, unseen, answer }
    return progress(step, report, [why, detail, ...far, ...noticed])
  }
  await sightAt(step, slot)
  const stored = say('hand-eye-stored', { ...place, poses: session.poses.size })
  const bright = answer.overexposed ? [say('hand-eye-overexposed', place)] : []
  const same = sameAs === undefined ? [] : [say('hand-eye-same', { ...place, same: sameAs })]
  const report = { event: 'pose-stored', ...place, ...(sameAs !== undefined && { sameAs }), answer }
  return progress(step, report, [stored, ...same, ...bright, ...noticed])
}

/** Explains bad results only, so the calibration continues without it. */
async function sightAt({ session, look }: CalibrationStep, slot: number): Promise<void> {
  session.sights.delete(slot)
  if (!look || session.hasNoPictures) return
  try {
    session.sights.set(slot, await look())
  } catch {
    session.hasNoPictures = true
  }
}

function twinOf(pose: Pose, slot: number, poses: ReadonlyMap<number, Pose>): number | undefined {
  const twin = [...poses].find(([other, each]) => other !== slot && nearDuplicates([each, pose]).length > 0)
  return twin && twin[0] + 1
}

/** @throws INVALID_INPUT if it is not a number of a pose */
export function poseNumber(value: unknown): number | undefined {
  const text = typeof value === 'string' ? value.trim() : value
  if (text === undefined || text === null || text === '') return undefined
  const number = typeof text === 'string' || typeof text === 'number' ? Number(text) : NaN
  if (Number.isInteger(number) && number >= 1 && number <= slotCount) return number
  throw invalidInput('hand-eye-number', { value: shown(text), most: slotCount })
}

/** @throws INVALID_INPUT if there are too many, or with the number (from 1) of the first invalid pose */
export function poseList(robot: RobotFormat, value: unknown): PoseList {
  const targets = posesIn(robot, value)
  if (!targets) throw invalidInput('pose-list-missing')
  if (targets.length > slotCount)
    throw invalidInput('hand-eye-list-too-long', { poses: targets.length, most: slotCount })
  for (const [index, target] of targets.entries()) {
    try {
      readPossiblePose(robot, target)
    } catch (error) {
      throw invalidInput('pose-in-list', { number: index + 1, problem: detailOf(error) })
    }
  }
  return { targets, next: 0 }
}

const driveCommands = ['continue', 'look', 'check-camera', 'touch-up', ...driveOrders] as const

/** `pose` records one pose; `run` records a whole list and then calibrates. */
const commands = [
  'start',
  'pose',
  'arrived',
  'run',
  'undo',
  'status',
  'calibrate',
  'save',
  'check',
  'cancel',
  ...driveCommands,
] as const

export type Command = (typeof commands)[number]

/** @returns undefined if empty @throws INVALID_INPUT for an unknown command */
export function commandOf(value: unknown): Command | undefined {
  const text = normalizedCommand(typeof value === 'string' ? value : asText(value))
  if (text === '') return undefined
  const known = text === 'remove-last' ? 'undo' : commands.find((command) => command === text)
  if (known) return known
  throw invalidInput('hand-eye-command', { value: text.slice(0, 40), known: commands.join(', ') })
}

const asText = (value: unknown) => (value === undefined || value === null ? '' : shown(value))

export interface Inbound extends Pick<MessageWork, 'notify'> {
  read: (field: 'command' | 'pose') => unknown
  number: unknown
  /** Id of the answered question. */
  request: unknown
  ownStep: PoseList | undefined
  /** After the messages that are already waiting. */
  goOn: (list: PoseList) => void
  /** Properties that mark the answer to a move as the reached pose. */
  answerBy: { command: string | undefined; pose: string }
  progress: (word: StatusWord, count?: number) => void
  rest: (word?: StatusWord, count?: number) => void
}
