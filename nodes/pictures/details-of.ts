import type { Image } from '../../lib/codec/images/codec'
import type { ImageSet } from '../../lib/images/types'

/** What a flow may want to know of a picture besides its pixels. */
export interface PictureDetails {
  /** Pixels. */
  width: number
  height: number
  /** Of the picture as it was received. */
  encoding: string
  /** Pixels of this picture. */
  focalLength: number
  principalPoint: { u: number; v: number }
  /** Seconds. */
  exposureTime: number
  /** Decibels. */
  gain: number
  /** Mean brightness, 0 to 1. */
  brightness: number
  noise: number
  /** Metres; of the depth only. */
  baseline?: number
}

/** What is known of a whole set. */
export interface SetDetails {
  /** When the pictures were taken, seconds since 1970 by the device's clock. */
  timestamp: number
  /** When the set arrived, milliseconds since 1970 by this computer's clock. */
  receivedAt: number
  /** Number of sets that were left out since the one before. */
  skipped: number
}

/** Exact to a microsecond; nanoseconds do not fit into a number. */
export const secondsOf = (nanoseconds: bigint): number => Number(nanoseconds / 1000n) / 1e6

export const setDetails = ({ timestamp, receivedAt, skipped }: ImageSet): SetDetails => ({
  timestamp: secondsOf(timestamp),
  receivedAt,
  skipped,
})

export const pictureDetails = ({
  width,
  height,
  encoding,
  focalLength,
  principalPoint,
  exposureTime,
  gain,
  brightness,
  noise,
}: Image): PictureDetails => ({
  width,
  height,
  encoding,
  focalLength,
  principalPoint: { ...principalPoint },
  exposureTime,
  gain,
  brightness,
  noise,
})
