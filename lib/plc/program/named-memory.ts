import { writingOrder, type RowGroup } from '../rows'
import type { Family } from '../families'
import type { PlcMap } from '../data'
import type { Dialect } from './dialects'
import { inOneLine } from './identifiers'
import { meaningOf } from './map-table'
import type { ProgramMemory } from './memory'
import { namedVariables, type NamedVariable } from './named-variables'
import { programText } from './program-texts'
import { s7Layout } from './s7-layout'
import type { NamedProtocol } from './variable-path'
import { VariableTree, type PlacedVariable } from './variable-tree'

/**
 * The variables that others read and write in the memory of the PLC, by the names of the map.
 * @throws PlcError `INVALID_INPUT` for a map with faults, and for addresses that no data block can have
 */
export function namedMemory(
  map: PlcMap,
  family: Family,
  protocol: NamedProtocol,
  dialect: Dialect,
  language?: string,
): ProgramMemory {
  const variables = namedVariables(map)
  const say = (key: Parameters<typeof programText>[0], values?: Record<string, unknown>) =>
    programText(key, values, language)
  const meaning = ({ fields }: NamedVariable) =>
    fields
      .map(({ slot }) => `${slot.bit === undefined ? '' : `${slot.bit}: `}${meaningOf(slot, map, language)}`)
      .join(' · ')
  const { placed, declarations, notes } =
    protocol === 's7'
      ? asDataBlocks(variables, family, dialect, meaning)
      : asVariables(variables, protocol, dialect, meaning)

  const onSide = (side: NamedVariable['side']) => placed.filter(({ variable }) => variable.side === side)
  const fields = (side: NamedVariable['side']) => onSide(side).flatMap(({ variable }) => variable.fields)
  return {
    toCell: fields('toCell'),
    fromCell: fields('fromCell'),
    notes: [say(`program-${protocol}`), ...notes.map((list) => say('program-list', { list }))],
    declarations,
    knowsLink: false,
    parameters: [],
    variables: variables.some(({ isWordOfBits }) => isWordOfBits) ? ['collected : WORD;'] : [],
    // The other way round than the cell writes: what is valid by the state was there before it.
    read: onSide('fromCell')
      .sort((one, other) => rankOf(other) - rankOf(one))
      .flatMap((each) => readLines(each, dialect)),
    // What asks comes last: job and arguments stand by then.
    write: onSide('toCell')
      .sort((one, other) => Number(asks(one)) - Number(asks(other)))
      .flatMap((each) => writeLines(each, dialect)),
  }
}

interface Declared {
  placed: readonly PlacedVariable[]
  declarations: readonly string[]
  /** Lists that the notes name. */
  notes: readonly string[]
}

type MeaningOf = (variable: NamedVariable) => string

/** Lists of variables, or optimized data blocks, with structures in them. */
function asVariables(
  variables: readonly NamedVariable[],
  protocol: NamedProtocol,
  dialect: Dialect,
  meaning: MeaningOf,
): Declared {
  const tree = new VariableTree(variables, protocol, dialect)
  return { placed: tree.placed, declarations: tree.declarations(meaning), notes: tree.lists }
}

/** Data blocks whose members have fixed addresses. */
function asDataBlocks(
  variables: readonly NamedVariable[],
  family: Family,
  dialect: Dialect,
  meaning: MeaningOf,
): Declared {
  const blocks = s7Layout(variables, family)
  const placed: PlacedVariable[] = []
  const declarations = blocks.flatMap(({ number, members }) => {
    const list = `Cell_DB${number}`
    const lines = members.map(({ name, type, variable, address = '' }) => {
      const own = variable ? variableName(variable, name) : name
      if (variable) placed.push({ variable, path: [list, own] })
      const comment = variable
        ? `   // ${inOneLine(own === name || name === address ? '' : `${name} · `)}${address} · ${inOneLine(meaning(variable))}`
        : ''
      return `${dialect.member(own)} : ${type};${comment}`
    })
    return [...dialect.variables(list, lines, true), '']
  })
  return { placed, declarations, notes: blocks.map(({ number }) => `Cell_DB${number} = DB${number}`) }
}

/** An address is no name: its member is called by its row, words of bits as everywhere. */
const variableName = ({ isWordOfBits, side, fields: [field] }: NamedVariable, name: string): string =>
  !/[,]/.test(name) ? name : isWordOfBits ? (side === 'toCell' ? 'control' : 'state') : field.name

function readLines({ variable, path }: PlacedVariable, dialect: Dialect): string[] {
  const { local } = dialect
  const from = dialect.global(path)
  if (!variable.isWordOfBits) return [`${local('received')}.${variable.fields[0].name} := ${from};`]
  return [
    `${local('collected')} := ${from};`,
    ...variable.fields.map(
      ({ name, slot }) =>
        `${local('received')}.${name} := (${local('collected')} AND ${mask(slot.bit)}) <> WORD#16#0000;`,
    ),
  ]
}

function writeLines({ variable, path }: PlacedVariable, dialect: Dialect): string[] {
  const { local } = dialect
  const to = dialect.global(path)
  if (!variable.isWordOfBits) return [`${to} := ${local('sent')}.${variable.fields[0].name};`]
  // The word changes at once: between two statements others may read it.
  const collected = local('collected')
  return [
    `${collected} := WORD#16#0000;`,
    ...variable.fields.map(
      ({ name, slot }) =>
        `IF ${local('sent')}.${name} THEN ${collected} := ${collected} OR ${mask(slot.bit)}; END_IF;`,
    ),
    `${to} := ${collected};`,
  ]
}

const ranks: readonly RowGroup[] = writingOrder
const rankOf = ({ variable: { group } }: PlacedVariable) => ranks.indexOf(group)

const asks = ({ variable: { fields } }: PlacedVariable) =>
  fields.some(({ slot: { row } }) => row === 'trigger' || row === 'sequence' || row === 'command')

const mask = (bit = 0) => `WORD#16#${(1 << bit).toString(16).toUpperCase().padStart(4, '0')}`
