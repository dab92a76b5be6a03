import { VisionError } from '../client/vision-error'
import type { Arrival, ImageLinkOptions } from './types'

/** The options of a link, checked, with the defaults filled in. */
export interface LinkSettings
  extends
    Required<Omit<ImageLinkOptions, 'tls' | 'signal' | 'longestSilence' | 'onState'>>,
    Pick<ImageLinkOptions, 'tls' | 'signal' | 'longestSilence' | 'onState'> {
  newestOnly: boolean
  reusesMemory: boolean
}

/** What a stream asks for, and what it takes out of each message. */
export interface StreamCall<Item> {
  path: string
  /** Key of the sentence that names it. */
  what: 'part-images' | 'part-events'
  request: Buffer
  decode: (message: Buffer) => Omit<Item, keyof Arrival> | undefined
}

const shown = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** Checks the options and fills in the defaults. @throws VisionError `INVALID_INPUT` */
export function settingsOf(
  options: ImageLinkOptions & { newestOnly?: boolean; reusesMemory?: boolean },
): LinkSettings {
  const {
    host,
    port = 50051,
    device = `${shown(host)}:${port}`,
    connectDeadline = 3000,
    reconnects = true,
    longestPause = 5000,
    maxMessageBytes = 300 * 1024 * 1024,
    newestOnly = true,
    reusesMemory = false,
    language = 'en-US',
    random = Math.random,
    ...rest
  } = options
  const check = (option: string, right: boolean, expected: string) => {
    if (!right)
      throw new VisionError(
        { code: 'INVALID_INPUT', key: 'bad-option', values: { option, expected } },
        { language },
      )
  }
  const isDuration = (value: number) => Number.isFinite(value) && value > 0
  // A space or a slash would be part of a header.
  check('host', typeof host === 'string' && /^[^\s/@[\]]+$/.test(host), 'a host name or an IP address')
  check('port', Number.isInteger(port) && port > 0 && port <= 65_535, '1 to 65535')
  check('connectDeadline', isDuration(connectDeadline), '> 0 ms')
  check('longestPause', isDuration(longestPause), '> 0 ms')
  check('longestSilence', rest.longestSilence === undefined || isDuration(rest.longestSilence), '> 0 ms')
  check('maxMessageBytes', Number.isSafeInteger(maxMessageBytes) && maxMessageBytes > 0, '>= 1')
  return {
    ...{ host, port, device, connectDeadline, reconnects, longestPause, maxMessageBytes },
    ...{ newestOnly, reusesMemory, language, random, ...rest },
  }
}
