import type { ImageLinkOptions } from '../../lib/images/types'
import { spoken } from '../shared/node-error'
import { ownImagePort } from '../shared/allowed-place'
import type { Connection } from './connection'
import { hostOf } from './host-of'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('device')

/** The highest TCP port. */
const lastPort = 65_535
/** The port of every device, as in the settings unless somebody changed it. */
const usualPort = 50_051

/** Where the images of a pipeline are. */
export type ImagePlace = Pick<
  ImageLinkOptions,
  'host' | 'port' | 'device' | 'tls' | 'connectDeadline' | 'language'
>

/**
 * Where a pipeline's images are: on the host of the device, on the port of its settings plus the number of the pipeline. A
 * virtual device of this Node-RED that had to take another port than the usual one is found there.
 * @throws INVALID_INPUT if the pipeline is not a number, or too high
 */
export async function imagePlace(
  device: Pick<Connection, 'client' | 'images' | 'connectDeadline'>,
  pipeline: string,
): Promise<ImagePlace> {
  const { port: set, tls } = device.images
  const own = set === usualPort ? await ownImagePort(new URL(device.client.address)) : undefined
  const port = own ?? set
  const number = /^\d{1,5}$/.test(pipeline) ? Number(pipeline) : NaN
  if (!(port + number <= lastPort)) throw invalidInput('no-image-pipeline', { pipeline })
  return {
    // A URL has an IPv6 address in brackets.
    host: hostOf(device).replace(/^\[(.*)\]$/, '$1'),
    port: port + number,
    device: device.client.name,
    ...(tls && { tls }),
    ...(device.connectDeadline !== undefined && { connectDeadline: device.connectDeadline }),
    language: spoken(),
  }
}
