import { cloudOf } from '../../lib/images/cloud/cloud-of'
import { plyOf } from '../../lib/images/cloud/ply'
import type { DisparityImage } from '../../lib/codec/images/codec'
import type { ImageSet } from '../../lib/images/types'
import { numberOf } from '../shared/fields/checked-fields'
import type { PlacedFile } from '../shared/allowed-place'
import type { CloudFrame } from './cloud-frame'
import { pictureDescription, type PictureFields } from './picture-fields'

/** A point cloud in the form that the flow wants. */
export interface CloudAnswer {
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
export async function cloudAs(
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
