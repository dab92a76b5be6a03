import type { Connection } from '../device/connection'
import { inPipeline } from '../device/known-nodes'
import { calibrationCall, drawFound, type FoundToDraw, pictureIn } from '../pictures/found'
import { isObject } from '../shared/is-object'
import { loadOverlay } from '../shared/load-later'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('call-service')

/** A picture of a message, and how it was taken. */
interface MessagePicture {
  /** A data URL. */
  picture: string
  camera: unknown
}

/**
 * The left picture of a message as `acquire` and `image-receive` send it, or as a service before has drawn over it.
 * @throws INVALID_INPUT where it has none
 */
export function pictureToDrawOn(msg: object): MessagePicture {
  const { images, ...rest } = msg as Record<'payload' | 'images' | 'picture', unknown>
  const camera = isObject(images) ? images['left'] : undefined
  const { picture: drawn, ...fresh } = rest
  // The picture of this message first: a former one may still be there.
  const picture = pictureIn(fresh) ?? pictureIn({ picture: drawn })
  if (picture === undefined || !isObject(camera)) throw invalidInput('no-picture')
  return { picture, camera }
}

/** The picture with what a service has found, as the address of an image. @throws INVALID_INPUT for an impossible camera */
export async function drawnOver(
  { picture, camera }: MessagePicture,
  found: Pick<FoundToDraw, 'answer' | 'args' | 'calibration'>,
): Promise<string> {
  const { svg } = await drawFound({ ...found, camera, picture })
  return loadOverlay().svgDataUrl(svg)
}

/**
 * The hand-eye calibration on the device. The service was called, whatever becomes of its picture: where it cannot be read,
 * what is in the external frame is not drawn.
 */
export async function savedCalibration(
  device: Connection,
  asked: { pipeline: string; signal: AbortSignal },
): Promise<unknown> {
  const { node, ...call } = calibrationCall
  try {
    const { response } = await device.onNode({ ...asked, node }, (target) =>
      device.client.callService({ ...inPipeline(target), ...call }, { signal: asked.signal }),
    )
    return response
  } catch {
    return undefined
  }
}
