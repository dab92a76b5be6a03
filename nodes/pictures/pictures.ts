/** Pictures in messages: which parts of a set are sent, in which format, with what was found drawn over them. */
import type { Node, NodeAPI } from 'node-red'
import type { DisparityImage, Image, WantedImages } from '../../lib/codec/images/codec'
import { cloudOf, plyOf } from '../../lib/images/cloud'
import { colouredDepth, depthOf, millimetresOf } from '../../lib/images/depth'
import { keepFreedMemory } from '../../lib/images/message-reader'
import { layoutOf, type Pixels, values16Of, dataUrlOf, pngOf } from '../../lib/images/picture'
import type { ImageSet } from '../../lib/images/options'
import type { Connection } from '../device/connection'
import { sentencesOf } from '../sentences'
import { allowedPlace, type PlacedFile } from '../shared/allowed-place'
import { numberOf } from '../shared/fields/checked-fields'
import { detailOf } from '../shared/node-error'
import type { OutcomeSummary, Properties } from '../shared/outcome'
import type { FieldValues } from '../shared/read-fields'
import { cloudFrame, type CloudFrame, pictureDetails, setDetails } from './found'
import { pictureDescription, type PictureFields } from './picture-fields'

const { nodeError, summarize } = sentencesOf('pictures')

/** The typed fields of `pictureFields`. */
export type PictureName = 'cloudFile' | 'robotPose' | 'loadCarrier' | 'cloudRegion'

/** What pictures are prepared with: before a robot waits for them. */
export interface PictureRequest {
  values: Pick<FieldValues<PictureName>, 'read' | 'name'>
  device: Connection
  pipeline: string
  signal: AbortSignal
}

/** What a node sends of a set. */
export interface PictureAnswer {
  /** `payload`: the selected part, or an object with all of them by name; `images`: what is known of them. */
  properties: Properties & { payload: unknown; images: object }
  told: OutcomeSummary
}

/** The pictures of a node, by the settings in its dialog. */
export interface Pictures {
  /** What the stream must have. */
  wanted: WantedImages
  /** Whether raw pictures are sent as they were received, without a copy, so that a set must stay as it is. */
  isWhole: boolean
  /**
   * Reads what the settings take from a message or ask the device for. The result sends the parts of a set, for as many
   * sets as the caller likes.
   * @throws INVALID_INPUT naming the field; NOT_FOUND without a hand-eye calibration; errors of calls
   */
  prepare: (request: PictureRequest) => Promise<(set: ImageSet) => Promise<PictureAnswer>>
}

/**
 * What a node sends of a set of images, whether it comes from a stream or was asked for.
 * @param fields those of `pictureFields` in the node's description
 * @throws INVALID_INPUT for settings that are not possible
 */
export function picturesOf(RED: NodeAPI, node: Node, fields: PictureFields): Pictures {
  const wanted = wantedOf(fields)
  // Each set and each picture of it needs new memory.
  keepFreedMemory()
  const place = allowedPlace(RED, node, fields.folders)
  return {
    wanted,
    isWhole: isWhole(fields),
    prepare: async (request) => {
      const { values } = request
      const frame = fields.cloud === 'none' ? {} : await cloudFrame({ fields, ...request, read: values.read })
      const pattern = fields.cloud === 'file' ? values.name('cloudFile') : ''
      const isTyped = fields.cloudFileType === 'str'
      const toldOf = tellPictures()
      return (set) => {
        const file = () => place(fileName(pattern, set.timestamp, new Date()), isTyped)
        return answerOf(set, { fields, request, frame, toldOf, place: file })
      }
    },
  }
}

/** Whether the flow gets all that the stream has: nothing is computed from it. */
const isWhole = ({ picturesAs, depth, cloud }: PictureFields) =>
  picturesAs === 'raw' && depth === 'none' && cloud === 'none'

interface AnswerWork {
  fields: PictureFields
  request: PictureRequest
  frame: CloudFrame
  toldOf: (picture: Image) => OutcomeSummary
  place: Parameters<typeof cloudAs>[2]['place']
}

