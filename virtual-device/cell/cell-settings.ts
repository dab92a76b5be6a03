import { Type, type Static } from '@sinclair/typebox'
import { product, type Pose } from '../../lib/robotics/pose'
import { ofRotationVector, radians } from '../../lib/robotics/quaternion'

const coordinate = Type.Number({ minimum: -20, maximum: 20 })
const part = Type.Number({ minimum: -1, maximum: 1 })
const strict = { additionalProperties: false }
/** The orientation is made a unit quaternion, should its digits be rounded. */
const pose = (options: { default?: Pose } = {}) =>
  Type.Object(
    {
      position: Type.Object({ x: coordinate, y: coordinate, z: coordinate }, strict),
      orientation: Type.Object({ w: part, x: part, y: part, z: part }, strict),
    },
    { ...strict, ...options },
  )

const turn = (x: number, y: number, z: number) =>
  ofRotationVector({ x: radians(x), y: radians(y), z: radians(z) })
const gridEdge = (byDefault: number) => Type.Number({ default: byDefault, minimum: 0.02, maximum: 2 })
const noise = (byDefault: number, maximum: number) => Type.Number({ default: byDefault, minimum: 0, maximum })

const Tag = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 100 }),
    /** Edge length. */
    size: Type.Number({ minimum: 0.01, maximum: 0.5 }),
  },
  strict,
)

/**
 * The truth of the cell in which the camera is calibrated to the robot. Metres and degrees; noise as the standard
 * deviation of one number. The hand is what the robot reports the pose of. The grid's frame lies in its middle: x to its
 * right, y down, z into it.
 */
export const CellSettings = Type.Object(
  {
    /** Where the camera is: `as_set` believes the parameter `robot_mounted`. */
    mounting: Type.Union([Type.Literal('as_set'), Type.Literal('robot'), Type.Literal('fixed')], {
      default: 'as_set',
    }),
    /** Camera on the robot: the camera in the hand's frame. */
    camera_on_hand: pose({
      default: {
        position: { x: 0.08, y: -0.03, z: 0.06 },
        orientation: product(turn(0, 0, 90), turn(2, -3, 0)),
      },
    }),
    /** Camera on the robot: the grid in the external frame. @default laid in front of the camera at the first look */
    grid_in_cell: Type.Optional(pose()),
    /** Camera fixed: the grid in the hand's frame. */
    grid_on_hand: pose({ default: { position: { x: 0, y: 0, z: 0.1 }, orientation: turn(180, 0, 0) } }),
    /** Camera fixed: the camera in the external frame. @default put up in front of the grid at the first look */
    camera_in_cell: Type.Optional(pose()),
    /** Of the grid in truth, whatever the parameters say. */
    grid_width: gridEdge(0.26),
    grid_height: gridEdge(0.18),
    /** AprilTags in a row below the grid, from left to right. */
    tags: Type.Array(Tag, {
      default: [
        { id: '36h11_0', size: 0.04 },
        { id: '36h11_1', size: 0.04 },
        { id: '36h11_2', size: 0.04 },
      ],
      maxItems: 8,
    }),
    /** Horizontal field of view, degrees. @default what the camera says of itself */
    opening: Type.Optional(Type.Number({ minimum: 10, maximum: 150 })),
    /** The grid is recognised from here to there. */
    nearest: Type.Number({ default: 0.25, minimum: 0.05, maximum: 10 }),
    farthest: Type.Number({ default: 2, minimum: 0.1, maximum: 20 }),
    /** Between the line of sight and the normal of the grid, degrees; beyond it the grid is not recognised. */
    steepest: Type.Number({ default: 60, minimum: 5, maximum: 85 }),
    /** How far the robot is off the pose that it reports. */
    robot_noise: noise(0.00002, 0.05),
    robot_noise_degrees: noise(0.003, 10),
    /** Of the detected grid at 0.6 m, across the line of sight; twice as much along it; grows with the distance. */
    grid_noise: noise(0.00004, 0.05),
    grid_noise_degrees: noise(0.01, 10),
    /** Another program holds the lock of the calibration: `set_pose` answers 9. */
    locked: Type.Boolean({ default: false }),
    /** Calibrations can be neither written nor deleted: `save_calibration` answers 1, `remove_calibration` 2. */
    storage_fails: Type.Boolean({ default: false }),
  },
  strict,
)
export type CellSettings = Static<typeof CellSettings>
