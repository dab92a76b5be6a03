import { Type, type Static } from '../../lib/typebox'
import { product, type Pose } from '../../lib/robotics/pose'
import { ofRotationVector, radians } from '../../lib/robotics/quaternion'

const coordinate = Type.Number({ minimum: -20, maximum: 20 })
const part = Type.Number({ minimum: -1, maximum: 1 })
const strict = { additionalProperties: false }
/** The orientation is normalised, because its digits may be rounded. */
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
    /** @default april */
    kind: Type.Optional(Type.Union([Type.Literal('april'), Type.Literal('qr')])),
  },
  strict,
)

/**
 * The true cell in which the camera is calibrated to the robot. Metres and degrees; noise as the standard deviation of
 * one number. The hand is the frame whose pose the robot reports. The grid's frame is at its centre: x to its right, y
 * down, z into it.
 */
export const CellSettings = Type.Object(
  {
    /**
     * Position of the camera, whatever the parameter `robot_mounted` says: a wrong one does not calibrate. `as_set` follows
     * the parameter.
     */
    mounting: Type.Union([Type.Literal('as_set'), Type.Literal('robot'), Type.Literal('fixed')], {
      default: 'robot',
    }),
    /** With the camera on the robot: the camera in the hand's frame. */
    camera_on_hand: pose({
      default: {
        position: { x: 0.08, y: -0.03, z: 0.06 },
        orientation: product(turn(0, 0, 90), turn(2, -3, 0)),
      },
    }),
    /**
     * With the camera on the robot: the grid in the external frame. @default placed in front of the camera at the first
     * image
     */
    grid_in_cell: Type.Optional(pose()),
    /** With a fixed camera: the grid in the hand's frame. */
    grid_on_hand: pose({ default: { position: { x: 0, y: 0, z: 0.1 }, orientation: turn(180, 0, 0) } }),
    /**
     * With a fixed camera: the camera in the external frame. @default placed in front of the grid at the first image
     */
    camera_in_cell: Type.Optional(pose()),
    /** True size of the grid, whatever the parameters say. */
    grid_width: gridEdge(0.26),
    grid_height: gridEdge(0.18),
    /** AprilTags and QR codes in a row below the grid, from left to right. */
    tags: Type.Array(Tag, {
      default: [
        { id: '36h11_0', size: 0.04 },
        { id: '36h11_1', size: 0.04 },
        { id: '36h11_2', size: 0.04 },
      ],
      maxItems: 8,
    }),
    /** Horizontal field of view, degrees. @default the camera's own */
    opening: Type.Optional(Type.Number({ minimum: 10, maximum: 150 })),
    /** Range of distances at which the grid is recognised. */
    nearest: Type.Number({ default: 0.25, minimum: 0.05, maximum: 10 }),
    farthest: Type.Number({ default: 2, minimum: 0.1, maximum: 20 }),
    /** Largest angle between the line of sight and the normal of the grid, degrees, at which the grid is recognised. */
    steepest: Type.Number({ default: 60, minimum: 5, maximum: 85 }),
    /** Deviation of the robot from the pose that it reports. */
    robot_noise: noise(0.00002, 0.05),
    robot_noise_degrees: noise(0.003, 10),
    /**
     * Noise of the detected grid at 0.6 m, across the line of sight; twice as large along it; grows with the distance.
     */
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
