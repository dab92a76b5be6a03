/** hand_eye_calibration: collects poses with pictures of the grid, and solves for the mounting of the camera. */
// From its files, because the whole of lib/robotics brings the planning of poses, which no device needs.
import { type HandEyeOptions, type HandEyeResult, solveHandEye } from '../../lib/robotics/hand-eye/solve'
import {
  composed,
  inverted,
  type Pose,
  type Quaternion,
  type Vector,
  identity,
  type Axis,
  isUnit,
  normalized,
} from '../../lib/robotics/pose'
import { distinctPoses, spreadOf } from '../../lib/robotics/spread'
import { Cell, cornersOf } from '../cell/cell'
import {
  believing,
  seenIn,
  type Sighting,
  cellPicture,
  cameraCalibration,
  type SeeingModule,
} from '../cell/sight'
import { imageSource, ServiceFailure } from '../detection/answering'
import type { View } from '../detection/geometry'
import {
  type Environment,
  type Json,
  type ServiceDefinition,
  type ParameterValue,
  bool,
  float64,
  int32,
  type ParameterDefinition,
  text,
} from '../module'
import { poseShape, complete, InvalidArgument, type PartialArguments } from '../arguments'
import { sceneSizes, sceneSource } from '../detection/scene'
import type { CarryingModule } from '../motion'

/** Hand-eye services answer with a status of their own instead of a return code. */
const outcomeShape = { success: 'bool', status: 'int32', message: 'string' } as const

const tagShape = { id: 'string', pose: poseShape, size: 'float64' } as const

const calibrationShape = {
  ...outcomeShape,
  pose: poseShape,
  /** Pixels; kept for old clients. */
  error: 'float64',
  robot_mounted: 'bool',
  translation_error_meter: 'float64',
  rotation_error_degree: 'float64',
  tags: [tagShape],
} as const

/** Every number of a pose is required. */
const wholePose = [
  ...['x', 'y', 'z'].map((axis) => `pose.position.${axis}`),
  ...['w', 'x', 'y', 'z'].map((part) => `pose.orientation.${part}`),
]

const outcome = (success: boolean, status: number, message: string) => ({ success, status, message })

/** An AprilTag beside the grid; metres. */
type HandEyeTag = { id: string; pose: Pose; size: number }

type Calibration = {
  /** In the robot's frame if it is mounted there, otherwise in the external frame. */
  pose: Pose
  robot_mounted: boolean
  /** Pixels. */
  error: number
  translation_error_meter: number
  rotation_error_degree: number
  tags: HandEyeTag[]
}

type Parameters = Readonly<Record<string, ParameterValue>>

type Solution = { calibration: Calibration } | { refusal: ReturnType<typeof outcome> }

/** Largest standard deviations of a usable result. Our choice. */
const useless = { metres: 0.05, degrees: 5 }

const axes: readonly Axis[] = ['x', 'y', 'z']

/** Smallest rotation about the axis, and smallest distance of positions, for calibrating a four-axis robot. */
const least = { turnDegrees: 2, metres: 0.02 }

/** Cosine of the largest angle between the configured axis and the one about which the hand turns: 15 degrees. */
const sameAxis = 0.966

/** From the observations, with the grid, the mounting and the axis of the parameters. */
function solution(recorded: readonly RecordedPose[], parameters: Parameters, view: View): Solution {
  const [width, height] = [Number(parameters.grid_width), Number(parameters.grid_height)]
  const axis = axes[Number(parameters.tcp_rotation_axis)]
  const hands = recorded.map(({ pose }) => pose)
  const refused = refusal(hands, { width, height, axis })
  if (refused) return { refusal: refused }

  const robotMounted = parameters.robot_mounted === true
  const options: HandEyeOptions = {
    robotMounted,
    ...(axis && { fourAxis: { axis, offset: Number(parameters.tcp_offset) } }),
  }
  const sightings = recorded.map(({ pose, seen }) => ({
    robot: pose,
    seen: believing(width, height, seen),
  }))
  const observations = sightings.map(({ robot, seen }) => ({ robot, grid: seen.grid }))
  const result = solveHandEye(observations, options)
  if (!result.solved) return { refusal: unsolved[result.reason] }
  if (result.translationError > useless.metres || result.rotationErrorDegrees > useless.degrees)
    return { refusal: outcome(false, 2, 'Result invalid: check poses, mounting and grid.') }
  return {
    calibration: {
      pose: result.camera,
      robot_mounted: robotMounted,
      error: pixelError(sightings, result, robotMounted, view),
      translation_error_meter: result.translationError,
      rotation_error_degree: result.rotationErrorDegrees,
      tags: tagsLocated(sightings, result.camera, robotMounted),
    },
  }
}

