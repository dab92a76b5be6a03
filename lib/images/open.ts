/** Opens streams of images and events, takes the current picture, and switches to single frames. */
import { VisionError } from '../client/vision-error'
import {
  decodeImageEvent,
  decodeImageSet,
  encodeImageSetRequest,
  imageEventsRequest,
  type WantedImages,
  type Image,
} from '../codec/images/codec'
import {
  settingsOf,
  type ImageEvent,
  type ImageLink,
  type ImageLinkOptions,
  type ImageSet,
  type ImageStreamOptions,
} from './options'
import { Link } from './link'
import { imagesError } from './failures'
import { isSingleFrame } from '../contract/reading/values'

/**
 * Receives images over a connection of its own that is opened at once. Iterate over the result, and close it; leaving
 * the loop closes it too. @throws VisionError `INVALID_INPUT` for an invalid option, or if no part is wanted
 */
export function openImages(options: ImageStreamOptions): ImageLink<ImageSet> {
  const settings = settingsOf(options)
  checkParts(options.wanted, options.language)
  return new Link<ImageSet>(settings, {
    path: '/ImageInterface/StreamImageSets',
    what: 'part-images',
    request: encodeImageSetRequest(options.wanted),
    decode: decodeImageSet,
  })
}

/**
 * Receives an event as soon as the pictures of a depth image are taken: the image itself may still be computed, and a
 * robot may move. Older firmware has no events; then the link fails with `NOT_FOUND`. @throws VisionError
 * `INVALID_INPUT`
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
function checkParts(wanted: WantedImages, language: string | undefined): void {
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

/** Where the picture comes from. */
export interface PictureNowOptions extends Omit<
  ImageStreamOptions,
  'wanted' | 'newestOnly' | 'reconnects' | 'onState'
> {
  /** Milliseconds without a picture before it fails. @default 10000 */
  longestSilence?: number
}

/**
 * The rectified left picture, taken after this call: for a camera that has just come to rest. The first set may have
 * been exposed before, so the second one counts. Triggers nothing: the camera itself must run. @throws VisionError of
 * the stream; `TIMEOUT` if no picture comes; `ABORTED`
 */
export async function pictureNow(options: PictureNowOptions): Promise<Image> {
  const link = openImages({
    longestSilence: 10_000,
    ...options,
    wanted: { left: true },
    newestOnly: false,
    reconnects: false,
  })
  try {
    let isSecond = false
    for await (const { left } of link) {
      if (left && isSecond) return left
      isSecond ||= left !== undefined
    }
  } finally {
    await link.close()
  }
  const { host, port = 50_051, device = `${host}:${port}`, language } = options
  throw imagesError(
    { code: 'ABORTED', key: 'images-closed' },
    { device, address: `${host}:${port}`, ...(language !== undefined && { language }) },
  )
}

export interface ModeSteps {
  mode: () => Promise<string>
  /** @param isRestored the previous mode is restored at the end: an abort must not stop it */
  setMode: (mode: string, isRestored: boolean) => Promise<void>
}

interface ModeChange {
  restoresMode: boolean
  beforeChange?: () => Promise<void>
  /** When the work has ended, successfully or not, before a mode is restored. */
  afterwards?: (isRestored: boolean) => Promise<void>
}

/**
 * Works in a single-frame mode, which is set if needed. @param work called with whether the mode was changed
 * @returns its result, with the reason why the mode could not be restored
 * @throws errors of the work or a step before it; never because the mode could not be restored
 */
export async function inSingleFrame<Result extends object>(
  steps: ModeSteps,
  { restoresMode, beforeChange, afterwards }: ModeChange,
  work: (isChanged: boolean) => Promise<Result>,
): Promise<Result & { modeLeft?: VisionError }> {
  let before: string | undefined
  let modeLeft: VisionError | undefined
  let result: Result
  try {
    const mode = await steps.mode()
    if (!isSingleFrame(mode)) {
      await beforeChange?.()
      before = mode
      await steps.setMode('SingleFrame', false)
    }
    result = await work(before !== undefined)
  } finally {
    const isRestored = before !== undefined && restoresMode
    await afterwards?.(isRestored)
    if (before !== undefined && isRestored)
      await steps.setMode(before, true).catch((error: unknown) => {
        if (error instanceof VisionError) modeLeft = error
      })
  }
  return modeLeft ? { ...result, modeLeft } : result
}
