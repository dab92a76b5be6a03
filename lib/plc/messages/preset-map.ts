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
        return { ...line, name: nameWith(prefix, name) }
      })

/**
 * The name behind its prefix. An S7-1500 quotes each part of its OPC UA names: after a prefix whose parts are quoted, as in
 * `ns=3;s="Cell".`, the name is quoted too.
 */
function nameWith(prefix: string, name: string): string {
  const quotes = prefix.split('"').length - 1
  if (quotes % 2 === 1) return `${prefix}${name}"`
  return quotes > 0 && prefix.endsWith('.') ? `${prefix}"${name}"` : `${prefix}${name}`
}