const tooAlike = outcome(false, 6, 'The poses are too similar: turn and move the robot more between them.')

const needsAxis = outcome(
  false,
  4,
  'Too little rotation: turn about a second axis, or give tcp_offset and tcp_rotation_axis of a 4-DOF robot.',
)

const tooFree = outcome(
  false,
  5,
  'The poses turn about more than one axis: set tcp_rotation_axis to -1 for this robot.',
)

const unsolved = {
  'too-few-poses': outcome(false, 1, 'Too few poses.'),
  'too-little-rotation': needsAxis,
  'more-than-one-axis': tooFree,
  undetermined: tooAlike,
}

function refusal(
  hands: readonly Pose[],
  { width, height, axis }: { width: number; height: number; axis: Axis | undefined },
) {
  if (width === 0 || height === 0)
    return outcome(false, 3, 'grid_width and grid_height must be greater than 0.')
  if (hands.length < enoughPoses)
    return outcome(false, 1, `Too few poses: ${hands.length} of at least ${enoughPoses} are recorded.`)
  if (distinctPoses(hands) < enoughPoses) return tooAlike
  const {
    axes: [first],
    independentAxes,
    translation,
  } = spreadOf(hands)
  if (!axis) return independentAxes === 0 ? tooAlike : independentAxes === 1 ? needsAxis : undefined
  if (independentAxes > 1) return tooFree
  if (first.degrees < least.turnDegrees || translation < least.metres) return tooAlike
  if (Math.abs(first.axis[axis]) < sameAxis)
    return outcome(false, 2, `Result invalid: the poses do not turn about the ${axis} axis of the robot.`)
  return undefined
}

/** Root mean square reprojection error of the corners, px. */
function pixelError(
  sightings: readonly { robot: Pose; seen: Sighting }[],
  { camera, grid }: HandEyeResult,
  robotMounted: boolean,
  { pixel }: View,
): number {
  const squares = sightings.flatMap(({ robot, seen }) => {
    const expected = robotMounted
      ? composed(inverted(composed(robot, camera)), grid)
      : composed(inverted(camera), composed(robot, grid))
    const size = { grid_width: seen.width, grid_height: seen.height }
    const inPicture = (pose: Pose) => cornersOf(pose, size).map((corner: Vector) => pixel(corner))
    const predicted = inPicture(expected)
    return inPicture(seen.grid).map(
      ({ x, y }, corner) => (x - (predicted[corner]?.x ?? x)) ** 2 + (y - (predicted[corner]?.y ?? y)) ** 2,
    )
  })
  return Math.sqrt(squares.reduce((sum, each) => sum + each, 0) / squares.length)
}

interface RecordedPose {
  slot: number
  /** The hand in the external frame, as reported by the robot. */
  pose: Pose
  overexposed: boolean
  seen: Sighting
}

const slots = 16

const enoughPoses = 4 // minimum for a calibration

/** Mean brightness of an image, 0 to 1, above which parts of the grid are overexposed. */
const burntOut = 0.95

