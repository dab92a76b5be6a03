import { join } from 'node:path'
import type { Node, NodeAPI } from 'node-red'
import type { AnswerSettings, DetectedTag } from '../../../lib/calibration'
import type { Image } from '../../../lib/codec/images/codec'
import { pictureNow } from '../../../lib/images'
import { type GridPattern, gridPattern } from '../../../lib/images/grid'
import type { MotionLimits } from '../../../lib/robot-motion'
import type { PlanCamera, PlanLimits, PlannerSettings } from '../../../lib/robotics'
import type { Connection } from '../../device/connection'
import { imagePlace } from '../../device/device'
import { inPipeline } from '../../device/known-nodes'
import type { DeployedRobot } from '../../robot-motion/deployed-robot'
import { boxOf } from '../../robot-motion/state-in-words'
import { sentencesOf } from '../../sentences'
import { type NumberName, numberOf } from '../../shared/fields/checked-fields'
import { detailOf, spoken } from '../../shared/node-error'
import { isPose } from '../device'
import { type HandEyeCalibrationFields, handEyeCalibrationNode } from '../fields'
import type { CalibrationStep, Setup } from '../session'
import type { Inbound } from '../steps'
import type { Driving, Spoken } from './driving'
import { DriveJournal } from './journal'

const { invalidInput, nodeError } = sentencesOf('hand-eye-calibration')

/** How a robot drives itself. */
export interface DriveSettings {
  /** Whether this software moves the robot, or the flow does. */
  by: 'robot' | 'flow'
  sightings: HandEyeCalibrationFields['sightings']
  /** Id of the tag beside the grid; empty without one. */
  tag: string
  confirm: 'each' | 'first' | 'none'
  /** Seconds within which a person confirms, and the robot of a flow arrives. */
  confirmWithin: number
  arriveWithin: number
  /** The printed checkerboard. Metres. */
  pattern: GridPattern
  /** All that a planner needs besides the camera. */
  /** For a device that only says whether it sees the grid. */
  answers: AnswerSettings
  plan: Omit<PlannerSettings, 'camera'> & { limits: Partial<PlanLimits> & Pick<PlanLimits, 'step'> }
}

/** Without seeing where the grid is, larger tilts lose it. */
const usualTilt = 30

/** A robot reaches its poses with a tolerance, so that the next step may be a little longer than planned. */
const share = 0.95

/**
 * @param robot limits of a robot that this software moves; undefined if the flow moves it
 * @param patternOf the checkerboard of a size
 * @throws INVALID_INPUT naming a setting; RangeError for a grid that cannot be looked for
 */
function driveSettings(
  fields: HandEyeCalibrationFields,
  { robotMounted, axis, parameters, grid: { z: ahead } }: Setup,
  robot: MotionLimits | undefined,
  patternOf: (width: number, height: number, rows: number) => GridPattern,
): DriveSettings {
  const given = <Name extends NumberName<typeof handEyeCalibrationNode>>(name: Name) =>
    numberOf(handEyeCalibrationNode, fields, name)
  const { grid_width, grid_height, tcp_offset } = parameters
  const grid = { width: Number(grid_width), height: Number(grid_height) }
  const { step, turn, box } = robot ?? {
    ...{ step: given('step') / 1000, turn: given('turn'), box: boxOf(fields.box.trim()) },
  }
  const metres = (name: 'nearest' | 'farthest' | 'floor' | 'reach') => {
    const millimetres = given(name)
    return millimetres === undefined ? {} : { [name]: millimetres / 1000 }
  }
  const [x, y, z] = box ?? []
  const wanted = { metres: given('wantedMillimetres') / 1000, degrees: given('wantedDegrees') }
  const room = {
    ...metres('floor'),
    ...metres('reach'),
    step: { metres: share * step, degrees: share * turn },
    ...(x &&
      y &&
      z && { box: { least: { x: x[0], y: y[0], z: z[0] }, most: { x: x[1], y: y[1], z: z[1] } } }),
  }
  return {
    sightings: fields.sightings,
    tag: isTag(fields.sightings) ? tagIn(fields.tag) : '',
    answers: {
      ...{ robotMounted, distance: Math.abs(ahead), wanted },
      limits: { ...room, tilt: Math.min(usualTilt, given('tilt')) },
    },
    by: robot ? 'robot' : 'flow',
    confirm: fields.confirm,
    confirmWithin: given('confirmWithin'),
    arriveWithin: given('arriveWithin'),
    pattern: patternOf(grid.width, grid.height, given('gridRows')),
    plan: {
      robotMounted,
      ...(axis && { fourAxis: { axis, offset: Number(tcp_offset) } }),
      grid,
      wanted,
      limits: {
        ...{ ...room, tilt: given('tilt'), cone: given('cone') },
        ...metres('nearest'),
        ...metres('farthest'),
      },
    },
  }
}

/** A picture's camera as a planner takes it. Pixels. */
const planCamera = (picture: {
  width: number
  height: number
  focalLength: number
  principalPoint: { u: number; v: number }
}): PlanCamera => ({
  width: picture.width,
  height: picture.height,
  focalLength: picture.focalLength,
  centre: { x: picture.principalPoint.u, y: picture.principalPoint.v },
})

/** Whether a tag beside the grid is looked for. */
export const isTag = (sightings: DriveSettings['sightings']): boolean =>
  sightings === 'april' || sightings === 'qr'

/** @throws INVALID_INPUT without an id: another tag could be seen at each pose */
function tagIn(given: string): string {
  const tag = given.trim()
  if (tag === '') throw invalidInput('drive-no-tag')
  return tag
}

