import type { Axis, Vector } from '../../lib/robotics'
import { type NumberName, numberOf } from '../shared/fields/checked-fields'
import { number } from '../shared/read-fields'
import { robotFormat, type RobotFormat } from '../shared/poses'
import { handEyeCalibrationNode, type HandEyeCalibrationFields } from './fields'

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
