/** Addresses as Siemens writes them, and the memory of a CPU that a map can use. */
import { isBitArea, type MapArea, type Notation, type NotedPlace } from '../data/map'
import type { PlcType } from '../rows'

/** Letters of the memory beside data blocks, German ones too. */
const memories: Readonly<Partial<Record<string, 'M' | 'I' | 'Q'>>> = {
  M: 'M',
  I: 'I',
  E: 'I',
  Q: 'Q',
  A: 'Q',
}

/** Bytes of an address of 16 bits. */
const mostBytes = 65_536

/** `DB1.DBX1.0`, `DB1.DBW4`, `DBD8`, `DB1,INT16`, `M1.0`, `MW10`; each with or without `%`. */
const inBlock = /^(?:DB(\d{1,5})[.,])?(?:DB)?([XBWDIRCS][A-Z]{0,5})(\d{1,5})(?:\.(\d{1,3}))?$/
const inMemory = /^([MIEQA])([XBWD]?)(\d{1,5})(?:\.(\d{1,2}))?$/

/** @param block number of the data block that the connection names */
export function s7Notation(block: number): Notation {
  const blockArea = (number: number): MapArea => (number === block ? 'registers' : `words DB${number}`)
  return {
    examples: `DB${block}.DBW4, DB${block}.DBX1.0, DB${block}.DBD8, MW10`,
    hasTextHeader: true,
    has: (area) => area === 'registers' || /^words (?:DB[1-9]\d{0,4}|[MIQ])$/.test(area),
    isWritable: (area) => area !== 'words I',
    read: (text, type) => {
      const plain = text.trim().toUpperCase().replace(/^%/, '').replaceAll(' ', '')
      const memory = inMemory.exec(plain)
      if (memory) {
        const [, letter = '', , byte = '', bit] = memory
        return placed(`words ${memories[letter] ?? 'M'}`, Number(byte), bit, type)
      }
      const [, given, , byte, bit] = inBlock.exec(plain) ?? []
      if (byte === undefined || (given !== undefined && Number(given) === 0)) return undefined
      // A text or a field of bytes has its length beside its address.
      return placed(blockArea(Number(given ?? block)), Number(byte), type === 'bit' ? bit : undefined, type)
    },
    write: ({ area, address = 0, bit, type, words }) => {
      const byte = 2 * address
      const name = area === 'registers' ? `DB${block}` : area.replace('words ', '')
      const isBlock = name.startsWith('DB')
      const first = isBlock ? `${name}.DB` : name
      if (type === 'bit') {
        const at = `${byte + ((bit ?? 0) < 8 ? 1 : 0)}.${(bit ?? 0) % 8}`
        return isBlock ? `${first}X${at}` : `${first}${at}`
      }
      const size = type === 'STRING' || type === 'bytes' ? 'B' : words === 2 ? 'D' : 'W'
      return `${first}${size}${byte}`
    },
  }
}

/** Words begin at even bytes, and the lower byte of a word is the odd one. */
function placed(area: MapArea, byte: number, bit: string | undefined, type: PlcType): NotedPlace | undefined {
  if (isBitArea(area) || byte >= mostBytes) return undefined
  if (type !== 'bit') return bit === undefined && byte % 2 === 0 ? { area, address: byte / 2 } : undefined
  if (bit === undefined || Number(bit) > 7) return undefined
  return { area, address: byte >> 1, bit: Number(bit) + (byte % 2 === 0 ? 8 : 0) }
}
