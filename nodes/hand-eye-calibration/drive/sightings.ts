import type { Image } from '../../../lib/codec/images/codec'
import { imageSource, tagSource, type GridSource } from '../../../lib/calibration'
import type { GridMiss } from '../../../lib/images/grid'
import type { DriveDisplay } from './display'
import type { DriveWork } from './parts'
import { isTag } from './settings'
import { sentencesOf } from '../../sentences'

const { say } = sentencesOf('hand-eye-calibration/drive')

/** What sees the grid, or the tag beside it, and says what it saw. */
export interface Sightings extends GridSource {
  /** What the last look saw, in words. @param number of the pose */
  inWords: (number: number) => { text: string; details: string; reason?: string }
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
  let picture: Image | undefined
  let isSeen = false
  const { look } = imageSource({
    pattern,
    take: async (signal) => (picture = await take(signal)),
    onLook: (seen) => {
      miss = seen.found ? undefined : seen
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
      details: isSeen ? say('drive-seen', { number }) : unseen(number, miss),
      ...(!isSeen && miss && { reason: miss.reason }),
    }),
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
  }
}

function unseen(number: number, miss: GridMiss | undefined): string {
  if (miss?.reason === 'partly' || miss?.reason === 'other')
    return say(`drive-unseen-${miss.reason}`, { number, columns: miss.columns, rows: miss.rows })
  return say(miss?.reason === 'nothing' ? 'drive-unseen-nothing' : 'drive-unseen-unclear', { number })
}
