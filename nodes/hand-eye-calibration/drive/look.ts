import type { GridSource } from '../../../lib/calibration'
import type { Attempt, Pose, Purpose } from '../../../lib/robotics'
import type { DriveWork } from './parts'
import { isTag } from './settings'
import { sightingsOf, type Sightings } from './sightings'
import { recordOnDevice } from './slots'
import { sentencesOf } from '../../sentences'

const { say } = sentencesOf('hand-eye-calibration/drive')

/** Where the robot stands, and why. */
export interface LookPlace {
  attempts: readonly Attempt[]
  purpose: Purpose
  robot: Pose
}

/** Looks at the grid, after the device has recorded its own view of it. */
export function driveSource(
  work: DriveWork,
  place: () => LookPlace,
): GridSource & Pick<Sightings, 'problem'> {
  const { inbound, step, tell, settings } = work
  const sightings = sightingsOf(work)
  return {
    problem: () => sightings.problem(),
    look: async (signal, expected) => {
      const { attempts, purpose, robot } = place()
      const number = attempts.length + 1
      inbound.progress('looking', number)
      await step.settle()
      signal.throwIfAborted()
      const answer = await recordOnDevice(step, attempts, { purpose, robot })
      const grid = await sightings.look(signal, expected)
      const seenHere = grid !== undefined
      // By a tag, the device is given the result.
      const isUnseenByDevice = seenHere && answer?.success === false && !isTag(settings.sightings)
      tell(() => {
        const { details, ...words } = sightings.inWords(number)
        const all = [details, ...(isUnseenByDevice ? [say('drive-device-unseen')] : [])].join(' ')
        return { event: 'looked', ok: seenHere, ...words, details: all, number, seenHere }
      })
      return grid
    },
  }
}
