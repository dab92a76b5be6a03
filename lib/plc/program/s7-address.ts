import type { NamedVariable } from './named-variables'

/** Where a variable is in data blocks without optimized access. */
export interface S7Place {
  /** Number of the data block. */
  block: number
  /** From the beginning of the block. */
  bit: number
}

/** Bytes of one item, by the letters of an address as `node-red-contrib-s7` takes it. */
const bytesOf: Readonly<Partial<Record<string, number>>> = {
  ...{ X: 0, B: 1, BYTE: 1, C: 1, CHAR: 1, I: 2, INT: 2, W: 2, WORD: 2 },
  ...{ D: 4, DW: 4, DWORD: 4, DI: 4, DINT: 4, R: 4, REAL: 4, S: 1, STRING: 1 },
}

/** Whether a name of the map is an address: `DB1,INT16`. */
export const isS7Address = (name: string): boolean => /^DB\d{1,5},/i.test(name)

/** @returns undefined where the address is none of a data block, or of a value of another size */
export function s7Place({ name, bytes, type }: NamedVariable): S7Place | undefined {
  const found = /^DB(\d{1,5}),([A-Z]{1,6})(\d{1,5})(?:\.(\d{1,3}))?$/i.exec(name)
  if (!found) return undefined
  const [, block = '', letters = '', offset = '', further] = found
  const item = bytesOf[letters.toUpperCase()]
  const isText = /^S/i.test(letters)
  if (item === undefined || isText !== type.startsWith('STRING')) return undefined
  const isBit = item === 0
  if (isBit !== (type === 'BOOL') || (isBit && Number(further ?? 8) > 7)) return undefined
  const size = isText ? Number(further) + 2 : item * (isBit ? 1 : Number(further ?? 1))
  if (size !== bytes) return undefined
  return { block: Number(block), bit: 8 * Number(offset) + (isBit ? Number(further) : 0) }
}

/** The address to enter in the list of variables of `node-red-contrib-s7`. */
export function s7Address({ type, bytes }: NamedVariable, { block, bit }: S7Place): string {
  const at = Math.floor(bit / 8)
  if (type === 'BOOL') return `DB${block},X${at}.${bit % 8}`
  if (type.startsWith('STRING')) return `DB${block},S${at}.${bytes - 2}`
  if (type.startsWith('ARRAY')) return `DB${block},BYTE${at}.${bytes}`
  return `DB${block},${letters[type] ?? type}${at}`
}

/** The package has no unsigned types of their own. */
const letters: Readonly<Partial<Record<string, string>>> = { UINT: 'WORD', UDINT: 'DWORD' }
