/** The messages of the image stream: what they contain, and their bytes. */
import { protobufCodec, ProtobufError } from '../protobuf/codec'

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
  /** Seconds; 0 if the device does not report it. */
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

interface WireTime {
  sec?: number
  nsec?: number
}

type WireImage = Partial<Omit<Image, 'timestamp' | 'principalPoint' | 'gpios'>> & {
  timestamp?: WireTime
  u?: number
  v?: number
  isBigEndian?: boolean
  gpios?: Partial<Gpios>
}

type WireDisparity = Partial<Record<'scale' | 'offset' | 'invalid' | 'baseline' | 'deltaD', number>> & {
  timestamp?: WireTime
  image?: WireImage
}

/** The messages as they travel; what is absent is 0, empty or false. */
export interface ImageMessages {
  Time: WireTime
  Gpios: Partial<Gpios>
  Image: WireImage
  DisparityImage: WireDisparity
  Mesh: { timestamp?: WireTime; format?: string; data?: Buffer }
  ImageSet: {
    timestamp?: WireTime
    disparity?: WireDisparity
    mesh?: ImageMessages['Mesh']
  } & Partial<Record<'left' | 'right' | 'error' | 'confidence', WireImage>>
  DepthAcquisitionDone: { takenAt?: bigint }
  ImageEvents: { done?: ImageMessages['DepthAcquisitionDone']; timestamp?: bigint }
  MeshOptions: { maxPoints?: number; nearest?: boolean; watertight?: boolean; textured?: boolean }
  ImageSetRequest: {
    meshOptions?: ImageMessages['MeshOptions']
  } & Partial<Record<'left' | 'right' | 'disparity' | 'error' | 'confidence' | 'mesh' | 'color', boolean>>
  ImageEventsRequest: { depthAcquisitionDone?: boolean }
}

export const imageMessages = protobufCodec<ImageMessages>({
  Time: { 1: ['sec', 'int32'], 2: ['nsec', 'int32'] },
  Gpios: { 1: ['inputs', 'uint32'], 2: ['outputs', 'uint32'], 3: ['values', 'uint32'] },
  Image: {
    1: ['timestamp', 'Time'],
    2: ['height', 'uint32'],
    3: ['width', 'uint32'],
    4: ['focalLength', 'float'],
    5: ['u', 'float'],
    6: ['v', 'float'],
    7: ['encoding', 'string'],
    8: ['isBigEndian', 'bool'],
    9: ['step', 'uint32'],
    10: ['data', 'bytes'],
    11: ['gpios', 'Gpios'],
    12: ['exposureTime', 'float'],
    13: ['gain', 'float'],
    14: ['noise', 'float'],
    16: ['out1Reduction', 'float'],
    17: ['brightness', 'float'],
  },
  DisparityImage: {
    1: ['timestamp', 'Time'],
    2: ['scale', 'float'],
    3: ['offset', 'float'],
    4: ['invalid', 'float'],
    5: ['baseline', 'float'],
    6: ['deltaD', 'float'],
    7: ['image', 'Image'],
  },
  Mesh: { 1: ['timestamp', 'Time'], 2: ['format', 'string'], 3: ['data', 'bytes'] },
  ImageSet: {
    1: ['timestamp', 'Time'],
    2: ['left', 'Image'],
    3: ['right', 'Image'],
    4: ['disparity', 'DisparityImage'],
    5: ['error', 'Image'],
    6: ['confidence', 'Image'],
    7: ['mesh', 'Mesh'],
  },
  DepthAcquisitionDone: { 1: ['takenAt', 'uint64'] },
  ImageEvents: { 1: ['done', 'DepthAcquisitionDone'], 2: ['timestamp', 'uint64'] },
  // `nearest` is the method of an enumeration of two.
  MeshOptions: {
    1: ['maxPoints', 'uint32'],
    2: ['nearest', 'bool'],
    3: ['watertight', 'bool'],
    4: ['textured', 'bool'],
  },
  ImageSetRequest: {
    1: ['left', 'bool'],
    2: ['right', 'bool'],
    3: ['disparity', 'bool'],
    4: ['error', 'bool'],
    5: ['confidence', 'bool'],
    6: ['mesh', 'bool'],
    7: ['meshOptions', 'MeshOptions'],
    8: ['color', 'bool'],
  },
  ImageEventsRequest: { 1: ['depthAcquisitionDone', 'bool'] },
})

