/** A calibration under way: its settings, its state, and what each step of it works with and reports. */
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

/** Status of `set_pose` if the grid was not recognised. */
export const gridUnseen = 4

const rememberedUnseen = 50

export interface PoseList {
  /** The poses as given. */
  targets: readonly unknown[]
  /** Index of the pose that the list is waiting for. */
  next: number
}

/** Changes on the device that this node did not make. Numbers of poses, from 1. */
interface PoseMismatch {
  /** Present, but not recorded by this node: from before a deploy, or from elsewhere. */
  found: number[]
  /** Recorded by this node and gone, as after a restart of the device. */
  lost: number[]
}

/**
 * The state of the calibration in progress. The device stores the poses and is asked for them before each step: a
 * deploy loses nothing, and a restart of the device is noticed.
 */
export class Session {
  /** Poses of the flange on the device, by slot. */
  poses = new Map<number, Pose>()
  /** Slot of the pose recorded last. */
  last: number | undefined
  list: PoseList | undefined
  /** Poses at which the grid was not recognised, the latest last. */
  unseen: Pose[] = []
  /** Number of consecutive poses up to the latest at which it was not. */
  failures = 0
  /** The result for the present poses, which the device holds and which may be saved. */
  result: ResultReport | undefined
  /** A result that is not the device's own, and is given to it when it is saved. */
  own: CalibrationAnswer | undefined
  /** How our own pictures showed the grid, by slot. */
  readonly sights = new Map<number, OwnSight>()
  /** There are no pictures of our own: none is waited for again. */
  isSightless = false
  /** The first mark of a check with two poses. */
  mark: Mark | undefined
  /** A pose that was sent to the device without an answer. */
  #unanswered: { slot: number; pose: Pose } | undefined

  /** Forgets everything. */
  clear(): void {
    this.poses.clear()
    this.sights.clear()
    this.isSightless = false
    this.unseen = []
    this.failures = 0
    this.last = this.list = this.result = this.own = this.mark = this.#unanswered = undefined
  }

  /** Adopts the state of the device. */
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

  /** The slot for a new pose: that of the same pose if it was not answered, otherwise the first free one. */
  slotFor(pose: Pose): number | undefined {
    const { slot, pose: sent } = this.#unanswered ?? {}
    if (sent && nearDuplicates([sent, pose]).length) return slot
    return [...Array(slotCount).keys()].find((free) => !this.poses.has(free))
  }

  /** Records a pose on the device, and remembers it if the outcome is unknown. */
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

  /** The occupied slots, in order. */
  slots(): number[] {
    return [...this.poses.keys()].sort((one, other) => one - other)
  }
}

/** The dialog's description of the cell and the procedure. Metres and degrees. */
export interface Setup {
  robot: RobotFormat
  robotMounted: boolean
  /** The only axis about which the flange turns; undefined for a six-axis robot. */
  axis: Axis | undefined
  /** The parameters of the device that describe grid and mounting. */
  parameters: Readonly<Record<string, number | boolean>>
  /** Approximate centre of the grid in the flange's frame at the first pose; advised poses turn about it. Metres. */
  grid: Vector
  /** Seconds. */
  settling: number
  listWaits: boolean
  limits: { millimetres: number; degrees: number }
  limitCheck: number
  asksToSave: boolean
  /** Whether the node chooses the poses. */
  isDriven: boolean
  /** Milliseconds. */
  deadline: number
}

/**
 * A camera on the robot usually views the grid from this multiple of the grid's longer edge, which leaves room to turn.
 */
const usualSight = 3.5

/** A grid on the robot is usually mounted this far in front of the flange, metres. */
const usualMount = 0.1

/**
 * @param numbers how a robot writes poses that has settings of its own
 * @throws INVALID_INPUT naming an invalid setting
 */
export function setupOf(fields: HandEyeCalibrationFields, numbers?: RobotFormat): Setup {
  const robotMounted = fields.mounting === 'robot'
  const axis = fields.axes === 'four' ? fields.axis : undefined
  const perUnit = fields.gridUnit === 'mm' ? 0.001 : 1
  const given = <Name extends NumberName<typeof handEyeCalibrationNode>>(name: Name) =>
    numberOf(handEyeCalibrationNode, fields, name)
  // From a centimetre to ten metres; the bounds of the dialog apply in either unit.
  const edge = (name: 'gridWidth' | 'gridHeight') =>
    tidy(number(name, given(name), 0.01 / perUnit, 10 / perUnit) * perUnit)
  const [width, height] = [edge('gridWidth'), edge('gridHeight')]
  const usual = robotMounted ? usualSight * Math.max(width, height) : usualMount
  const distance = given('gridDistance')
  return {
    robot: numbers ?? robotFormat('format', fields.format, fields.unit, fields.formatCustom),
    robotMounted,
    axis,
    parameters: {
      grid_width: width,
      grid_height: height,
      robot_mounted: robotMounted,
      tcp_rotation_axis: axis ? ['x', 'y', 'z'].indexOf(axis) : -1,
      tcp_offset: axis ? tidy(given('offset') / 1000) : 0,
    },
    grid: { x: 0, y: 0, z: distance === undefined ? usual : distance / 1000 },
    settling: given('settling'),
    listWaits: fields.list === 'robot',
    limits: {
      millimetres: given('limitMillimetres'),
      degrees: given('limitDegrees'),
    },
    limitCheck: given('limitCheck'),
    asksToSave: fields.save === 'ask',
    isDriven: fields.drive !== 'messages',
    deadline: 1000 * given('deadline'),
  }
}

/** 260 mm must become 0.26 m and not 0.26000000000000001. */
const tidy = (metres: number) => Number(metres.toPrecision(12))

const { say } = sentencesOf('hand-eye-calibration')

/** What a step of the procedure works with. */
export interface CalibrationStep {
  setup: Setup
  session: Session
  device: HandEyeDevice
  /** Resolves when the robot has settled; rejects if the node closes. */
  settle: () => Promise<void>
  /** Looks at the grid in a picture of our own; undefined where the robot drives itself, which does so anyway. */
  look?: (() => Promise<OwnSight>) | undefined
}

/**
 * Synchronises the node with the device's poses, and the device's settings with the dialog.
 * @param isDriven the robot drives itself, and records lost poses again where that is needed
 */
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

/** A report with the state of the poses; its text says what happened, what else was noticed, and what helps most. */
export function progress(
  { setup, session }: CalibrationStep,
  { event, ok = true, ...more }: { event: string; ok?: boolean } & Record<string, unknown>,
  said: readonly string[],
): Report {
  const [coverage, advice] = coverageOf(setup, session)
  const details = [...said, ...brief(event, advice, session.list !== undefined)].join(' ')
  return { event, ok, details, ...more, ...coverage }
}

/** A person in front of a robot can take in two things at a time. */
function brief(event: string, { problems, few, next }: Advice, inList: boolean): string[] {
  if (event === 'started') return []
  // If a list determines the next pose, only problems matter.
  if (inList) return problems.slice(0, 1)
  const why = [...problems, ...few].slice(0, 1)
  return event === 'pose-stored' ? [...next, ...why] : [...why, ...next]
}
