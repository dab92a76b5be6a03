/** Observing the grid: our own pictures, a tag, or the device's answers. */
import { threeDigits } from '../../shared/poses'
import {
  attemptsToKeep,
  differenceOf,
  type GridSource,
  imageSource,
  tagSource,
} from '../../../lib/calibration'
import type { Image } from '../../../lib/codec/images/codec'
import { type GridMiss, type GridPattern, patternMistake, type SeenGrid } from '../../../lib/images/grid'
import { type Attempt, identity, type Pose, type Purpose } from '../../../lib/robotics'
import { sentencesOf } from '../../sentences'
import { NodeAnswer, type Outcome } from '../../shared/outcome'
import { type SetPoseAnswer, slotCount } from '../device'
import { outputs, summaryOf } from '../report'
import type { CalibrationStep } from '../session'
import type { Inbound } from '../steps'
import type { DriveDisplay } from './driving'
import { type DriveParts, type DriveWork, isTag } from './settings'

const { say } = sentencesOf('hand-eye-calibration/drive')

interface Observer extends GridSource {
  /** The last observation. @param number of the pose */
  inWords: (number: number) => { text: string; details: string; reason?: string }
  /** Why nothing was seen, if moving the robot does not help: a setting, the board or the picture. */
  problem: () => string | undefined
}

export function observerOf({
  settings,
  take,
  detect,
  driving,
}: Pick<DriveWork, 'settings' | 'take' | 'detect' | 'driving'>): Observer {
  return isTag(settings.sightings)
    ? tagObserver(settings.tag, detect)
    : pictureObserver(settings, take, driving.display)
}

function pictureObserver(
  { pattern }: Pick<DriveWork['settings'], 'pattern'>,
  take: DriveWork['take'],
  display: DriveDisplay,
): Observer {
  let miss: GridMiss | undefined
  let seenGrid: SeenGrid | undefined
  let picture: Image | undefined
  let isSeen = false
  const { look } = imageSource({
    pattern,
    take: async (signal) => (picture = await take(signal)),
    onLook: (seen) => {
      miss = seen.found ? undefined : seen
      seenGrid = seen.found ? seen : undefined
      if (picture) display.sees({ picture, grid: seen.found ? seen.pose : undefined })
    },
  })
  return {
    look: async (signal, expected) => {
      const grid = await look(signal, expected)
      isSeen = grid !== undefined
      return grid
    },
    inWords: (number) => ({
      text: say(isSeen ? 'line-drive-seen' : 'line-drive-unseen', { number }),
      details: isSeen ? seenInWords(number, seenGrid) : unseenInWords(number, miss, pattern),
      ...(!isSeen && miss && { reason: miss.reason }),
    }),
    problem: () => (isSeen ? undefined : problemOf(miss ?? { found: false, reason: 'unclear' }, pattern)),
  }
}

function tagObserver(tag: string, detect: DriveWork['detect']): Observer {
  let isSeen = false
  const { look } = tagSource({ detect, id: tag })
  return {
    look: async (signal) => {
      const grid = await look(signal)
      isSeen = grid !== undefined
      return grid
    },
    inWords: (number) => ({
      text: say(isSeen ? 'line-drive-seen-tag' : 'line-drive-unseen-tag', { number }),
      details: say(isSeen ? 'drive-seen-tag' : 'drive-unseen-tag', { number, tag }),
    }),
    problem: () => undefined,
  }
}

function seenInWords(number: number, seen: SeenGrid | undefined): string {
  const bent = seen?.distortion && say('drive-distorted', { pixels: threeDigits(seen.distortion.pixels) })
  return [say('drive-seen', { number }), ...(bent ? [bent] : [])].join(' ')
}

function unseenInWords(number: number, miss: GridMiss | undefined, pattern: GridPattern): string {
  const problem = miss ? problemOf(miss, pattern) : say('drive-unseen-unclear')
  if (problem !== undefined) return say('drive-at-pose', { number, problem })
  return miss?.reason === 'partly'
    ? say('drive-unseen-partly', { number, columns: miss.columns, rows: miss.rows })
    : say('drive-unseen-nothing', { number })
}

/** Undefined if moving the robot may help. */
function problemOf(miss: GridMiss, pattern: GridPattern): string | undefined {
  switch (miss.reason) {
    case 'nothing':
      return undefined
    case 'unclear':
      return say('drive-unseen-unclear')
    case 'bent':
    case 'proportions':
      return say(`drive-unseen-${miss.reason}`, { pixels: threeDigits(miss.pixels) })
    case 'partly':
    case 'other': {
      const mistake = patternMistake(pattern, miss)
      // Part of the grid is not a grid of another size.
      if (miss.reason === 'partly' && mistake.kind === 'size') return undefined
      const { columns, rows } = miss
      const values = { columns, rows, wantedColumns: pattern.columns, wantedRows: pattern.rows }
      const correct =
        mistake.kind === 'rows'
          ? say('drive-grid-rows', { rows: mistake.rows })
          : say(`drive-grid-${mistake.kind}`)
      return [say('drive-unseen-other', values), correct].join(' ')
    }
  }
}