/** The summary of a picture: of the next one of a stream, mostly the same. */
function tellPictures(): AnswerWork['toldOf'] {
  let last: { width: number; height: number; summary: OutcomeSummary } | undefined
  return ({ width, height }) => {
    if (last?.width !== width || last.height !== height)
      last = { width, height, summary: summarize('result-picture', { width, height }, { value: 1 }) }
    return last.summary
  }
}

/** @throws BAD_REPLY if the set has not all selected parts, or one cannot be read; errors of writing the file */
async function answerOf(
  set: ImageSet,
  { fields, request, frame, toldOf, place }: AnswerWork,
): Promise<PictureAnswer> {
  const { device, signal } = request
  const isOver = () => signal.aborted
  const parts: Record<string, unknown> = {}
  const details: Record<string, object> = {}
  let last: OutcomeSummary | undefined

  const add = async <Part extends Image>(
    name: string,
    image: Part | undefined,
    made: (image: Part) => Promise<unknown>,
  ) => {
    if (!image) throw nodeError('BAD_REPLY', 'picture-missing', { device: device.client.name, part: name })
    try {
      parts[name] = await made(image)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      const values = { device: device.client.name, part: name, detail: detailOf(error) }
      throw nodeError('BAD_REPLY', 'picture-unreadable', values)
    }
    details[name] ??= pictureDetails(image)
    last ??= toldOf(image)
  }
  const picture = (image: Image) => pictureAs(fields.picturesAs, image, { isOver, isWhole: isWhole(fields) })

  if (fields.left !== 'none') await add('left', set.left, picture)
  if (fields.right) await add('right', set.right, picture)
  if (fields.depth !== 'none')
    await add('depth', set.disparity, async (disparity) => {
      details['depth'] = { ...pictureDetails(disparity), baseline: disparity.baseline }
      const depth = await depthOf(disparity, { isOver })
      if (fields.depth === 'metres') return { ...depth, encoding: 'float32' }
      const make = fields.depth === 'colours' ? colouredDepth : millimetresOf
      return pictureAs(fields.picturesAs, await make(depth, { isOver }), { isOver })
    })
  if (fields.confidence) await add('confidence', set.confidence, picture)
  if (fields.disparityError) await add('error', set.error, picture)
  if (fields.cloud !== 'none')
    await add('cloud', set.disparity, async (disparity) => {
      const { value, count, file } = await cloudAs(set, disparity, { fields, frame, place, isOver })
      details['cloud'] = { count, frame: fields.cloudFrame, ...(file !== undefined && { file }) }
      last = file
        ? summarize('result-cloud-file', { count, file }, { value: count })
        : summarize('result-cloud', { count }, { value: count })
      return value
    })

  const all = Object.values(parts)
  const isOne = all.length === 1
  return {
    properties: { payload: isOne ? all[0] : parts, images: { ...setDetails(set), ...details } },
    told: isOne && last ? last : summarize('result-pictures', { count: all.length }, { value: all.length }),
  }
}

/** A picture as numbers: rows from the top left without gaps. */
interface RawPicture {
  width: number
  height: number
  /** `mono8`, `mono16`, `rgb8`, `bgr8`, or `float32` for depth in metres. */
  encoding: string
  /** Bytes; 16-bit numbers for mono16. */
  data: Buffer | Uint16Array | Float32Array
}

interface Work {
  isOver: () => boolean
  /** Whether raw bytes may be part of the message that the device sent. @default false */
  isWhole?: boolean
}

/**
 * A picture in the form that the flow wants: a PNG file, a `data:` URL, or numbers. Numbers are a copy, because those of
 * a set are parts of one message, which they would keep in memory; unless the flow gets all of that message anyway.
 * @throws RangeError if the picture cannot be read
 */
async function pictureAs(
  form: PictureFields['picturesAs'],
  pixels: Pixels,
  { isOver, isWhole = false }: Work,
): Promise<Buffer | string | RawPicture> {
  if (form === 'raw') return raw(pixels, isWhole)
  const png = await pngOf(pixels, { isOver })
  return form === 'dataUrl' ? dataUrlOf(png) : png
}

