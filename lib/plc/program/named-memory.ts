/** The values of a map by names as variables of the PLC, which other nodes read and write in its memory. */
import { writingOrder, type RowGroup } from '../rows'
import type { Family } from '../families'
import { type PlcMap, type Slot, openMap } from '../data'
import { type Dialect, inOneLine, programText, Names, plainName } from './language'
import { meaningOf } from './map-texts'
import { mask, namesOf, type ProgramField, type ProgramMemory } from './memory'
import { asDeviceLabels, namedByDevice } from './device-labels'
import { s7Layout } from './s7-layout'
import { later } from '../data/open-map'
import type { MessageProtocolId } from '../messages'

/** A variable of a map by names; bits of one name are one word. */
export interface NamedVariable {
  /** As the map has it. */
  name: string
  side: 'toCell' | 'fromCell'
  /** Its type in the PLC. */
  type: string
  /** In the memory of the PLC. */
  bytes: number
  isWordOfBits: boolean
  fields: readonly [ProgramField, ...ProgramField[]]
  /** When it is written, by the group of the last of its values. */
  group: RowGroup
}

/** The variables of a map by names, in the order of their lines. @throws PlcError `INVALID_INPUT` for a map with faults */
function namedVariables(map: PlcMap, protocol: ProgramProtocol): NamedVariable[] {
  const { slots } = openMap(map, 'name')
  const names = namesOf(slots, map)
  const found = new Map<string, NamedVariable>()
  for (const slot of slots) {
    const isBit = slot.type === 'bit'
    const isWordOfBits = isBit && slot.bit !== undefined
    const [type, bytes] = isWordOfBits ? ['WORD', 2] : typeOf(slot, protocol)
    const field = { slot, name: names.get(slot) ?? slot.row, type: isBit ? 'BOOL' : type }
    const name = slot.name ?? ''
    const before = found.get(name)
    found.set(name, {
      name,
      side: slot.meaning.from === 'plc' ? 'toCell' : 'fromCell',
      type,
      bytes,
      isWordOfBits,
      fields: before ? [...before.fields, field] : [field],
      group: before ? later(before.group, slot.meaning.group) : slot.meaning.group,
    })
  }
  return [...found.values()]
}

/** With its bytes; a bit of its own has none. */
function typeOf({ type, length, words }: Slot, protocol: ProgramProtocol): [type: string, bytes: number] {
  if (type === 'bit') return ['BOOL', 0]
  // A text of a MELSEC PLC ends with a zero, for which the map has no room.
  if (protocol === 'slmp' && (type === 'STRING' || type === 'bytes'))
    return [`ARRAY[0..${words - 1}] OF WORD`, 2 * words]
  // Two bytes tell how long the text can be, and is.
  if (type === 'STRING') return [`STRING[${length}]`, length + 2]
  return type === 'bytes' ? [`ARRAY[0..${length - 1}] OF BYTE`, length] : [type, 2 * words]
}

/** Protocols whose maps have names. */
export type NamedProtocol = Exclude<MessageProtocolId, 'modbus'>

/** Who reads and writes the variables: nodes of others by their names, or our client at their addresses. */
export type ProgramProtocol = NamedProtocol | 's7-client' | 'slmp'

/**
 * The variable that a name of the map means: list or data block first, then structures, the variable last.
 * @param side who writes it, for names that are keys of a message
 * @returns an empty path for a name without one, such as a numeric node id
 */
function variablePath(name: string, protocol: ProgramProtocol, side: 'toCell' | 'fromCell'): string[] {
  switch (protocol) {
    case 'opcua':
      return ofNodeId(name)
    case 'mqtt':
    case 'any':
      return [defaultList, side, ...partsOf(name)]
    case 'sparkplug':
      // The folders above a metric are not the program's.
      return [defaultList, side, ...partsOf(name.slice(name.lastIndexOf('/') + 1))]
    case 's7':
    case 'slmp':
    case 's7-client':
      return [name]
    default:
      return inList(partsOf(name))
  }
}

/** The list of variables whose names do not contain one. */
const defaultList = 'Cell'

/** `ns=3;s="Cell"."sequence"` of Siemens, `ns=4;s=|var|PLC.Application.GVL_Cell.sequence` of CODESYS, `ns=2;s=Cell.sequence`. */
function ofNodeId(name: string): string[] {
  const id = name.slice(name.indexOf(';') + 1)
  if (!id.startsWith('s=')) return []
  const ofController = '|var|'
  const isCodesys = id.startsWith(ofController, 2)
  const parts = partsOf(id.slice(isCodesys ? 2 + ofController.length : 2))
  // Device and application are above the lists of variables.
  return inList(isCodesys ? parts.slice(2) : parts)
}

