/** The messages of the image stream: what they contain, and their bytes. */
import { Cursor, Misread, skipField, ProtobufError } from '../streams/wire'
import { Writer } from '../streams/encode'

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

/*
 * One function per message, with a switch over tags (field number × 8 + wire type). Pixels stay where they are. A message
 * that comes in several parts is merged, as in all decoders.
 */

const nanoseconds = 1_000_000_000n

function readImageSet(cursor: Cursor, end: number): ImageSetMessage {
  const set: ImageSetMessage = { timestamp: 0n }
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    switch (tag) {
      case 0x0a /* 1 */:
        set.timestamp = readTime(cursor, cursor.end(end), set.timestamp)
        break
      case 0x12 /* 2 */:
        set.left = readImage(cursor, cursor.end(end), set.left)
        break
      case 0x1a /* 3 */:
        set.right = readImage(cursor, cursor.end(end), set.right)
        break
      case 0x22 /* 4 */:
        set.disparity = readDisparity(cursor, cursor.end(end), set.disparity)
        break
      case 0x2a /* 5 */:
        set.error = readImage(cursor, cursor.end(end), set.error)
        break
      case 0x32 /* 6 */:
        set.confidence = readImage(cursor, cursor.end(end), set.confidence)
        break
      case 0x3a /* 7 */:
        set.mesh = readMesh(cursor, cursor.end(end), set.mesh)
        break
      default:
        skipUnknown(cursor, tag, end, 7)
    }
  }
  return set
}

function readImageEvent(cursor: Cursor, end: number): ImageEventMessage {
  const event: ImageEventMessage = { timestamp: 0n }
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    switch (tag) {
      case 0x0a /* 1 */:
        event.takenAt = readTakenAt(cursor, cursor.end(end), event.takenAt)
        break
      case 0x10 /* 2 */:
        event.timestamp = uint64(cursor, end)
        break
      default:
        skipUnknown(cursor, tag, end, 2)
    }
  }
  return event
}

function readTakenAt(cursor: Cursor, end: number, known = 0n): bigint {
  let takenAt = known
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    if (tag === 0x08 /* 1 */) takenAt = uint64(cursor, end)
    else skipUnknown(cursor, tag, end, 1)
  }
  return takenAt
}

function readDisparity(
  cursor: Cursor,
  end: number,
  disparity: DisparityImage = {
    ...emptyImage(),
    ...{ scale: 0, offset: 0, invalid: 0, baseline: 0, deltaD: 0 },
  },
): DisparityImage {
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    switch (tag) {
      case 0x0a /* 1 */:
        disparity.timestamp = readTime(cursor, cursor.end(end), disparity.timestamp)
        break
      case 0x15 /* 2 */:
        disparity.scale = float(cursor, end)
        break
      case 0x1d /* 3 */:
        disparity.offset = float(cursor, end)
        break
      case 0x25 /* 4 */:
        disparity.invalid = float(cursor, end)
        break
      case 0x2d /* 5 */:
        disparity.baseline = float(cursor, end)
        break
      case 0x35 /* 6 */:
        disparity.deltaD = float(cursor, end)
        break
      case 0x3a /* 7 */:
        readImage(cursor, cursor.end(end), disparity)
        break
      default:
        skipUnknown(cursor, tag, end, 7)
    }
  }
  return disparity
}

function readImage(cursor: Cursor, end: number, image: Image = emptyImage()): Image {
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    switch (tag) {
      case 0x0a /* 1 */:
        image.timestamp = readTime(cursor, cursor.end(end), image.timestamp)
        break
      case 0x10 /* 2 */:
        image.height = uint32(cursor, end)
        break
      case 0x18 /* 3 */:
        image.width = uint32(cursor, end)
        break
      case 0x25 /* 4 */:
        image.focalLength = float(cursor, end)
        break
      case 0x2d /* 5 */:
        image.principalPoint.u = float(cursor, end)
        break
      case 0x35 /* 6 */:
        image.principalPoint.v = float(cursor, end)
        break
      case 0x3a /* 7 */:
        image.encoding = cursor.text(end)
        break
      case 0x40 /* 8 */:
        if (cursor.bool(end)) throw new Misread('big-endian pixels are not supported')
        break
      case 0x48 /* 9 */:
        image.step = uint32(cursor, end)
        break
      case 0x52 /* 10 */:
        image.data = content(cursor, end)
        break
      case 0x5a /* 11 */:
        image.gpios = readGpios(cursor, cursor.end(end), image.gpios)
        break
      case 0x65 /* 12 */:
        image.exposureTime = float(cursor, end)
        break
      case 0x6d /* 13 */:
        image.gain = float(cursor, end)
        break
      case 0x75 /* 14 */:
        image.noise = float(cursor, end)
        break
      case 0x85 /* 16 */:
        image.out1Reduction = float(cursor, end)
        break
      case 0x8d /* 17 */:
        image.brightness = float(cursor, end)
        break
      default:
        skipUnknown(cursor, tag, end, 14)
    }
  }
  return image
}

function readMesh(
  cursor: Cursor,
  end: number,
  mesh: Mesh = { timestamp: 0n, format: '', data: nothing },
): Mesh {
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    switch (tag) {
      case 0x0a /* 1 */:
        mesh.timestamp = readTime(cursor, cursor.end(end), mesh.timestamp)
        break
      case 0x12 /* 2 */:
        mesh.format = cursor.text(end)
        break
      case 0x1a /* 3 */:
        mesh.data = content(cursor, end)
        break
      default:
        skipUnknown(cursor, tag, end, 3)
    }
  }
  return mesh
}