function handEyePoses(environment: Environment, cell: Cell) {
  const { random, module, changed } = environment
  const images = environment.ofPipeline(imageSource)
  const recorded = new Map<number, RecordedPose>()
  const inOrder = () => [...recorded.values()].sort((one, other) => one.slot - other.slot)
  const last: { pose?: Pose; message?: string; detected?: boolean } = {}

  /** The detection there. @throws ServiceFailure with the status of `set_pose` if there is nothing to record */
  const observed = (pose: Pose, asSet: boolean, tagIds: readonly string[]): Sighting => {
    if (cell.settings.locked)
      throw new ServiceFailure(9, 'Another program holds the lock of the calibration.')
    takeImage(images)
    cell.setUp(pose, asSet, recorded.size === 0)
    const seen = seenIn(cell.snapshot(pose, asSet), tagIds, random)
    if (typeof seen === 'string') throw new ServiceFailure(4, seen)
    return seen
  }
  const record = (slot: number, pose: Pose, parameters: Readonly<Record<string, ParameterValue>>) => {
    const tagIds = listed(String(parameters.tag_ids))
    const seen = observed(pose, parameters.robot_mounted === true, tagIds)
    const overexposed = Number(module('camera')?.values?.().brightness ?? 0) > burntOut
    recorded.set(slot, { slot, pose, overexposed, seen })
    changed()
    const stored = 'Grid detected, pose stored.'
    const answer =
      recorded.size < enoughPoses
        ? outcome(true, 1, stored)
        : outcome(true, 3, `${stored} Ready to calibrate.`)
    return { ...answer, overexposed }
  }

  const services: Record<string, ServiceDefinition> = {
    set_pose: {
      description: 'Records a pose of the robot and the image of the grid from there in a slot.',
      // The specification says int32; a negative slot is answered with a status, not refused.
      args: { pose: poseShape, slot: 'int32' },
      required: ['slot', ...wholePose],
      response: { ...outcomeShape, overexposed: 'bool' },
      call: ({ args, parameters }) => {
        const { slot, pose } = args as { slot: number; pose: Pose }
        const refused = (status: number, message: string) => ({
          ...outcome(false, status, message),
          overexposed: false,
        })
        if (slot < 0 || slot >= slots) return refused(13, `slot must be from 0 to ${slots - 1}, not ${slot}`)
        if (!isUnit(pose.orientation)) return refused(12, 'pose.orientation must be a unit quaternion')
        last.pose = pose
        try {
          const answer = record(slot, pose, parameters)
          Object.assign(last, { message: answer.message, detected: true })
          return answer
        } catch (error) {
          if (!(error instanceof ServiceFailure)) throw error
          Object.assign(last, { message: error.message, detected: false })
          return refused(error.returnCode, error.message)
        }
      },
    },
    get_poses: {
      description: 'Lists the recorded poses.',
      args: {},
      response: {
        ...outcomeShape,
        poses: [{ overexposed: 'bool', pose: poseShape, slot: 'uint32', tag_ids: ['string'] }],
      },
      call: () => ({
        ...(recorded.size > 0
          ? outcome(true, 0, `${recorded.size} poses recorded.`)
          : outcome(true, 1, 'No pose recorded.')),
        poses: inOrder().map(({ seen, ...each }) => ({ ...each, tag_ids: seen.tags.map(({ id }) => id) })),
      }),
    },
    delete_poses: {
      description: 'Deletes the recorded poses in the slots that are named.',
      args: { slots: ['uint32'] },
      response: outcomeShape,
      call: ({ args }) => {
        const named = (args.slots ?? []) as number[]
        if (named.length === 0) return outcome(true, 1, 'No slots given.')
        for (const slot of named) recorded.delete(slot)
        changed()
        return outcome(true, 0, 'Poses deleted.')
      },
    },
  }

  return {
    services,
    list: inOrder,
    clear: () => recorded.clear(),
    /** Last reported pose and its outcome. */
    last: (): Readonly<typeof last> => last,
    save: (): Json => inOrder() as unknown as Json,
    restore: (saved: Json | undefined) => {
      recorded.clear()
      for (const each of (saved ?? []) as unknown as RecordedPose[]) recorded.set(each.slot, each)
    },
  }
}

const listed = (ids: string) =>
  ids
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean)

/** @throws ServiceFailure 8 if the camera provides none */
function takeImage(images: ReturnType<typeof imageSource>): void {
  try {
    images.acquire(false)
  } catch (error) {
    if (!(error instanceof ServiceFailure)) throw error
    throw new ServiceFailure(8, `No image available: ${error.message}.`)
  }
}

