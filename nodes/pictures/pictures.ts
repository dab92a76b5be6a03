/** Pictures in messages: selected parts of a set, formats, overlays. */
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

export type PictureName = 'cloudFile' | 'robotPose' | 'loadCarrier' | 'cloudRegion'

/** Prepared before a robot waits for them. */
export interface PictureRequest {
  values: Pick<FieldValues<PictureName>, 'read' | 'name'>
  device: Connection
  pipeline: string
  signal: AbortSignal
}

export interface PictureAnswer {
  /** `payload`: the selected part, or an object by name; `images`: its details. */
  properties: Properties & { payload: unknown; images: object }
  summary: OutcomeSummary
}

export interface Pictures {
  selection: WantedImages
  /** Raw pictures are sent without a copy, so that the set must stay as it is. */
  isWhole: boolean
  /**
   * Reads settings from the message and the device. The result converts any number of sets.
   * @throws INVALID_INPUT naming the field; NOT_FOUND without a hand-eye calibration; errors of calls
   */
  prepare: (request: PictureRequest) => Promise<(set: ImageSet) => Promise<PictureAnswer>>
}

/** @throws INVALID_INPUT for impossible settings */
export function picturesOf(RED: NodeAPI, node: Node, fields: PictureFields): Pictures {
  const selection = imageSelection(fields)
  // Each set and each picture needs new memory.
  keepFreedMemory()
  const place = allowedPlace(RED, node, fields.folders)
  return {
    selection,
    isWhole: isWhole(fields),
    prepare: async (request) => {
      const { values } = request
      const frame = fields.cloud === 'none' ? {} : await cloudFrame({ fields, ...request, read: values.read })
      const pattern = fields.cloud === 'file' ? values.name('cloudFile') : ''
      const isTyped = fields.cloudFileType === 'str'
      const summaryOf = pictureSummaries()
      return (set) => {
        const file = () => place(fileName(pattern, set.timestamp, new Date()), isTyped)
        return answerOf(set, { fields, request, frame, summaryOf, place: file })
      }
    },
  }
}

/** The flow gets the whole set; nothing is computed from it. */
const isWhole = ({ picturesAs, depth, cloud }: PictureFields) =>
  picturesAs === 'raw' && depth === 'none' && cloud === 'none'

interface AnswerWork {
  fields: PictureFields
  request: PictureRequest
  frame: CloudFrame
  summaryOf: (picture: Image) => OutcomeSummary
  place: Parameters<typeof cloudAs>[2]['place']
}

/** Reused while the pictures of a stream have the same size. */
function pictureSummaries(): AnswerWork['summaryOf'] {
  let last: { width: number; height: number; summary: OutcomeSummary } | undefined
  return ({ width, height }) => {
    if (last?.width !== width || last.height !== height)
      last = { width, height, summary: summarize('result-picture', { width, height }, { value: 1 }) }
    return last.summary
  }
}

/** @throws BAD_REPLY for a missing or unreadable part; errors of writing the file */
async function answerOf(
  set: ImageSet,
  { fields, request, frame, summaryOf, place }: AnswerWork,
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
    last ??= summaryOf(image)
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
    summary:
      isOne && last ? last : summarize('result-pictures', { count: all.length }, { value: all.length }),
  }
}

/** Rows from the top left, without gaps. */
interface RawPicture {
  width: number
  height: number
  /** `mono8`, `mono16`, `rgb8`, `bgr8`, or `float32` for depth in metres. */
  encoding: string
  /** 16-bit numbers for mono16, floats for depth. */
  data: Buffer | Uint16Array | Float32Array
}

interface Work {
  isOver: () => boolean
  /** Raw bytes may be part of the device's message. @default false */
  isWhole?: boolean
}

/**
 * A PNG file, a `data:` URL, or numbers. Numbers are copied, otherwise they would keep the whole message of the device in
 * memory; not if the flow gets all of it anyway.
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
  // Cloning part of a message would clone all of it.
  if (encoding === 'mono16') return { width, height, encoding, data: values16Of(pixels).slice() }
  if (step === row) {
    const part = Buffer.from(data.buffer, data.byteOffset, height * row)
    return { width, height, encoding, data: isWhole ? part : Buffer.from(part) }
  }
  const rows = Array.from({ length: height }, (_, line) => data.subarray(line * step, line * step + row))
  return { width, height, encoding, data: Buffer.concat(rows) }
}

interface CloudAnswer {
  /** PLY file, its path, or points. */
  value: unknown
  count: number
  /** Absolute path of a written file. */
  file?: string
}

interface CloudWork {
  fields: PictureFields
  frame: CloudFrame
  /** Checks again whether it is allowed. */
  place: () => Promise<PlacedFile>
  isOver: () => boolean
}

/** @throws RangeError for an unreadable picture; errors of writing the file */
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
 * Fills in `clouds/{date}/{timestamp}.ply`: seconds and nanoseconds by the device's clock, local date and time.
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

/** @throws INVALID_INPUT if nothing is selected */
export function imageSelection(fields: PictureFields): WantedImages {
  const { left, depth, cloud, right, confidence, disparityError, cloudColours } = fields
  const hasCloud = cloud !== 'none'
  const isFiltered = hasCloud && numberOf(pictureDescription, fields, 'leastConfidence') > 0
  const selection = {
    left: left !== 'none' || (hasCloud && cloudColours),
    right,
    disparity: depth !== 'none' || hasCloud,
    error: disparityError,
    confidence: confidence || isFiltered,
  }
  if (selectsNothing(fields)) throw invalidInput('no-pictures')
  return { ...selection, color: left === 'colour' }
}

export const selectsNothing = ({ left, depth, cloud, right, confidence, disparityError }: PictureFields) =>
  left === 'none' && depth === 'none' && cloud === 'none' && !right && !confidence && !disparityError
