import { moverOf, RobotError } from '../../../lib/robot-motion'
import type { Mover } from '../../../lib/calibration'
import { stepsTo, type Pose } from '../../../lib/robotics'
import { shapedPose, shortPose } from '../../shared/poses'
import { outputs } from '../report'
import type { DriveWork } from './parts'
import { sentencesOf } from '../../sentences'

const { say } = sentencesOf('hand-eye-calibration/drive')

/** What moves the robot, and where it stood when it was last asked. */
export interface DriveMover extends Mover {
  at: () => Pose | undefined
}

/** @param start where the robot of a flow says that it is */
export function driveMover(work: DriveWork, numberOf: () => number, start: Pose | undefined): DriveMover {
  const { inbound, deployed, driving, step } = work
  const { setup } = step
  const inner = deployed ? moverOf(deployed.robot) : byFlow(work, numberOf, start)
  let at: Pose | undefined
  return {
    at: () => at,
    standing: async (signal) => {
      const standing = await inner.standing(signal)
      at = standing.pose
      driving.display.at = shortPose(setup.robot, at)
      return standing
    },
    moveAlong: async (poses, signal) => {
      inbound.progress(deployed ? 'robotMoving' : 'waitsForRobot', numberOf())
      await inner.moveAlong(poses, signal)
    },
  }
}

/**
 * Longest way to the first target of a robot that the flow moves: there a person sees whether the robot program takes the
 * numbers as they are meant, before the robot goes far.
 */
const firstStep = { metres: 0.1, degrees: 15 }

/** The flow gets each pose and answers `arrived`. */
function byFlow(
  { inbound, step: { setup }, driving, settings }: DriveWork,
  numberOf: () => number,
  start: Pose | undefined,
): Mover {
  let at = start
  let hasArrived = false
  return {
    standing: () =>
      at ? Promise.resolve({ pose: at, atRest: true }) : Promise.reject(new Error('no start pose')),
    moveAlong: async (poses, signal) => {
      const [first, ...others] = poses
      const all = !hasArrived && at && first ? [...stepsTo(at, first, firstStep), ...others] : poses
      for (const [index, pose] of all.entries()) {
        const target = shapedPose(setup.robot, pose, 'object')
        const place = { number: numberOf(), step: index + 1, steps: all.length }
        const text = say('drive-go', place)
        const { command, pose: property } = inbound.answerBy
        const go = () =>
          inbound.tell(
            outputs.move,
            {
              [property]: target,
              ...(command !== undefined && { [command]: 'arrived' }),
              move: { ...place, text, poseText: String(shapedPose(setup.robot, pose, 'text')) },
            },
            { text, value: place.number },
          )
        at = (await driving.arrival.after(go, settings.arriveWithin, signal)) ?? pose
        hasArrived = true
      }
    },
  }
}

/** Notes the pose that a motion failed on, so that the plan leaves it out. */
export const notingFailures = (mover: Mover, note: () => Promise<void>): Mover => ({
  ...mover,
  moveAlong: async (poses, signal) => {
    try {
      await mover.moveAlong(poses, signal)
    } catch (error) {
      if (isOfPose(error)) await note()
      throw error
    }
  },
})

/** After these the robot does not try the same pose again. */
const avoided: ReadonlySet<string> = new Set(['PROTECTIVE_STOP', 'REFUSED', 'NOT_THERE', 'LIMIT'])

/** Whether a failure is that of a pose, which the plan must then leave out. */
const isOfPose = (error: unknown): boolean => error instanceof RobotError && avoided.has(error.code)