/** A variable of the controller itself stands in a list too: the block has names of its own that it could be called by. */
const inList = (parts: string[]) => (parts.length === 1 ? [defaultList, ...parts] : parts)

/** Parts between dots that stand outside of quotes. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  let part = ''
  let isQuoted = false
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted
    else if (letter === '.' && !isQuoted) {
      parts.push(part)
      part = ''
    } else part += letter
  }
  parts.push(part)
  return parts.filter(Boolean)
}

/** A variable of the map with its path in the program. */
interface PlacedVariable {
  variable: NamedVariable
  /** List or data block, structures, name. */
  path: readonly string[]
}

/** A list of variables, or a structure in it. */
interface Branch {
  branches: Map<string, Branch>
  leaves: Map<string, NamedVariable>
}

/** The lists and structures that the names of a map mean. */
class VariableTree {
  readonly placed: readonly PlacedVariable[]
  readonly #dialect: Dialect
  /** Lists by their name. */
  readonly #root: Branch = newBranch()

  constructor(variables: readonly NamedVariable[], protocol: ProgramProtocol, dialect: Dialect) {
    this.#dialect = dialect
    const taken = new Names()
    this.placed = variables.map((variable) => {
      const found = variablePath(variable.name, protocol, variable.side)
      const path = found.length > 0 ? found : [defaultList, variable.fields[0].name]
      const parents = path.slice(0, -1)
      // Two names that differ only in what no controller takes.
      const place = parents.map((part) => plainName(part)).join('.')
      const wished = path.at(-1) ?? ''
      const isTaken = taken.next(`${place}.${plainName(wished)}`)
      const name =
        isTaken.toLowerCase() === `${place}.${plainName(wished)}`.toLowerCase()
          ? wished
          : isTaken.slice(place.length + 1)
      const [list = '', ...structures] = parents
      let branch = childOf(this.#root, list)
      for (const each of structures) branch = childOf(branch, each)
      branch.leaves.set(name, variable)
      return { variable, path: [...parents, name] }
    })
  }

  get lists(): string[] {
    return [...this.#root.branches.keys()]
  }

  /** Types first. @param meaning what the comment beside a variable says */
  declarations(meaning: (variable: NamedVariable) => string): string[] {
    const lists = [...this.#root.branches]
    const types = lists.flatMap(([list, branch]) => this.#typesIn(branch, list, meaning))
    const variables = lists.flatMap(([list, branch]) => [
      ...this.#dialect.variables(list, this.#members(branch, list, meaning)),
      '',
    ])
    return [...types, ...variables]
  }

  #typesIn(branch: Branch, place: string, meaning: (variable: NamedVariable) => string): string[] {
    return [...branch.branches].flatMap(([name, inner]) => {
      const inside = typePlace(place, name)
      return [
        ...this.#typesIn(inner, inside, meaning),
        ...this.#dialect.structure(typeOfTree(inside), this.#members(inner, inside, meaning)),
        '',
      ]
    })
  }

  #members(
    { branches, leaves }: Branch,
    place: string,
    meaning: (variable: NamedVariable) => string,
  ): string[] {
    const { member, typeName } = this.#dialect
    return [
      ...[...branches.keys()].map(
        (name) => `${member(name)} : ${typeName(typeOfTree(typePlace(place, name)))};`,
      ),
      ...[...leaves].map(([name, variable]) => {
        const original = variable.name.endsWith(member(name)) ? '' : `${variable.name} · `
        return `${member(name)} : ${variable.type};   // ${inOneLine(original + meaning(variable))}`
      }),
    ]
  }
}

const newBranch = (): Branch => ({ branches: new Map(), leaves: new Map() })

function childOf({ branches }: Branch, name: string): Branch {
  const known = branches.get(name) ?? newBranch()
  branches.set(name, known)
  return known
}

const typePlace = (place: string, name: string) => `${place}_${name}`

const typeOfTree = (place: string) => `${plainName(place)}_Type`

/**
 * The variables that others read and write in the memory of the PLC, by the names of the map.
 * @throws PlcError `INVALID_INPUT` for a map with faults, and for addresses that no data block can have
 */
export function namedMemory(
  map: PlcMap,
  family: Family,
  protocol: ProgramProtocol,
  dialect: Dialect,
  language?: string,
): ProgramMemory {
  const named = protocol === 's7-client' ? inDataBlocks(map) : protocol === 'slmp' ? namedByDevice(map) : map
  const variables = namedVariables(named, protocol)
  const say = (key: Parameters<typeof programText>[0], values?: Record<string, unknown>) =>
    programText(key, values, language)
  const meaning = ({ fields }: NamedVariable) =>
    fields
      .map(({ slot }) => `${slot.bit === undefined ? '' : `${slot.bit}: `}${meaningOf(slot, map, language)}`)
      .join(' · ')
  const { placed, declarations, notes } =
    protocol === 's7' || protocol === 's7-client'
      ? asDataBlocks(variables, family, dialect, {
          meaning,
          shown: protocol === 's7' ? (one) => one : siemensAddress,
        })
      : protocol === 'slmp'
        ? asDeviceLabels(variables, meaning)
        : asVariables(variables, protocol, dialect, meaning)

  const onSide = (side: NamedVariable['side']) => placed.filter(({ variable }) => variable.side === side)
  const fields = (side: NamedVariable['side']) => onSide(side).flatMap(({ variable }) => variable.fields)
  return {
    toCell: fields('toCell'),
    fromCell: fields('fromCell'),
    notes: [
      ...stepsOf(protocol).map((key) => say(key)),
      ...notes.map((list) => say('program-list', { list })),
    ],
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

export interface Declared {
  placed: readonly PlacedVariable[]
  declarations: readonly string[]
  /** Lists that the notes name. */
  notes: readonly string[]
}

/** What is to be set in the engineering tool of a MELSEC PLC. */
const engineeringSteps = [
  'program-slmp-labels',
  'program-slmp-block',
  'program-slmp-connection',
  'program-slmp-binary',
  'program-slmp-devices',
] as const

type MeaningOf = (variable: NamedVariable) => string

/** Lists of variables, or optimized data blocks, with structures in them. */
function asVariables(
  variables: readonly NamedVariable[],
  protocol: ProgramProtocol,
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
  { meaning, shown }: { meaning: MeaningOf; shown: (address: string) => string },
): Declared {
  const blocks = s7Layout(variables, family)
  const placed: PlacedVariable[] = []
  const declarations = blocks.flatMap(({ number, members }) => {
    const list = `Cell_DB${number}`
    const taken = new Names()
    const lines = members.map(({ name, type, variable, address = '' }) => {
      const own = taken.next(variable ? variableName(variable, name) : name)
      if (variable) placed.push({ variable, path: [list, own] })
      const comment = variable
        ? `   // ${inOneLine(own === name || name === address ? '' : `${name} · `)}${shown(address)} · ${inOneLine(meaning(variable))}`
        : ''
      return `${dialect.member(own)} : ${type};${comment}`
    })
    return [...dialect.variables(list, lines, true), '']
  })
  return { placed, declarations, notes: blocks.map(({ number }) => `Cell_DB${number} = DB${number}`) }
}

const tiaSteps = [
  'program-tia-permit',
  'program-tia-access',
  'program-tia-block',
  'program-tia-import',
  'program-tia-call',
] as const

/** What to set in the programming tool, a line each; for all others what the names are. */
function stepsOf(protocol: ProgramProtocol) {
  if (protocol === 's7-client') return tiaSteps
  return protocol === 'slmp' ? engineeringSteps : ([`program-${protocol}`] as const)
}

/** The values at addresses of data blocks as variables that are called by them. */
const inDataBlocks = (map: PlcMap): PlcMap => ({
  by: 'name',
  ...(map.pose && { pose: map.pose }),
  lines: openMap(map).slots.map((slot) => {
    const { line, row, index, component, type, bit, length, meaning } = slot
    const { path, unit, scale } = map.lines[line] ?? {}
    return {
      row,
      type,
      name: blockName(slot, map),
      ...(meaning.indexed && { index }),
      ...(meaning.components && { component }),
      ...(path !== undefined && { path }),
      ...(unit !== undefined && { unit }),
      ...(scale !== undefined && { scale }),
      ...(bit !== undefined && { bit }),
      ...(length > 0 && { length }),
    }
  }),
})

/** `DB1,W4`; memory that is no data block has its own address, which no block can have. */
function blockName(slot: Slot, { notation }: PlcMap): string {
  const { address = 0, length, type } = slot
  const shown = notation?.write(slot) ?? ''
  const block = /^DB\d+/.exec(shown)?.[0]
  if (block === undefined) return shown
  const letter = {
    bit: 'W',
    UINT: 'W',
    INT: 'I',
    UDINT: 'DW',
    DINT: 'DI',
    REAL: 'R',
    STRING: 'S',
    bytes: 'B',
  }[type]
  return `${block},${letter}${2 * address}${type === 'STRING' || type === 'bytes' ? `.${length}` : ''}`
}

/** `DB1.DBW4` of `DB1,INT4`: as the programming tool shows it. */
function siemensAddress(address: string): string {
  const [, block = '', letters = '', place = ''] = /^(DB\d+),([A-Z]+)([\d.]+)$/.exec(address) ?? []
  const size = letters === 'X' ? 'X' : /^(?:B|C|S)/.test(letters) ? 'B' : /^(?:I|W)/.test(letters) ? 'W' : 'D'
  return `${block}.DB${size}${size === 'X' ? place : place.split('.', 1).join('')}`
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
