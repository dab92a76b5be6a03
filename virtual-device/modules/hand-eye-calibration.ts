import { identity, type Pose } from '../../lib/robotics/pose'
import { Cell } from '../cell/cell'
import { cellPicture } from '../cell/picture'
import { cameraCalibration, type SeeingModule } from '../cell/sight'
import { sceneSizes, sceneSource } from '../detection/scene'
import type { Environment, Json, ServiceDefinition } from '../module'
import type { CarryingModule } from '../motion'
import { bool, float64, int32, type ParameterDefinition, text } from '../parameter'
import { complete, InvalidArgument, type PartialArguments, poseShape } from '../services/arguments'
import {
  handEyePoses,
  type Calibration,
  calibrationShape,
  type HandEyeTag,
  outcome,
  outcomeShape,
  tagShape,
  wholePose,
  solution,
} from './hand-eye-solution'

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
        grid: () => cell.look(pose, asSet()),
        calibrating: environment.hand?.() !== undefined || poses.list().length > 0 || detected === false,
        noise: scene().settings.noise,
      }
    },
    picture: () => {
      const { pose, ...outcome } = poses.last()
      return cellPicture(cell.look(pose, asSet(), { exactly: true }), outcome)
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

/** All fields of a calibration, for answers without one. */
const noCalibration = (robot_mounted: boolean): Calibration => ({
  pose: identity(),
  robot_mounted,
  error: 0,
  translation_error_meter: 0,
  rotation_error_degree: 0,
  tags: [],
})

/** The calibration given to `set_calibration`. @throws InvalidArgument for an invalid orientation */
const givenCalibration = ({ pose, robot_mounted, tags }: Record<string, unknown>): Calibration => ({
  ...noCalibration(robot_mounted === true),
  pose: complete(pose as Pose, 'pose'),
  tags: ((tags ?? []) as PartialArguments<HandEyeTag>[]).map(({ id = '', size = 0, pose }, index) => ({
    id,
    size,
    pose: complete(pose, `tags[${index}].pose`),
  })),
})
