import type { ImageLinkOptions } from '../../lib/images/types'
import { spoken } from '../shared/node-error'
import type { Connection } from './connection'
import { hostOf } from './host-of'
import { invalidInput } from './sentences'

/** The highest TCP port. */
const lastPort = 65_535

/**
 * Where a pipeline's images are: on the host of the device, on the port of its settings plus the number of the pipeline.
 * @throws INVALID_INPUT if the pipeline is not a number, or too high
 */
export function imagePlace(
  device: Connection,
  pipeline: string,
): Pick<ImageLinkOptions, 'host' | 'port' | 'device' | 'tls' | 'connectDeadline' | 'language'> {
  const { port, tls } = device.images
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
