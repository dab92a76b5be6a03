import type { Axis, Vector } from '../../lib/robotics'
import { number } from '../shared/number'
import { robotFormat, type RobotFormat } from '../shared/poses/robot-format'
import type { HandEyeCalibrationFields } from './fields'

/** What the dialog says about the cell and the procedure. Metres and degrees. */
export interface Setup {
  robot: RobotFormat
  robotMounted: boolean
  /** The only one about which the flange turns; undefined for a robot of six axes. */
  axis: Axis | undefined
  /** The parameters of the device that describe grid and mounting. */
  parameters: Readonly<Record<string, number | boolean>>
  /** Middle of the grid in the flange's frame at the first pose, roughly: advised poses turn about it. Metres. */
  grid: Vector
  /** Seconds. */
  settling: number
  listWaits: boolean
  limits: { millimetres: number; degrees: number }
  limitCheck: number
  asksToSave: boolean
  /** Milliseconds. */
  deadline: number
}

/** A camera on the robot usually looks at the grid from so many times its longer edge, which leaves room to turn. */
const usualSight = 3.5
/** A grid on the robot usually sits so far ahead of the flange, metres. */
const usualMount = 0.1

/** @throws INVALID_INPUT naming the setting that makes no sense */
export function setupOf(fields: HandEyeCalibrationFields): Setup {
  const robotMounted = fields.mounting === 'robot'
  const axis = fields.axes === 'four' ? fields.axis : undefined
  const perUnit = fields.gridUnit === 'mm' ? 0.001 : 1
  const edge = (field: 'gridWidth' | 'gridHeight') =>
    tidy(number(field, fields[field], 0.01 / perUnit, 10 / perUnit) * perUnit)
  const [width, height] = [edge('gridWidth'), edge('gridHeight')]
  const usual = robotMounted ? usualSight * Math.max(width, height) : usualMount
  const ahead =
    fields.gridDistance === '' ? usual : number('gridDistance', fields.gridDistance, -10_000, 10_000) / 1000
  return {
    robot: robotFormat('format', fields.format, fields.unit),
    robotMounted,
    axis,
    parameters: {
      grid_width: width,
      grid_height: height,
      robot_mounted: robotMounted,
      tcp_rotation_axis: axis ? ['x', 'y', 'z'].indexOf(axis) : -1,
      tcp_offset: axis ? tidy(number('offset', fields.offset, -10_000, 10_000) / 1000) : 0,
    },
    grid: { x: 0, y: 0, z: ahead },
    settling: number('settling', fields.settling, 0, 60),
    listWaits: fields.list === 'robot',
    limits: {
      millimetres: number('limitMillimetres', fields.limitMillimetres, 0, 1000),
      degrees: number('limitDegrees', fields.limitDegrees, 0, 180),
    },
    limitCheck: number('limitCheck', fields.limitCheck, 0, 1000),
    asksToSave: fields.save === 'ask',
    deadline: 1000 * number('deadline', fields.deadline, 0.1, 3600),
  }
}

/** 260 mm are 0.26 m and not 0.26000000000000001. */
const tidy = (metres: number) => Number(metres.toPrecision(12))
