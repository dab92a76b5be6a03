import type { images } from '../../../lib'
import type { Device } from '../../device/device'
import { invalidInput } from '../../shared/sentences'
import { PictureAnswer, type AdminCall } from '../../shared/admin'

/** What is known of a picture: the header `x-vision-picture`. */
export type KnownPicture = Omit<images.ViewedPicture, 'png'>

/** The answer if there is no newer picture than the viewer has. */
export interface NoPicture {
  /** Since when, milliseconds since 1970 by the clock of Node-RED. */
  since: number
}

/**
 * The newest picture of a camera, by the query: `pipeline`, `part` (`left`, `depth` or `confidence`), and `after`, the
 * `receivedAt` of the picture that the viewer has. Waits some seconds for it.
 * @throws INVALID_INPUT naming the key of the query; why there is no picture
 */
export async function pictureOf(
  device: Device,
  { request, signal }: AdminCall,
): Promise<PictureAnswer | NoPicture> {
  const { searchParams } = new URL(request.url, 'http://editor')
  const part = searchParams.get('part') ?? 'left'
  if (!isPart(part))
    throw invalidInput('wrong-type', { field: 'part', expected: parts.join(', '), value: part })
  const given = searchParams.get('after') ?? '0'
  const after = Number(given)
  if (!Number.isFinite(after)) throw invalidInput('not-a-number', { field: 'after', value: given })
  const { picture, since } = await device.look(searchParams.get('pipeline') || '0', part, { after, signal })
  if (!picture) return { since }
  const { png, ...known } = picture
  return new PictureAnswer(png, known satisfies KnownPicture)
}

const parts: readonly images.ViewPart[] = ['left', 'depth', 'confidence']
const isPart = (part: string): part is images.ViewPart => parts.some((each) => each === part)