/** What the sightings are of: a picture says nothing of a tag, and the reverse. */
export const sightedBy = ({ sightings, tag }: Pick<DriveSettings, 'sightings' | 'tag'>): string =>
  isTag(sightings) ? `${sightings} ${tag}` : sightings

/** What the node brings for a robot that drives itself. */
export interface DriveParts {
  driving: Driving
  journal: DriveJournal
  settings: DriveSettings
  /** The robot that this software moves; undefined if the flow moves it. */
  deployed: DeployedRobot | undefined
  /** A rectified picture that is taken now. */
  take: (signal: AbortSignal) => Promise<Image>
  /** The camera as the sightings need it: of such a picture, or as the device states it. */
  camera: (signal: AbortSignal) => Promise<PlanCamera>
  /** The tags that the device detects now, in the frame of the camera. */
  detect: (signal: AbortSignal) => Promise<DetectedTag[]>
  /** Aborted when the node closes. */
  closing: AbortSignal
}

/** What one run works with. */
export interface DriveWork extends DriveParts {
  step: CalibrationStep
  inbound: Inbound
  /** Aborted by a stop, or when the node closes. */
  signal: AbortSignal
  /** Sends a report to the first output, while the message is at work. */
  tell: (report: Spoken) => void
}

const { invalidInput: invalidRobot } = sentencesOf('robot-motion')

/** The journal of a node. */
export function journalOf(RED: NodeAPI, node: Node): DriveJournal {
  const { userDir } = RED.settings as { userDir?: string }
  return new DriveJournal(join(userDir ?? '.', 'vision-hand-eye'), node.id, (damage) =>
    node.warn(damage.inLanguage(spoken())),
  )
}

/** What a node brings for a robot that drives itself. */
interface DrivingNode {
  fields: HandEyeCalibrationFields
  setup: Setup
  driving: Driving
  journal: DriveJournal
  deployed: DeployedRobot | undefined
  device: Connection
  pipeline: string
  /** Aborted when the node closes. */
  signal: AbortSignal
}

/** @throws INVALID_INPUT naming a setting */
export function drivePartsOf(node: DrivingNode): DriveParts {
  const { fields, setup, driving, journal, deployed, device, pipeline, signal } = node
  if (fields.drive === 'robot' && !deployed) throw invalidRobot('robot-missing')
  const settings = settingsOf(fields, setup, deployed)
  const ofDevice = { device, pipeline: pipeline || '0', deadline: setup.deadline }
  const take = async (stopped: AbortSignal) =>
    pictureNow({
      ...(await imagePlace(device, ofDevice.pipeline)),
      longestSilence: setup.deadline,
      signal: stopped,
    })
  return {
    ...{ driving, journal, deployed, closing: signal, settings, take },
    camera: async (stopped) =>
      settings.sightings === 'picture' ? planCamera(await take(stopped)) : statedCamera(ofDevice, stopped),
    detect: (stopped) => detectedTags(ofDevice, settings, stopped),
  }
}

function settingsOf(fields: HandEyeCalibrationFields, setup: Setup, deployed: DeployedRobot | undefined) {
  try {
    return driveSettings(fields, setup, deployed?.settings.limits, gridPattern)
  } catch (error) {
    if (error instanceof RangeError) throw invalidInput('drive-bad-plan', { problem: detailOf(error) })
    throw error
  }
}

/** Names on a device; one of another brand has the same with its own prefix. */
const modules = { april: 'dev_april_tag_detect', qr: 'dev_qr_code_detect' } as const

const cameraNode = 'dev_camera'

/** What is needed of a device whose tag module sees for us. */
interface TagDevice {
  device: Connection
  pipeline: string
  /** Milliseconds. */
  deadline: number
}

/** Has the tag module look for the tag. @throws VisionError FORBIDDEN without its licence, and what else a call may end with */
async function detectedTags(
  { device, pipeline, deadline }: TagDevice,
  { sightings, tag }: Pick<DriveSettings, 'sightings' | 'tag'>,
  signal: AbortSignal,
): Promise<DetectedTag[]> {
  const node = sightings === 'qr' ? modules.qr : modules.april
  const { response } = await device.onNode({ pipeline, node, signal }, (target) =>
    device.client.callService(
      {
        ...inPipeline(target),
        service: 'detect',
        args: { tags: [{ id: tag }], pose_frame: 'camera' },
      },
      { signal, deadline },
    ),
  )
  const { tags } = response as { tags?: unknown }
  return (Array.isArray(tags) ? (tags as unknown[]) : []).filter(isDetectedTag)
}

const isDetectedTag = (value: unknown): value is DetectedTag =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { id?: unknown }).id === 'string' &&
  isPose((value as { pose?: unknown }).pose)

/** The camera of the rectified pictures, by its status values. @throws INTERNAL if the device does not state them */
async function statedCamera(
  { device, pipeline, deadline }: TagDevice,
  signal: AbortSignal,
): Promise<PlanCamera> {
  const { values } = await device.onNode({ pipeline, node: cameraNode, signal }, (target) =>
    device.client.getNodeStatus(inPipeline(target), { signal, deadline }),
  )
  // Devices send an empty list in place of no values.
  const stated = Array.isArray(values) ? {} : values
  const [width = 0, height = 0, focal = 0] = ['width', 'height', 'focal'].map((name) => Number(stated[name]))
  if (!(width > 0 && height > 0 && focal > 0)) throw nodeError('BAD_REPLY', 'drive-no-camera')
  // The focal length is stated for a picture that is one wide.
  return { width, height, focalLength: focal * width }
}
