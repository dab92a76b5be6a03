import { imageSource, type GridSource } from '../../../lib/calibration'
import type { GridMiss } from '../../../lib/images/grid'
import type { Attempt, Pose, Purpose } from '../../../lib/robotics'
import { say } from './sentences'
import type { DriveWork } from './parts'
import { recordOnDevice } from './slots'

/** Where the robot stands, and why. */
export interface LookPlace {
  attempts: readonly Attempt[]
  purpose: Purpose
  robot: Pose
}

/** Looks at the grid in a picture, after the device has recorded its own view of it. */
export function driveSource(work: DriveWork, place: () => LookPlace): GridSource {
  const { inbound, step, settings, take, tell } = work
  let miss: GridMiss | undefined
  const source = imageSource({
    take,
    pattern: settings.pattern,
    onLook: (seen) => (miss = seen.found ? undefined : seen),
  })
  return {
    look: async (signal, expected) => {
      const { attempts, purpose, robot } = place()
      const number = attempts.length + 1
      inbound.progress('looking', number)
      await step.settle()
      signal.throwIfAborted()
      const answer = await recordOnDevice(step, attempts, { purpose, robot })
      const grid = await source.look(signal, expected)
      const seen = grid !== undefined
      const lost = miss
      const words = () => (seen ? say('drive-seen', { number }) : unseen(number, lost))
      const more = () => (answer && !answer.success && seen ? [say('drive-device-unseen')] : [])
      tell(() => ({
        event: 'looked',
        ok: seen,
        text: say(seen ? 'line-drive-seen' : 'line-drive-unseen', { number }),
        details: [words(), ...more()].join(' '),
        number,
        seenHere: seen,
        ...(!seen && lost && { reason: lost.reason }),
      }))
      return grid
    },
  }
}

function unseen(number: number, miss: GridMiss | undefined): string {
  if (miss?.reason === 'partly' || miss?.reason === 'other')
    return say(`drive-unseen-${miss.reason}`, { number, columns: miss.columns, rows: miss.rows })
  return say(miss?.reason === 'nothing' ? 'drive-unseen-nothing' : 'drive-unseen-unclear', { number })
}
