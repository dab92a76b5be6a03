import { VisionError } from '../client/vision-error'
import {
  decodeImageEvent,
  decodeImageSet,
  encodeImageSetRequest,
  imageEventsRequest,
  type WantedImages,
} from '../codec/images/codec'
import { settingsOf } from './check-options'
import { Link } from './link'
import type { ImageEvent, ImageLink, ImageLinkOptions, ImageSet, ImageStreamOptions } from './types'

/**
 * Receives images, over a connection of its own that is opened at once. Iterate over what this returns, and close it;
 * leaving the loop closes it too.
 * @throws VisionError `INVALID_INPUT` for an invalid option, or if no part is wanted
 */
export function openImages(options: ImageStreamOptions): ImageLink<ImageSet> {
  const settings = settingsOf(options)
  checkWanted(options.wanted, options.language)
  return new Link<ImageSet>(settings, {
    path: '/ImageInterface/StreamImageSets',
    what: 'part-images',
    request: encodeImageSetRequest(options.wanted),
    decode: decodeImageSet,
  })
}

/**
 * Receives an event as soon as the pictures of a depth image are taken: the image itself may still be computed, and a
 * robot may move. Older firmware has no events; then the link fails with `NOT_FOUND`.
 * @throws VisionError `INVALID_INPUT` for an invalid option
 */
export const openImageEvents = (options: ImageLinkOptions): ImageLink<ImageEvent> =>
  new Link<ImageEvent>(settingsOf({ ...options, newestOnly: false }), {
    path: '/ImageEventsInterface/StreamImageEvents',
    what: 'part-events',
    request: imageEventsRequest,
    decode: (bytes) => {
      const event = decodeImageEvent(bytes)
      return event.takenAt === undefined ? undefined : event
    },
  })

/** @throws VisionError `INVALID_INPUT` */
function checkWanted(wanted: WantedImages, language: string | undefined): void {
  const { left, right, disparity, error, confidence, mesh } = wanted
  const points = mesh?.maxPoints ?? 0
  const isAny = left || right || disparity || error || confidence || mesh
  const expected = isAny ? 'a mesh of 1000 points or more' : 'at least one image'
  if (!isAny || !Number.isInteger(points) || points < 0 || (points > 0 && points < 1000))
    throw new VisionError(
      { code: 'INVALID_INPUT', key: 'bad-option', values: { option: 'wanted', expected } },
      { language },
    )
}
