/** A calibration in progress: settings, state, and what each step works with and reports. */
import { type Axis, nearDuplicates, type Pose, type Vector } from '../../lib/robotics'
import { sentencesOf } from '../sentences'
import { type NumberName, numberOf } from '../shared/fields/checked-fields'
import { robotFormat, type RobotFormat } from '../shared/poses'
import { number } from '../shared/read-fields'
import { type Advice, coverageOf } from './coverage'
import { type CalibrationAnswer, type HandEyeDevice, slotCount } from './device'
import type { OwnSight } from './explain'
import { type HandEyeCalibrationFields, handEyeCalibrationNode } from './fields'
import type { Mark } from './check'
import type { Report, ResultReport } from './report'

/** `set_pose`: grid not recognised. */
export const gridUnseen = 4

const rememberedUnseen = 50

export interface PoseList {
  targets: readonly unknown[]
  next: number
}

/** Numbers of poses, from 1. */
interface PoseMismatch {
  /** Recorded before a deploy, or elsewhere. */
  found: number[]
  /** Lost, as in a restart of the device. */
  lost: number[]
}

/** The device has the poses and is queried before each step: deploys lose nothing, and its restarts are noticed. */
export class Session {
  /** Flange poses on the device, by slot. */
  poses = new Map<number, Pose>()
  last: number | undefined
  list: PoseList | undefined
  /** Grid not recognised; latest last. */
  unseen: Pose[] = []
  /** Consecutive poses, up to the latest, without a recognised grid. */
  failures = 0
  /** For the present poses; on the device, not yet saved. */
  result: ResultReport | undefined
  /** Not the device's own; transferred to it when saved. */
  own: CalibrationAnswer | undefined
  /** Our own views of the grid, by slot. */
  readonly sights = new Map<number, OwnSight>()
  /** No own pictures; do not wait for any again. */
  hasNoPictures = false
  mark: Mark | undefined
  /** Sent without an answer. */
  #unanswered: { slot: number; pose: Pose } | undefined

  clear(): void {
    this.poses.clear()
    this.sights.clear()
    this.hasNoPictures = false
    this.unseen = []
    this.failures = 0
    this.last = this.list = this.result = this.own = this.mark = this.#unanswered = undefined
  }

  async learn(device: HandEyeDevice): Promise<PoseMismatch> {
    const listed = await device.poses()
    if (!listed) return { found: [], lost: [] }
    const missing = (from: Map<number, Pose>, to: Map<number, Pose>) =>
      [...from.keys()].filter((slot) => !to.has(slot)).map((slot) => slot + 1)
    const surprise = { found: missing(listed, this.poses), lost: missing(this.poses, listed) }
    this.poses = listed
    if (surprise.lost.length) this.result = undefined
    return surprise
  }

  /** The same pose again keeps its slot if it was not answered; otherwise the first free one. */
  slotFor(pose: Pose): number | undefined {
    const { slot, pose: sent } = this.#unanswered ?? {}
    if (sent && nearDuplicates([sent, pose]).length) return slot
    return [...Array(slotCount).keys()].find((free) => !this.poses.has(free))
  }

  /** Remembers the pose if the outcome is unknown. */
  async record(device: HandEyeDevice, slot: number, pose: Pose) {
    this.#unanswered = { slot, pose }
    const answer = await device.setPose(slot, pose)
    this.#unanswered = undefined
    if (answer.status === gridUnseen) {
      this.unseen = [...this.unseen, pose].slice(-rememberedUnseen)
      this.failures += 1
    }
    if (answer.success) {
      this.failures = 0
      this.poses.set(slot, pose)
      this.last = slot
      this.result = undefined
    }
    return answer
  }

  slots(): number[] {
    return [...this.poses.keys()].sort((one, other) => one - other)
  }
}

/** From the dialog. Metres and degrees. */
export interface Setup {
  robot: RobotFormat
  robotMounted: boolean
  /** Undefined with six axes. */
  axis: Axis | undefined
  /** Grid and mounting, as parameters of the device. */
  parameters: Readonly<Record<string, number | boolean>>
  /** Approximate centre of the grid in the flange's frame at the first pose, metres; advised poses turn about it. */
  grid: Vector
  /** Seconds. */
  settling: number
  listWaits: boolean
  limits: { millimetres: number; degrees: number }
  limitCheck: number
  asksToSave: boolean
  isDriven: boolean
  /** Milliseconds. */
  deadline: number
}

