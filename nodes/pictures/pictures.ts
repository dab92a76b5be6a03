import type { Node, NodeAPI } from 'node-red'
import { colouredDepth } from '../../lib/images/depth/coloured'
import { depthOf, millimetresOf } from '../../lib/images/depth/depth'
import type { Image, WantedImages } from '../../lib/codec/images/codec'
import { keepFreedMemory } from '../../lib/images/freed-memory'
import type { ImageSet } from '../../lib/images/types'
import type { Connection } from '../device/connection'
import { allowedPlace } from '../shared/allowed-place'
import { detailOf } from '../shared/node-error'
import type { FieldValues } from '../shared/read-fields'
import type { OutcomeSummary, Properties } from '../shared/outcome'
import { cloudAs } from './cloud-as'
import { cloudFrame, type CloudFrame } from './cloud-frame'
import { pictureDetails, setDetails } from './details-of'
import { fileName } from './file-name'
import { pictureAs } from './picture-as'
import type { PictureFields } from './picture-fields'
import { wantedOf } from './wanted-of'
import { sentencesOf } from '../sentences'

const { nodeError, told } = sentencesOf('pictures')

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

/** What is told of a picture: of the next one of a stream, mostly the same. */
function tellPictures(): AnswerWork['toldOf'] {
  let last: { width: number; height: number; summary: OutcomeSummary } | undefined
  return ({ width, height }) => {
    if (last?.width !== width || last.height !== height)
      last = { width, height, summary: told('result-picture', { width, height }, { value: 1 }) }
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
        ? told('result-cloud-file', { count, file }, { value: count })
        : told('result-cloud', { count }, { value: count })
      return value
    })

  const all = Object.values(parts)
  const isOne = all.length === 1
  return {
    properties: { payload: isOne ? all[0] : parts, images: { ...setDetails(set), ...details } },
    told: isOne && last ? last : told('result-pictures', { count: all.length }, { value: all.length }),
  }
}