const nanosecondsOf = ({ sec = 0, nsec = 0 }: WireTime = {}): bigint =>
  BigInt(sec) * 1_000_000_000n + BigInt(nsec)

const nothing = Buffer.alloc(0)

/** Bytes per pixel of the known encodings. */
const pixelBytes: Readonly<Partial<Record<string, number>>> = { mono8: 1, mono16: 2, rgb8: 3, bgr8: 3 }

/** @throws ProtobufError if the pixels are not as many as the size says */
function imageOf(part: string, wire: WireImage): Image {
  const { width = 0, height = 0, encoding = '', data = nothing, gpios } = wire
  const fail = (sentence: string) =>
    new ProtobufError(sentence, { offset: 0, path: `ImageSet.${part}`, truncated: false })
  if (wire.isBigEndian) throw fail('big-endian pixels are not supported')
  const least = width * (pixelBytes[encoding] ?? 0)
  // A step that was not sent.
  const step = wire.step ? wire.step : least
  if (step < least) throw fail(`rows of ${step} bytes are too short for ${width} pixels of ${encoding}`)
  if (data.length !== step * height)
    throw fail(`${height} rows of ${step} bytes were announced, ${data.length} bytes were sent`)
  const image: Image = {
    timestamp: nanosecondsOf(wire.timestamp),
    width,
    height,
    encoding,
    step,
    data,
    focalLength: wire.focalLength ?? 0,
    principalPoint: { u: wire.u ?? 0, v: wire.v ?? 0 },
    exposureTime: wire.exposureTime ?? 0,
    gain: wire.gain ?? 0,
    noise: wire.noise ?? 0,
    out1Reduction: wire.out1Reduction ?? 0,
    brightness: wire.brightness ?? 0,
  }
  if (gpios) image.gpios = { inputs: 0, outputs: 0, values: 0, ...gpios }
  return image
}

/**
 * Decodes an `ImageSet`. Pixels are views of the bytes.
 * @throws ProtobufError for bytes that are not such a message, and for an image whose size and pixels do not match
 */
export function decodeImageSet(bytes: Uint8Array): ImageSetMessage {
  const wire = imageMessages.decode('ImageSet', bytes)
  const { disparity, mesh } = wire
  const set: ImageSetMessage = { timestamp: nanosecondsOf(wire.timestamp) }
  for (const part of ['left', 'right', 'error', 'confidence'] as const) {
    const image = wire[part]
    if (image) set[part] = imageOf(part, image)
  }
  if (disparity) {
    const { image = {}, timestamp, scale = 0, offset = 0, invalid = 0, baseline = 0, deltaD = 0 } = disparity
    if (timestamp) image.timestamp ??= timestamp
    set.disparity = Object.assign(imageOf('disparity', image), { scale, offset, invalid, baseline, deltaD })
  }
  if (mesh) set.mesh = { format: '', data: nothing, ...mesh, timestamp: nanosecondsOf(mesh.timestamp) }
  return set
}

/** Decodes an `ImageEvents`. @throws ProtobufError */
export function decodeImageEvent(bytes: Uint8Array): ImageEventMessage {
  const { done, timestamp = 0n } = imageMessages.decode('ImageEvents', bytes)
  return { timestamp, ...(done && { takenAt: done.takenAt ?? 0n }) }
}

/** Encodes an `ImageSetRequest`; what is false is left out. */
export function encodeImageSetRequest({ mesh, ...wanted }: WantedImages): Buffer {
  const meshOptions = mesh && {
    ...(mesh.maxPoints && { maxPoints: mesh.maxPoints }),
    ...onlyTrue({
      nearest: mesh.binning === 'nearest',
      watertight: mesh.watertight,
      textured: mesh.textured,
    }),
  }
  return imageMessages.encode('ImageSetRequest', {
    ...onlyTrue(wanted),
    ...(meshOptions && { mesh: true, meshOptions }),
  })
}

const onlyTrue = (flags: Readonly<Record<string, boolean | undefined>>): Record<string, true> =>
  Object.fromEntries(Object.entries(flags).flatMap(([name, value]) => (value ? [[name, true]] : [])))

/** An `ImageEventsRequest` for the event "pictures are taken". */
export const imageEventsRequest: Buffer = Buffer.from([0x08, 0x01])

export { ProtobufError } from '../protobuf/codec'
