import type { Image } from '../../../lib/codec/images/codec'
import { imageSource, tagSource, type GridSource } from '../../../lib/calibration'
import { patternMistake, type GridMiss, type GridPattern, type SeenGrid } from '../../../lib/images/grid'
import type { DriveDisplay } from './driving'
import { short } from './plan-report'
import type { DriveWork } from './parts'
import { isTag } from './settings'
import { sentencesOf } from '../../sentences'

const { say } = sentencesOf('hand-eye-calibration/drive')

/** What sees the grid, or the tag beside it, and says what it saw. */
export interface Sightings extends GridSource {
  /** What the last look saw, in words. @param number of the pose */
  inWords: (number: number) => { text: string; details: string; reason?: string }
  /** Why the last look saw nothing, where moving the robot does not help: a setting, the board or the picture. */
  problem: () => string | undefined
}

/** The sightings of a plan: from our own pictures, or by the device's tag module. */
export function sightingsOf({
  settings,
  take,
  detect,
  driving,
}: Pick<DriveWork, 'settings' | 'take' | 'detect' | 'driving'>): Sightings {
  return isTag(settings.sightings)
    ? tagSightings(settings.tag, detect)
    : pictureSightings(settings, take, driving.display)
}

function pictureSightings(
  { pattern }: Pick<DriveWork['settings'], 'pattern'>,
  take: DriveWork['take'],
  display: DriveDisplay,
): Sightings {
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

function tagSightings(tag: string, detect: DriveWork['detect']): Sightings {
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
  const bent = seen?.distortion && say('drive-distorted', { pixels: short(seen.distortion.pixels) })
  return [say('drive-seen', { number }), ...(bent ? [bent] : [])].join(' ')
}

function unseenInWords(number: number, miss: GridMiss | undefined, pattern: GridPattern): string {
  const problem = miss ? problemOf(miss, pattern) : say('drive-unseen-unclear')
  if (problem !== undefined) return say('drive-at-pose', { number, problem })
  return miss?.reason === 'partly'
    ? say('drive-unseen-partly', { number, columns: miss.columns, rows: miss.rows })
    : say('drive-unseen-nothing', { number })
}

/** What is wrong if moving the robot does not help; undefined if it may. */
function problemOf(miss: GridMiss, pattern: GridPattern): string | undefined {
  switch (miss.reason) {
    case 'nothing':
      return undefined
    case 'unclear':
      return say('drive-unseen-unclear')
    case 'bent':
    case 'proportions':
      return say(`drive-unseen-${miss.reason}`, { pixels: short(miss.pixels) })
    case 'partly':
    case 'other': {
      const mistake = patternMistake(pattern, miss)
      // A part of the grid is no grid of another size.
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
