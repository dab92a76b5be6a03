/** What a CPU refuses, and why a connection to it fails, in sentences. */
import { sentencesIn } from '../../kernel/sentences'
import { type PlcError, plcErrorsOf } from '../plc-error'
import { s7Areas, type S7Extent } from './frames'
import type en from './locales/en-US/sentences.json'

export const s7Error = plcErrorsOf(sentencesIn<typeof en>(__dirname))

interface Refusal {
  /** Return code of an item, or error class and code of a header. */
  code: number
  isWrite: boolean
  extent?: S7Extent
  values: { host: string; port: number; block: number }
}

/** Header errors of a CPU that does not permit PUT/GET, and of one that wants a password. */
const notPermitted: ReadonlySet<number> = new Set([0x8104, 0x8304, 0x8404])
const needsPassword: ReadonlySet<number> = new Set([0xd241, 0xd602, 0xd605])

export function refusalOf({ code, isWrite, extent, values }: Refusal): PlcError {
  const first = extent?.byte ?? 0
  const last = first + (extent?.bytes ?? 1) - 1
  const memory = extent ? memoryOf(extent) : ''
  return s7Error({
    code: 'REFUSED',
    key: keyOf(code, isWrite, extent),
    values: { ...values, memory, first, last, size: last + 1, returned: hex(code) },
    cause: { exception: code },
  })
}

function keyOf(code: number, isWrite: boolean, extent: S7Extent | undefined) {
  if (notPermitted.has(code)) return 's7-put-get'
  if (needsPassword.has(code)) return 's7-protected'
  switch (code) {
    case 0x03:
      return isWrite ? 's7-write-refused' : 's7-put-get'
    case 0x05:
      return extent && extent.area !== s7Areas.block ? 's7-no-memory' : 's7-short-block'
    case 0x06:
    case 0x07:
      return 's7-type'
    case 0x0a:
      return 's7-no-block'
    case 0x8500:
      return 's7-too-long'
    default:
      return 's7-refused'
  }
}

/** `DB1`, `M`. */
const memoryOf = ({ area, block }: S7Extent): string =>
  area === s7Areas.block ? `DB${block}` : area === s7Areas.flags ? 'M' : area === s7Areas.inputs ? 'I' : 'Q'

const hex = (code: number) =>
  code
    .toString(16)
    .toUpperCase()
    .padStart(code > 255 ? 4 : 2, '0')