/** Tags detected beside the grid: in the external frame, or in the hand's if the camera is fixed. */
function tagsLocated(
  sightings: readonly { robot: Pose; seen: Sighting }[],
  camera: Pose,
  robotMounted: boolean,
): HandEyeTag[] {
  const found = sightings.flatMap(({ robot, seen }) => {
    const view = robotMounted ? composed(robot, camera) : composed(inverted(robot), camera)
    return seen.tags.map(({ id, size, pose }) => ({ id, size, pose: composed(view, pose) }))
  })
  const ids = [...new Set(found.map(({ id }) => id))].sort()
  return ids.map((id) => {
    const same = found.filter((each) => each.id === id)
    return { id, size: mean(same.map(({ size }) => size)), pose: meanPose(same.map(({ pose }) => pose)) }
  })
}

const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length

/** Of poses that differ only by noise. */
function meanPose(poses: readonly Pose[]): Pose {
  const [first] = poses
  const part = (name: keyof Vector) => mean(poses.map(({ position }) => position[name]))
  // Both signs of a quaternion are the same rotation.
  const alike = poses.map(({ orientation: each }) => {
    const { w, x, y, z } = first?.orientation ?? each
    const sign = w * each.w + x * each.x + y * each.y + z * each.z < 0 ? -1 : 1
    return { w: sign * each.w, x: sign * each.x, y: sign * each.y, z: sign * each.z }
  })
  const turn = (name: keyof Quaternion) => mean(alike.map((each) => each[name]))
  return {
    position: { x: part('x'), y: part('y'), z: part('z') },
    orientation: normalized({ w: turn('w'), x: turn('x'), y: turn('y'), z: turn('z') }),
  }
}

