import type { MapLine } from '../data'
import type { Family } from '../families'
import type { MessageProtocol } from './protocol'

/** The map of a family as a protocol has it. @param prefix what its names begin with @default the protocol's own */
export const presetLines = (
  { map }: Family,
  { by, preset, prefix: usual }: MessageProtocol,
  prefix = usual,
): readonly MapLine[] =>
  by === 'address'
    ? map
    : map.map((given) => {
        const { name, line } = preset(given)
        return { ...line, name: `${prefix}${name}` }
      })