function raw(pixels: Pixels, isWhole: boolean): RawPicture {
  const { width, height, encoding, data } = pixels
  const { row, step } = layoutOf(pixels)
  // A clone of numbers that are a part of a message would be one of the whole message.
  if (encoding === 'mono16') return { width, height, encoding, data: values16Of(pixels).slice() }
  if (step === row) {
    const part = Buffer.from(data.buffer, data.byteOffset, height * row)
    return { width, height, encoding, data: isWhole ? part : Buffer.from(part) }
  }
  const rows = Array.from({ length: height }, (_, line) => data.subarray(line * step, line * step + row))
  return { width, height, encoding, data: Buffer.concat(rows) }
}

/** A point cloud in the form that the flow wants. */
interface CloudAnswer {
  /** A PLY file, the path of one, or the points themselves. */
  value: unknown
  /** Number of points. */
  count: number
  /** Absolute path, if it was written to a file. */
  file?: string
}

interface CloudWork {
  fields: PictureFields
  frame: CloudFrame
  /** Where the file is written; checks again whether it is allowed. */
  place: () => Promise<PlacedFile>
  isOver: () => boolean
}

/** @throws RangeError if a picture cannot be read; errors of writing the file */
async function cloudAs(
  { left, confidence }: ImageSet,
  disparity: DisparityImage,
  { fields, frame, place, isOver }: CloudWork,
): Promise<CloudAnswer> {
  const cell = numberOf(pictureDescription, fields, 'cloudCell') / 1000
  const most = numberOf(pictureDescription, fields, 'cloudPoints')
  const least = numberOf(pictureDescription, fields, 'leastConfidence')
  const cloud = await cloudOf(disparity, {
    ...frame,
    normals: fields.cloudNormals,
    ...(fields.cloudColours && left && { left }),
    ...(least > 0 && confidence && { confidence: { image: confidence, least } }),
    ...(cell > 0 && { cell }),
    ...(most !== undefined && { most }),
    isOver,
  })
  const { count } = cloud
  if (fields.cloud === 'points') return { value: cloud, count }
  const ply = await plyOf(cloud, { kind: fields.plyKind, isOver })
  if (fields.cloud === 'message') return { value: ply, count }
  const file = await place()
  await file.write(ply)
  return { value: file.path, count, file: file.path }
}

const { invalidInput } = sentencesOf('pictures')

/**
 * Fills in a pattern such as `clouds/{date}/{timestamp}.ply`: the device's time of the picture as seconds and
 * nanoseconds, and this computer's local date and time.
 * @param timestamp nanoseconds since 1970
 * @throws INVALID_INPUT naming an unknown placeholder
 */
export function fileName(pattern: string, timestamp: bigint, now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const perSecond = 1_000_000_000n
  const values: Readonly<Record<string, string>> = {
    date: [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-'),
    time: [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('-'),
    timestamp: `${timestamp / perSecond}.${String(timestamp % perSecond).padStart(9, '0')}`,
  }
  return pattern.replace(/\{(\w*)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value !== undefined) return value
    const known = Object.keys(values).map((each) => `{${each}}`)
    throw invalidInput('unknown-file-part', { placeholder: whole, known: known.join(', ') })
  })
}

/**
 * What a stream of images must have for these settings.
 * @throws INVALID_INPUT if nothing is selected
 */
export function wantedOf(fields: PictureFields): WantedImages {
  const { left, depth, cloud, right, confidence, disparityError, cloudColours } = fields
  const hasCloud = cloud !== 'none'
  const isFiltered = hasCloud && numberOf(pictureDescription, fields, 'leastConfidence') > 0
  const wanted = {
    left: left !== 'none' || (hasCloud && cloudColours),
    right,
    disparity: depth !== 'none' || hasCloud,
    error: disparityError,
    confidence: confidence || isFiltered,
  }
  if (selectsNothing(fields)) throw invalidInput('no-pictures')
  return { ...wanted, color: left === 'colour' }
}

/** Whether no picture, no depth and no point cloud is selected. */
export const selectsNothing = ({ left, depth, cloud, right, confidence, disparityError }: PictureFields) =>
  left === 'none' && depth === 'none' && cloud === 'none' && !right && !confidence && !disparityError