/** Calibrates the camera mounted on the robot or beside it. */
export function handEyeCalibration(environment: Environment): SeeingModule & CarryingModule {
  const { parameter, changed } = environment
  const cell = new Cell(environment)
  const poses = handEyePoses(environment, cell)
  /** The last result; visible to other modules and `get_calibration` only when it is saved. */
  let result: Calibration | undefined
  let saved: Calibration | undefined
  const asSet = () => parameter('hand_eye_calibration', 'robot_mounted') === true
  environment.ofPipeline(cameraCalibration).onRenewed(() => {
    result = saved = undefined
    poses.clear()
    changed()
  })

  const save: ServiceDefinition = {
    description: 'Stores the result and deletes the recorded poses.',
    args: {},
    response: outcomeShape,
    call: () => {
      if (!result) return outcome(false, 2, 'No calibration result to save.')
      if (cell.settings.storage_fails) return outcome(false, 1, 'The calibration could not be written.')
      saved = result
      poses.clear()
      changed()
      return outcome(true, 0, 'Calibration saved.')
    },
  }
  const reset: ServiceDefinition = {
    description: 'Deletes the recorded poses and returns to the saved calibration.',
    args: {},
    response: outcomeShape,
    call: () => {
      result = saved
      poses.clear()
      changed()
      return outcome(true, 3, 'Recorded poses deleted.')
    },
  }

  const remove: ServiceDefinition = {
    description: 'Deletes the saved calibration and the recorded poses.',
    args: {},
    response: outcomeShape,
    call: () => {
      if (cell.settings.storage_fails) return outcome(false, 2, 'The calibration could not be deleted.')
      const stored = saved !== undefined
      result = saved = undefined
      poses.clear()
      changed()
      return stored ? outcome(true, 0, 'Calibration removed.') : outcome(true, 1, 'No calibration was saved.')
    },
  }

  return {
    name: 'hand_eye_calibration',
    scope: 'pipeline',
    license: 'hand_eye_calibration',
    parameters: handEyeParameters,
    services: {
      ...poses.services,
      calibrate: {
        description: 'Computes the transformation from the recorded poses.',
        args: {},
        response: calibrationShape,
        call: ({ parameters }) => {
          // An earlier result must not be stored by a later save.
          result = undefined
          const found = solution(poses.list(), parameters, cell.view)
          if ('refusal' in found)
            return { ...found.refusal, ...noCalibration(parameters.robot_mounted === true) }
          result = found.calibration
          return { ...outcome(true, 0, 'Calibration computed; it counts once it is saved.'), ...result }
        },
      },
      get_calibration: {
        description: 'Returns the saved calibration.',
        args: {},
        response: calibrationShape,
        call: ({ parameters }) =>
          saved
            ? { ...outcome(true, 0, 'Calibration returned.'), ...saved }
            : {
                ...outcome(false, 2, 'No calibration is saved.'),
                ...noCalibration(parameters.robot_mounted === true),
              },
      },
      set_calibration: {
        description: 'Sets and saves a known transformation.',
        args: { pose: poseShape, robot_mounted: 'bool', tags: [tagShape] },
        required: ['robot_mounted', ...wholePose],
        response: outcomeShape,
        call: ({ args }) => {
          try {
            result = saved = givenCalibration(args)
          } catch (error) {
            if (error instanceof InvalidArgument) return outcome(false, 12, error.message)
            throw error
          }
          changed()
          return outcome(true, 0, 'Calibration set and saved.')
        },
      },
      remove_calibration: remove,
      // Two public clients use this name.
      delete_calibration: remove,
      save_calibration: save,
      reset_calibration: reset,
      // The specification has only the short names of these two.
      save,
      reset,
    },
    truth: () => ({
      ...cell.truth(asSet()),
      grid_tags: cell.settings.tags,
      scene: sceneSizes(environment.ofPipeline(sceneSource)()),
    }),
    carriedCamera: () => cell.carriedCamera(asSet()),
    sight: () => {
      const { pose, detected } = poses.last()
      const scene = environment.ofPipeline(sceneSource)
      return {
        scene,
        grid: () => cell.snapshot(pose, asSet()),
        calibrating: environment.hand?.() !== undefined || poses.list().length > 0 || detected === false,
        noise: scene().settings.noise,
      }
    },
    picture: () => {
      const { pose, ...outcome } = poses.last()
      return cellPicture(cell.snapshot(pose, asSet(), { exactly: true }), outcome)
    },
    save: () => ({ poses: poses.save(), cell: cell.save(), ...(saved && { calibration: saved }) }),
    restore: (kept) => {
      const { poses: recorded, cell: placed, calibration } = kept as Record<string, Json | undefined>
      poses.restore(recorded)
      cell.restore(placed)
      result = saved = calibration as Calibration | undefined
    },
  }
}

const gridSize = [0, 10] as const

const handEyeParameters: readonly ParameterDefinition[] = [
  float64('grid_width', 0, gridSize, 'Width of the calibration grid', { unit: 'm' }),
  float64('grid_height', 0, gridSize, 'Height of the calibration grid', { unit: 'm' }),
  bool('robot_mounted', true, 'True: the camera is on the robot; false: it is fixed'),
  text('tag_ids', '', 'Ids of AprilTags to be located along, separated by commas'),
  float64('tcp_offset', 0, [-10, 10], 'For 4-DOF robots: signed offset along the rotation axis', {
    unit: 'm',
  }),
  int32('tcp_rotation_axis', -1, [-1, 2], 'For 4-DOF robots: 0 is x, 1 is y, 2 is z; -1 for all others'),
]

/** All fields, for answers without a calibration. */
const noCalibration = (robot_mounted: boolean): Calibration => ({
  pose: identity(),
  robot_mounted,
  error: 0,
  translation_error_meter: 0,
  rotation_error_degree: 0,
  tags: [],
})

/** Of `set_calibration`. @throws InvalidArgument for an invalid orientation */
const givenCalibration = ({ pose, robot_mounted, tags }: Record<string, unknown>): Calibration => ({
  ...noCalibration(robot_mounted === true),
  pose: complete(pose as Pose, 'pose'),
  tags: ((tags ?? []) as PartialArguments<HandEyeTag>[]).map(({ id = '', size = 0, pose }, index) => ({
    id,
    size,
    pose: complete(pose, `tags[${index}].pose`),
  })),
})
