/** A point of an image, pixels from its left and upper edge. */
export interface PrincipalPoint {
  u: number
  v: number
}

/** Inputs and outputs of the device while the image was taken, one bit each. */
export interface Gpios {
  /** Which inputs there are. */
  inputs: number
  /** Which outputs there are. */
  outputs: number
  /** The levels of both. */
  values: number
}

/** A rectified image with the parameters of its camera. */
export interface Image {
  /** When it was taken, nanoseconds since 1970 by the device's clock. */
  timestamp: bigint
  /** Pixels. */
  width: number
  /** Pixels. */
  height: number
  /** `mono8`, `mono16` (little-endian) or `rgb8`, or what newer firmware sends. */
  encoding: string
  /** Bytes per row, at least those of `width` pixels. */
  step: number
  /**
   * The pixels, row by row, `step` × `height` bytes: a view of the received message, which may begin at an odd offset,
   * so read `mono16` with `readUInt16LE`, or copy it.
   */
  data: Buffer
  /** Pixels of this image. */
  focalLength: number
  principalPoint: PrincipalPoint
  /** Seconds; 0 if the device does not tell. */
  exposureTime: number
  /** Decibels. */
  gain: number
  /** Estimated noise of the image. */
  noise: number
  /** Share, 0 to 1, by which output 1 brightens the image. */
  out1Reduction: number
  /** Mean brightness, 0 to 1. */
  brightness: number
  gpios?: Gpios
}

/**
 * Disparities, `mono16`, of the left image. A pixel with the raw value `invalid` has none; of every other, the disparity
 * is raw × `scale` + `offset` pixels of this image, and its depth `focalLength` × `baseline` / disparity metres.
 */
export interface DisparityImage extends Image {
  scale: number
  /** Pixels. */
  offset: number
  /** Raw value of pixels without a disparity. */
  invalid: number
  /** Metres. */
  baseline: number
  /** Smallest difference between two disparities, pixels. */
  deltaD: number
}

/** A surface computed from the disparities. */
export interface Mesh {
  /** Time of its disparities, nanoseconds since 1970 by the device's clock. */
  timestamp: bigint
  /** `ply` */
  format: string
  /** The whole file: a view of the received message. */
  data: Buffer
}

/** What was taken at one time. A part that was not requested, or that the device does not send, is absent. */
export interface ImageSetMessage {
  /** When it was taken, nanoseconds since 1970 by the device's clock. */
  timestamp: bigint
  left?: Image
  right?: Image
  disparity?: DisparityImage
  /** Error of the disparities: raw × `disparity.scale` pixels. */
  error?: Image
  /** Confidence of the disparities: raw / 255. */
  confidence?: Image
  mesh?: Mesh
}

/** The pictures of a set are taken; its depth may not be computed yet. */
export interface ImageEventMessage {
  /** When the last picture was taken, nanoseconds since 1970 by the device's clock; absent in events of other kinds. */
  takenAt?: bigint
  /** Time stamp of the set, as in `ImageSet.timestamp`. */
  timestamp: bigint
}

/** How a mesh is made. */
export interface MeshOptions {
  /** At least 1000. @default decided by the device */
  maxPoints?: number
  /** Of the points in one bin: their mean, or the nearest point. @default 'average' */
  binning?: 'average' | 'nearest'
  /** Whether all edges are joined and all holes filled. @default false */
  watertight?: boolean
  /** Whether the points have colours. @default false */
  textured?: boolean
}

/** Which parts a stream has. */
export interface WantedImages {
  /** @default false */
  left?: boolean
  /** @default false */
  right?: boolean
  /** @default false */
  disparity?: boolean
  /** @default false */
  error?: boolean
  /** @default false */
  confidence?: boolean
  /** A mesh, as described. @default none */
  mesh?: MeshOptions
  /** Left and right in colour, `rgb8`. @default false */
  color?: boolean
}
