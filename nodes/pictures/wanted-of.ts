import type { WantedImages } from '../../lib/codec/images/codec'
import { numberOf } from '../shared/fields/checked-fields'
import { pictureDescription, type PictureFields } from './picture-fields'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('pictures')

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
