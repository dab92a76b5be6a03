import { isNumberType, numberTypes } from '../data/map'
import { swapsBytes } from '../data/values'
import type { WordOrder } from '../data'
import type { Dialect } from './dialects'
import type { ProgramBlock, RegisterField } from './fields'

/** Lines that take the values of a structure out of the words of its block. */
export function readLines({ fields }: ProgramBlock, order: WordOrder, dialect: Dialect): string[] {
  const { local } = dialect
  return fields.flatMap(({ name, slot, word }) => {
    const to = `${local('received')}.${name}`
    const at = (offset: number) => `${local('fromCell')}[${word + offset}]`
    if (slot.type === 'bit') return [`${to} := (${at(0)} AND ${mask(slot.bit)}) <> WORD#16#0000;`]
    if (!isNumberType(slot.type)) return copies(slot.words, (offset) => `${to}[${offset}] := ${at(offset)};`)
    if (numberTypes[slot.type].words === 1) return [`${to} := WORD_TO_${slot.type}(${at(0)});`]
    const [high, low] = halves(slot.order ?? order, at)
    const joined = `SHL(IN := WORD_TO_DWORD(${high}), N := 16) OR WORD_TO_DWORD(${low})`
    return [`${local('joined')} := ${joined};`, ...dialect.fromDouble(to, slot.type)]
  })
}

/** Lines that put the values of a structure into the words of its block. */
export function writeLines({ fields, count }: ProgramBlock, order: WordOrder, dialect: Dialect): string[] {
  const { local } = dialect
  const bitWords = new Set(fields.filter(({ slot }) => slot.type === 'bit').map(({ word }) => word))
  const at = (word: number) => `${local('toCell')}[${word}]`
  const cleared = Array.from({ length: count }, (_, word) => word).filter((word) => bitWords.has(word))
  return [
    ...cleared.map((word) => `${at(word)} := WORD#16#0000;`),
    ...fields.flatMap((field) => fieldLines(field, at, order, dialect)),
  ]
}

function fieldLines(
  { name, slot, word }: RegisterField,
  at: (word: number) => string,
  common: WordOrder,
  dialect: Dialect,
): string[] {
  const order = slot.order ?? common
  const from = `${dialect.local('sent')}.${name}`
  if (slot.type === 'bit') return [`IF ${from} THEN ${at(word)} := ${at(word)} OR ${mask(slot.bit)}; END_IF;`]
  if (!isNumberType(slot.type))
    return copies(slot.words, (offset) => `${at(word + offset)} := ${from}[${offset}];`)
  if (numberTypes[slot.type].words === 1) return [`${at(word)} := ${slot.type}_TO_WORD(${from});`]
  const double = dialect.local('joined')
  const high = `DWORD_TO_WORD(SHR(IN := ${double}, N := 16))`
  const low = `DWORD_TO_WORD(${double} AND DWORD#16#0000FFFF)`
  const [first, second] = order === 'ABCD' || order === 'BADC' ? [high, low] : [low, high]
  const swap = (value: string) => (swapsBytes(order) ? `ROL(IN := ${value}, N := 8)` : value)
  return [
    ...dialect.toDouble(from, slot.type),
    `${at(word)} := ${swap(first)};`,
    `${at(word + 1)} := ${swap(second)};`,
  ]
}

/** The higher and the lower half of 32 bit. */
function halves(order: WordOrder, at: (offset: number) => string): [string, string] {
  const word = (offset: number) => (swapsBytes(order) ? `ROL(IN := ${at(offset)}, N := 8)` : at(offset))
  return order === 'ABCD' || order === 'BADC' ? [word(0), word(1)] : [word(1), word(0)]
}

const mask = (bit = 0) => `WORD#16#${(1 << bit).toString(16).toUpperCase().padStart(4, '0')}`
const copies = (count: number, line: (offset: number) => string) =>
  Array.from({ length: count }, (_, offset) => line(offset))