function readGpios(cursor: Cursor, end: number, gpios: Gpios = { inputs: 0, outputs: 0, values: 0 }): Gpios {
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    switch (tag) {
      case 0x08 /* 1 */:
        gpios.inputs = uint32(cursor, end)
        break
      case 0x10 /* 2 */:
        gpios.outputs = uint32(cursor, end)
        break
      case 0x18 /* 3 */:
        gpios.values = uint32(cursor, end)
        break
      default:
        skipUnknown(cursor, tag, end, 3)
    }
  }
  return gpios
}

/** Nanoseconds since 1970. */
function readTime(cursor: Cursor, end: number, known: bigint): bigint {
  let sec = known / nanoseconds
  let nsec = known % nanoseconds
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    if (tag === 0x08 /* 1 */) sec = BigInt(cursor.int32(end))
    else if (tag === 0x10 /* 2 */) nsec = BigInt(cursor.int32(end))
    else skipUnknown(cursor, tag, end, 2)
  }
  return sec * nanoseconds + nsec
}

const nothing = Buffer.alloc(0)

const emptyImage = (): Image => ({
  timestamp: 0n,
  width: 0,
  height: 0,
  encoding: '',
  step: 0,
  data: nothing,
  focalLength: 0,
  principalPoint: { u: 0, v: 0 },
  exposureTime: 0,
  gain: 0,
  noise: 0,
  out1Reduction: 0,
  brightness: 0,
})

const float = (cursor: Cursor, end: number): number => cursor.bytes.readFloatLE(cursor.skip(4, end))

const uint32 = (cursor: Cursor, end: number): number => cursor.int32(end) >>> 0

const uint64 = (cursor: Cursor, end: number): bigint => BigInt.asUintN(64, BigInt(cursor.int64(end)))

/** The bytes of a field, as a view. */
function content(cursor: Cursor, end: number): Buffer {
  const contentEnd = cursor.end(end)
  const bytes = cursor.bytes.subarray(cursor.at, contentEnd)
  cursor.at = contentEnd
  return bytes
}

/**
 * A tag without a case: a field of newer firmware, or a known field with a wrong wire type.
 * @param known the highest number up to which all fields of the message are known
 */
function skipUnknown(cursor: Cursor, tag: number, end: number, known: number): void {
  if (tag >>> 3 <= known) throw new Misread(`the field cannot have the wire type ${tag & 7}`)
  skipField(cursor, tag, end)
}

/** Bytes per pixel of the known encodings. */
const pixelBytes: Readonly<Partial<Record<string, number>>> = { mono8: 1, mono16: 2, rgb8: 3, bgr8: 3 }

/**
 * Decodes an `ImageSet`. Pixels are views of the bytes.
 * @throws ProtobufError for bytes that are not such a message, and for an image whose size and pixels do not match
 */
export const decodeImageSet = (bytes: Uint8Array): ImageSetMessage =>
  decoded('ImageSet', bytes, (cursor, end) => {
    const set = readImageSet(cursor, end)
    for (const part of ['left', 'right', 'disparity', 'error', 'confidence'] as const) {
      const image = set[part]
      if (image) checkImage(part, image)
    }
    return set
  })

/** Decodes an `ImageEvents`. @throws ProtobufError */
export const decodeImageEvent = (bytes: Uint8Array): ImageEventMessage =>
  decoded('ImageEvents', bytes, readImageEvent)

function decoded<Message>(
  type: string,
  bytes: Uint8Array,
  read: (cursor: Cursor, end: number) => Message,
): Message {
  const cursor = new Cursor(bytes)
  try {
    return read(cursor, bytes.length)
  } catch (error) {
    if (!(error instanceof Misread)) throw error
    const { message, truncated } = error
    throw new ProtobufError(message, { offset: cursor.field, path: type, truncated })
  }
}

/** Fills in a step that was not sent. @throws Misread if the pixels are not as many as the size says */
function checkImage(part: string, image: Image): void {
  const { width, height, encoding, data } = image
  const least = width * (pixelBytes[encoding] ?? 0)
  if (image.step === 0) image.step = least
  const { step } = image
  if (step < least)
    throw new Misread(`${part}: rows of ${step} bytes are too short for ${width} pixels of ${encoding}`)
  if (data.length !== step * height)
    throw new Misread(
      `${part}: ${height} rows of ${step} bytes were announced, ${data.length} bytes were sent`,
    )
}

/** Writing is synchronous, so one writer serves all. */
const writer = new Writer()

/** Tags of the parts of a set: field number × 8, wire type 0. */
const partTags = { left: 0x08, right: 0x10, disparity: 0x18, error: 0x20, confidence: 0x28 } as const

/** Encodes an `ImageSetRequest`. */
export function encodeImageSetRequest(wanted: WantedImages): Buffer {
  writer.start()
  for (const part of ['left', 'right', 'disparity', 'error', 'confidence'] as const)
    flag(partTags[part], wanted[part])
  const { mesh, color } = wanted
  if (mesh) {
    flag(0x30, true)
    writer.integer(0x3a)
    const start = writer.open()
    if (mesh.maxPoints) {
      writer.integer(0x08)
      writer.integer(mesh.maxPoints)
    }
    flag(0x10, mesh.binning === 'nearest')
    flag(0x18, mesh.watertight)
    flag(0x20, mesh.textured)
    writer.close(start)
  }
  flag(0x40, color)
  return writer.finish()
}

/** An `ImageEventsRequest` for the event "pictures are taken". */
export const imageEventsRequest: Buffer = Buffer.from([0x08, 0x01])

function flag(tag: number, value: boolean | undefined): void {
  if (!value) return
  writer.integer(tag)
  writer.integer(1)
}

export { ProtobufError } from '../streams/wire'
