import type { Image } from '../codec/images/codec'
import { imagesError } from './status-failure'
import { openImages } from './open'
import type { ImageStreamOptions } from './types'

/** Where the picture comes from. */
export interface PictureNowOptions extends Omit<
  ImageStreamOptions,
  'wanted' | 'newestOnly' | 'reconnects' | 'onState'
> {
  /** Milliseconds without a picture after which it is given up. @default 10000 */
  longestSilence?: number
}

/**
 * The rectified left picture, taken after this call: for a camera that has just come to rest. The first set may have been
 * exposed before, so the second one counts. Triggers nothing: the camera itself must run.
 *
 * @throws VisionError of the stream; `TIMEOUT` if no picture comes; `ABORTED`
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