interface ObservationContext {
  attempts: readonly Attempt[]
  purpose: Purpose
  robot: Pose
}

/** Observes the grid after the device has recorded its own view of it. */
export function driveSource(
  work: DriveWork,
  place: () => ObservationContext,
): GridSource & Pick<Observer, 'problem'> {
  const { inbound, step, send, settings } = work
  const observer = observerOf(work)
  return {
    problem: () => observer.problem(),
    look: async (signal, expected) => {
      const { attempts, purpose, robot } = place()
      const number = attempts.length + 1
      inbound.progress('looking', number)
      await step.settle()
      signal.throwIfAborted()
      const answer = await recordOnDevice(step, attempts, { purpose, robot })
      const grid = await observer.look(signal, expected)
      const seenHere = grid !== undefined
      // With a tag, the device receives the result.
      const isUnseenByDevice = seenHere && answer?.success === false && !isTag(settings.sightings)
      send(() => {
        const { details, ...words } = observer.inWords(number)
        const all = [details, ...(isUnseenByDevice ? [say('drive-device-unseen')] : [])].join(' ')
        return { event: 'looked', ok: seenHere, ...words, details: all, number, seenHere }
      })
      return grid
    },
  }
}

const { invalidInput } = sentencesOf('hand-eye-calibration')

/** Describes what the camera sees; nothing moves or is recorded. @throws INVALID_INPUT without sightings */
export async function observeNow(
  { progress }: Pick<Inbound, 'progress'>,
  parts: DriveParts,
): Promise<Outcome> {
  const { driving, settings, closing } = parts
  if (driving.isBusy) throw invalidInput('drive-under-way')
  if (settings.sightings === 'answers') throw invalidInput('drive-look-by-answers')
  progress('looking')
  const observer = observerOf(parts)
  const isSeen = (await observer.look(closing)) !== undefined
  const thing = isTag(settings.sightings) ? 'tag' : 'grid'
  const inWords = () => ({
    ...{ event: 'seen-now', ok: isSeen, seenHere: isSeen },
    text: say(isSeen ? `line-drive-sees-${thing}` : `line-drive-sees-no-${thing}`),
    details:
      observer.problem() ??
      say(isSeen ? `drive-sees-${thing}` : `drive-sees-no-${thing}`, { tag: settings.tag }),
  })
  driving.display.observed(inWords)
  const payload = inWords()
  return new NodeAnswer({ payload }, summaryOf(payload), outputs.progress)
}

/** Of the values that devices store; metres and degrees. */
const rounding = { metres: 1e-4, degrees: 0.01 }

export function slotOf(poses: ReadonlyMap<number, Pose>, pose: Pose): number | undefined {
  const found = [...poses].find(([, each]) => {
    const off = differenceOf(each, pose)
    return off.metres < rounding.metres && off.degrees < rounding.degrees
  })
  return found?.[0]
}

/** If no slot is free, a first move gives up its own. */
async function recordOnDevice(
  { session, device }: Pick<CalibrationStep, 'session' | 'device'>,
  attempts: readonly Attempt[],
  { purpose, robot }: { purpose: Purpose; robot: Pose },
): Promise<SetPoseAnswer | undefined> {
  const slot =
    slotOf(session.poses, robot) ?? session.slotFor(robot) ?? given(session.poses, attempts, purpose)
  return slot === undefined ? undefined : session.record(device, slot, robot)
}

/** The slot to reuse for a new pose; undefined if the new pose is the least informative. */
function given(
  poses: ReadonlyMap<number, Pose>,
  attempts: readonly Attempt[],
  purpose: Purpose,
): number | undefined {
  const all: Attempt[] = [...attempts, { purpose, robot: identity(), grid: identity() }]
  const best = attemptsToKeep(all, slotCount)
  if (!best.includes(attempts.length)) return undefined
  const keeps = new Set(best.map((index) => attempts[index]).map((each) => each && slotOf(poses, each.robot)))
  return [...poses.keys()].find((slot) => !keeps.has(slot))
}

/** Poses that the device has lost, as in a restart. Empty while it has most of them. */
export function lostOnDevice(poses: ReadonlyMap<number, Pose>, attempts: readonly Attempt[]): Pose[] {
  const best = attemptsToKeep(attempts, slotCount).flatMap((index) => attempts[index]?.robot ?? [])
  const lost = best.filter((pose) => slotOf(poses, pose) === undefined)
  return lost.length > best.length / 2 ? lost : []
}
