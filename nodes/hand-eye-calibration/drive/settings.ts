import type { AnswerSettings } from '../../../lib/calibration'
import type { GridPattern } from '../../../lib/images/grid'
import type { MotionLimits } from '../../../lib/robot-motion'
import type { PlanCamera, PlannerSettings, PlanLimits } from '../../../lib/robotics'
import { type NumberName, numberOf } from '../../shared/fields/checked-fields'
import { boxOf } from '../../robot-motion/box-of'
import { handEyeCalibrationNode, type HandEyeCalibrationFields } from '../fields'
import type { Setup } from '../session'
import { sentencesOf } from '../../sentences'

const { invalidInput } = sentencesOf('hand-eye-calibration')

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
export function driveSettings(
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
export const planCamera = (picture: {
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