/** Usual distance of a camera on the robot, in longer edges of the grid; leaves room to turn. */
const usualSight = 3.5

/** Usual distance of a grid on the robot from the flange, metres. */
const usualMount = 0.1

/**
 * @param numbers pose format of a configured robot
 * @throws INVALID_INPUT naming an invalid setting
 */
export function setupOf(fields: HandEyeCalibrationFields, numbers?: RobotFormat): Setup {
  const robotMounted = fields.mounting === 'robot'
  const axis = fields.axes === 'four' ? fields.axis : undefined
  const perUnit = fields.gridUnit === 'mm' ? 0.001 : 1
  const value = <Name extends NumberName<typeof handEyeCalibrationNode>>(name: Name) =>
    numberOf(handEyeCalibrationNode, fields, name)
  // 10 mm to 10 m; the bounds of the dialog apply in either unit.
  const edge = (name: 'gridWidth' | 'gridHeight') =>
    tidy(number(name, value(name), 0.01 / perUnit, 10 / perUnit) * perUnit)
  const [width, height] = [edge('gridWidth'), edge('gridHeight')]
  const usual = robotMounted ? usualSight * Math.max(width, height) : usualMount
  const distance = value('gridDistance')
  return {
    robot: numbers ?? robotFormat('format', fields.format, fields.unit, fields.formatCustom),
    robotMounted,
    axis,
    parameters: {
      grid_width: width,
      grid_height: height,
      robot_mounted: robotMounted,
      tcp_rotation_axis: axis ? ['x', 'y', 'z'].indexOf(axis) : -1,
      tcp_offset: axis ? tidy(value('offset') / 1000) : 0,
    },
    grid: { x: 0, y: 0, z: distance === undefined ? usual : distance / 1000 },
    settling: value('settling'),
    listWaits: fields.list === 'robot',
    limits: {
      millimetres: value('limitMillimetres'),
      degrees: value('limitDegrees'),
    },
    limitCheck: value('limitCheck'),
    asksToSave: fields.save === 'ask',
    isDriven: fields.drive !== 'messages',
    deadline: 1000 * value('deadline'),
  }
}

/** 0.26 m instead of 0.26000000000000001. */
const tidy = (metres: number) => Number(metres.toPrecision(12))

const { say } = sentencesOf('hand-eye-calibration')

export interface CalibrationStep {
  setup: Setup
  session: Session
  device: HandEyeDevice
  /** Rejects if the node closes. */
  settle: () => Promise<void>
  /** Undefined if the robot drives itself, which observes anyway. */
  look?: (() => Promise<OwnSight>) | undefined
}

/** @param isDriven lost poses are recorded again where needed */
export async function caughtUp(
  { setup, session, device }: CalibrationStep,
  { isDriven = false }: { isDriven?: boolean } = {},
): Promise<string[]> {
  const set = await device.configure(setup.parameters)
  const surprise = await session.learn(device)
  return [
    ...(set.length ? [say('hand-eye-settings', { names: set.join(', ') })] : []),
    ...told(surprise, isDriven),
  ]
}

function told({ found, lost }: PoseMismatch, isDriven: boolean): string[] {
  const lostKey = isDriven ? 'hand-eye-lost-driven' : 'hand-eye-lost'
  return [
    ...(lost.length ? [say(lostKey, { numbers: lost.join(', ') })] : []),
    ...(found.length ? [say('hand-eye-found', { numbers: found.join(', ') })] : []),
  ]
}

/** Its text: what happened, what was noticed, and what helps most. */
export function progress(
  { setup, session }: CalibrationStep,
  { event, ok = true, ...more }: { event: string; ok?: boolean } & Record<string, unknown>,
  remarks: readonly string[],
): Report {
  const [coverage, advice] = coverageOf(setup, session)
  const details = [...remarks, ...brief(event, advice, session.list !== undefined)].join(' ')
  return { event, ok, details, ...more, ...coverage }
}

/** At most two pieces of advice at a time. */
function brief(event: string, { problems, few, next }: Advice, inList: boolean): string[] {
  if (event === 'started') return []
  // A list determines the next pose; only problems matter.
  if (inList) return problems.slice(0, 1)
  const why = [...problems, ...few].slice(0, 1)
  return event === 'pose-stored' ? [...next, ...why] : [...why, ...next]
}
