import type { Connection } from '../device/connection'
import { inPipeline } from '../device/known-nodes'
import { calibrationCall, drawFound, type FoundToDraw, pictureIn } from '../pictures/found'
import { isObject } from '../shared/is-object'
import { loadOverlay } from '../shared/load-later'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('call-service')

interface MessagePicture {
  /** Data URL. */
  picture: string
  camera: unknown
}

/**
 * The left picture of a message from `acquire` or `image-receive`, or one that a service has drawn on.
 * @throws INVALID_INPUT if there is none
 */
export function pictureToDrawOn(msg: object): MessagePicture {
  const { images, ...rest } = msg as Record<'payload' | 'images' | 'picture', unknown>
  const camera = isObject(images) ? images['left'] : undefined
  const { picture: drawn, ...fresh } = rest
  // This message's own picture first: `msg.picture` may be an older one.
  const picture = pictureIn(fresh) ?? pictureIn({ picture: drawn })
  if (picture === undefined || !isObject(camera)) throw invalidInput('no-picture')
  return { picture, camera }
}

/** @returns a data URL @throws INVALID_INPUT for an impossible camera */
export async function drawnOver(
  { picture, camera }: MessagePicture,
  found: Pick<FoundToDraw, 'answer' | 'args' | 'calibration'>,
): Promise<string> {
  const { svg } = await drawFound({ ...found, camera, picture })
  return loadOverlay().svgDataUrl(svg)
}

/** The saved hand-eye calibration; without it, results in the external frame are not drawn. */
export async function savedCalibration(
  device: Connection,
  query: { pipeline: string; signal: AbortSignal },
): Promise<unknown> {
  const { node, ...call } = calibrationCall
  try {
    const { response } = await device.onNode({ ...query, node }, (target) =>
      device.client.callService({ ...inPipeline(target), ...call }, { signal: query.signal }),
    )
    return response
  } catch {
    return undefined
  }
}
