/** The register map and the result codes of an open dialog: edited, checked, printed, and as a program. */
import type { Node, NodeAPI } from 'node-red'
import { checkMap, mapFaultText, openMap, units, type MapLine, type PlcMap } from '../../lib/plc/data'
import { formatOf, isBitArea, labelOf, placedLine, quantityOfLine, slotsOfLine } from '../../lib/plc/data/map'
import { sampleOf } from '../../lib/plc/data/open-map'
import { families, type FamilyId } from '../../lib/plc/families'
import { shortMeaningOf, codeNameText, writeCsv, writePage, writeProgram } from '../../lib/plc/program'
import { plcTypes, rows, type Row, type RowName } from '../../lib/plc/rows'
import { numberOf, defaultsOf } from '../shared/fields/checked-fields'
import { plcHandshakeNode, type PlcHandshakeFields } from './fields'
import { familyLinesOf, mapOf, ownLinesOf, ownCodesIn, codesIn, protocolOf } from './settings-of'
import { type PlcIdentity, polledPlc } from './polled-plc'
import { environmentText } from '../shared/read-fields'
import { sentencesOf } from '../sentences'
import { codeTable, defaultCodes, faultsOfCodes, type CodeName } from '../../lib/plc/codes'
import { type AdminCall, jsonBody, languageOf } from '../shared/admin'
import { PlcError } from '../../lib/plc/plc-error'
import { asVisionError } from '../shared/node-error'

const { invalidInput } = sentencesOf('plc')

/** A line of the map as the dialog edits it. */
export interface EditedLine {
  /** As it is stored: addresses from the first register of the map. */
  line: MapLine
  /** As the handshake has it; missing for a line that was added. */
  original?: MapLine
  /** As the programming tool of the PLC writes its address; missing where addresses are numbers. */
  address?: string
  /** The same in all versions of a map: `pose 1.3`. */
  key: string
  /** The meaning in a word or two. */
  name: string
  from: 'plc' | 'cell'
  isChanged: boolean
  types: readonly string[]
  /** Units that the value can have; empty for a plain number. */
  units: readonly string[]
  /** A sample value as a person reads it, and its registers in hexadecimal. */
  sample?: { text: string; words: string }
  faults: string[]
}

/** The map of a form, whether or not it can be used. */
export interface EditedMap {
  by: 'address' | 'name'
  /** Its addresses are those of the PLC's programming tool. */
  isNoted: boolean
  /** Added to every address. */
  offset: number
  lines: EditedLine[]
  /** All lines of the handshake; a map that has no others is stored as an empty list. */
  family: readonly MapLine[]
  /** Lines of the handshake that the map does not have. */
  missing: { line: MapLine; name: string }[]
  /** Meanings that any map can have more of. */
  more: { line: MapLine; name: string }[]
  /** Faults of the map as a whole. */
  faults: string[]
}

/** @throws INVALID_INPUT, PlcError where no line can be read, or for a setting of all lines */
function editedMap(fields: PlcHandshakeFields, language?: string): EditedMap {
  const map = mapOf(fields)
  const originals = new Map(familyLinesOf(fields).map((line) => [keyOf(line), line]))
  const { notation } = map
  const own = ownLinesOf(fields)?.map((line) => placedLine(line, notation)) ?? [...originals.values()]
  const faults = checkMap(map, map.by)
  const lines = map.lines.map((line, place): EditedLine => {
    const stored = own[place] ?? line
    const original = originals.get(keyOf(stored))
    const of = faults.filter((fault) => fault.line === place)
    const isKnown = Object.hasOwn(rows, line.row)
    const row: Row | undefined = isKnown ? rows[line.row] : undefined
    const sample = isKnown && of.length === 0 ? sampleText(line, place, map) : undefined
    return {
      line: stored,
      ...(original && { original }),
      ...(notation && { address: addressText(line, place, map) }),
      key: keyOf(stored),
      name: isKnown ? nameOf(line, map, language) : line.row,
      from: row?.from ?? 'cell',
      isChanged: !original || !isSame(stored, original),
      types: row ? typesOf(row) : [],
      units: row ? unitsOf(line, row, map) : [],
      ...(sample && { sample }),
      faults: of.map((fault) => mapFaultText(fault, language)),
    }
  })
  const present = new Set(lines.map(({ key }) => key))
  const { request } = families[fields.family]
  const hasRequest = map.lines.some(({ row }) => row === request)
  const named = (line: MapLine) => ({ line, name: nameOf(line, map, language) })
  return {
    by: map.by ?? 'address',
    isNoted: notation !== undefined,
    offset: notation ? 0 : numberOf(plcHandshakeNode, fields, 'offset'),
    lines,
    family: [...originals.values()],
    missing: [...originals].filter(([key]) => !present.has(key)).map(([, line]) => named(line)),
    more: moreLines({ ...map, lines: own }, present).map(named),
    faults: hasRequest
      ? []
      : [noRequest(nameOf({ row: request, type: 'bit' }, map, language)).inLanguage(language)],
  }
}

const addressText = (line: MapLine, place: number, map: PlcMap): string => {
  const { address }: { address?: number | string } = line
  // What cannot be read is shown as it was typed.
  if (typeof address === 'string') return address
  const [slot] = Object.hasOwn(rows, line.row) ? slotsOfLine(line, place, map) : []
  return (address !== undefined && slot && map.notation?.write(slot)) || ''
}

const noRequest = (row: string) => invalidInput('plc-map-no-request', { row })

const keyOf = (line: MapLine): string => (Object.hasOwn(rows, line.row) ? labelOf(line) : line.row)

const nameOf = (line: MapLine, map: PlcMap, language?: string): string => {
  const [slot, ...others] = slotsOfLine(line, 0, map)
  return slot ? `${shortMeaningOf(slot, map, language)}${others.length > 0 ? ' …' : ''}` : line.row
}

const isSame = (one: MapLine, other: MapLine): boolean => {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof MapLine>
  return [...names].every((name) => one[name] === other[name])
}

const typesOf = ({ kind }: Row): readonly string[] =>
  kind === 'any'
    ? plcTypes
    : kind === 'bit'
      ? ['bit']
      : kind === 'text'
        ? ['STRING']
        : plcTypes.filter((type) => type !== 'bit' && type !== 'STRING' && type !== 'bytes')

function unitsOf(line: MapLine, row: Row, map: PlcMap): readonly string[] {
  if (line.type === 'bit' || line.type === 'STRING' || line.type === 'bytes') return []
  if (line.row === 'property') return Object.values(units).flatMap((each) => Object.keys(each))
  const number = row.components ? formatOf(map).numbers[(line.component ?? 1) - 1] : undefined
  const quantity = quantityOfLine(line, number)
  return quantity === 'number' ? [] : Object.keys(units[quantity])
}

function sampleText(line: MapLine, place: number, map: PlcMap): EditedLine['sample'] {
  const [slot] = slotsOfLine(line, place, map)
  const sample = slot && sampleOf(slot, map)
  if (!slot || !sample) return undefined
  const { value, words } = sample
  const shown = typeof value === 'number' ? Number(value.toPrecision(7)) : value === true ? 1 : value
  const isCoil = isBitArea(slot.area)
  const hex = words.map((word) =>
    word
      .toString(16)
      .toUpperCase()
      .padStart(isCoil ? 1 : 4, '0'),
  )
  return {
    text: `${String(shown)}${slot.unit === undefined ? '' : ` ${slot.unit}`}`,
    words: map.by === 'name' ? '' : hex.join(' '),
  }
}

/** Rows that no family has so many of: the next argument, the next pose, a property of the message, all single ones. */
function moreLines(map: PlcMap, present: ReadonlySet<string>): MapLine[] {
  const ends = map.lines
    .filter(({ row }) => Object.hasOwn(rows, row))
    .flatMap((line, place) => slotsOfLine(line, place, map))
    .map(({ address = 0, words }) => address + words)
  const free = Math.max(0, ...ends)
  const place = map.by === 'name' ? { name: '' } : { address: free }
  return (Object.keys(rows) as RowName[]).flatMap((name): MapLine[] => {
    const row: Row = rows[name]
    const type = row.kind === 'bit' ? 'bit' : name === 'property' || name === 'pose' ? 'REAL' : 'INT'
    const line: MapLine = {
      row: name,
      type,
      ...place,
      ...(type === 'bit' && map.by !== 'name' && { bit: 0 }),
      ...(row.indexed && { index: nextIndex(map, name) }),
      ...(row.path && { path: 'payload.value' }),
    }
    return present.has(keyOf(line)) ? [] : [line]
  })
}

const nextIndex = ({ lines }: PlcMap, name: RowName) =>
  1 + Math.max(0, ...lines.filter(({ row }) => row === name).map(({ index = 1 }) => index))

/** A line of the table of result codes as the dialog edits it. */
export interface EditedCode {
  /** An `error.code`, or a return code of the device. */
  name: string
  /** For the PLC programmer. */
  meaning: string
  /** As it is stored, whether or not it can be used. */
  code: unknown
  /** Without a change; missing for a line that was added. */
  original?: number
  isChanged: boolean
  fault?: string
}

/** The table of result codes of a form: all lines that there are, then those that were added. @throws INVALID_INPUT */
function editedCodes(text: string, language?: string): EditedCode[] {
  const own = ownCodesIn(text)
  const table = codeTable(own)
  const faults = new Set(faultsOfCodes(table).map(({ name }) => name))
  const names = new Set([...Object.keys(defaultCodes), ...Object.keys(own)])
  return [...names].map((name): EditedCode => {
    const original = Object.hasOwn(defaultCodes, name) ? defaultCodes[name as CodeName] : undefined
    return {
      name,
      meaning: codeNameText(name, language),
      code: table[name],
      ...(original !== undefined && { original }),
      isChanged: table[name] !== original,
      ...(faults.has(name) && { fault: invalidInput('plc-codes', { name }).inLanguage(language) }),
    }
  })
}

/** What can be made of the register map of a dialog. */
export const copies = ['edit', 'page', 'csv', 'scl', 'st'] as const

export type CopyKind = (typeof copies)[number]

/** Of `edit` the map and the result codes, of all others one text. */
export interface CopyAnswer {
  map?: EditedMap
  /** Missing where they cannot be read. */
  codes?: EditedCode[]
  text?: string
}

/** The fields of an open dialog. @throws INVALID_INPUT */
function formOf(fields: unknown): PlcHandshakeFields {
  // A form may refer to environment variables, which get their values at deploy.
  const given = { ...defaultsOf(plcHandshakeNode), ...textsIn(fields) }
  if (!Object.hasOwn(families, given.family)) throw invalidInput('plc-no-family', { family: given.family })
  return given
}

/** What answers at the address of a dialog, and whether it has the memory of the map. @throws why not */
export async function testOf(RED: NodeAPI, { request, signal }: AdminCall): Promise<PlcIdentity> {
  const given = formOf(jsonBody(request)['fields'])
  const polled = polledPlc(given)
  if (!polled?.test) throw invalidInput('plc-no-test')
  const host = environmentText(RED, {} as Node, 'host', given.host).trim()
  try {
    return await polled.test({ host, port: polled.port }, openMap(mapOf(given)), signal)
  } catch (error) {
    throw asVisionError(asTyped(error, given.host), languageOf(request))
  }
}

/** Filling in a form must not reveal environment variables, so the address stays as typed. */
function asTyped(error: unknown, host: string): unknown {
  if (!(error instanceof PlcError) || error.values['host'] === undefined) return error
  const { code, key, values, cause, sentences } = error
  return new PlcError({ code, key, values: { ...values, host }, ...(cause && { cause }) }, sentences)
}

/** What the dialog asks for, made of its fields. @throws INVALID_INPUT naming what cannot be used */
export function copyOf({ request }: AdminCall): CopyAnswer {
  const { kind = 'edit', fields } = jsonBody(request)
  if (!isKind(kind)) throw invalidInput('plc-copy-kind', { kinds: copies.join(', ') })
  const given = formOf(fields)
  const language = languageOf(request)
  const family = families[given.family satisfies FamilyId]
  try {
    if (kind === 'edit') return { map: editedMap(given, language), ...codesOf(given.codes, language) }
    const map = mapOf(given)
    switch (kind) {
      case 'page': {
        const codes = codesIn(given.codes)
        return { text: writePage(map, { family: family.id, codes, ...(language && { language }) }) }
      }
      case 'csv':
        return { text: writeCsv(map, language) }
      default: {
        const protocol = protocolOf(given.connection)?.id
        const named = protocol === 'modbus' ? undefined : (protocol ?? polledPlc(given)?.program)
        return {
          text: writeProgram(map, family, kind, {
            ...(language && { language }),
            ...(named && { protocol: named }),
          }),
        }
      }
    }
  } catch (error) {
    throw asVisionError(error, language)
  }
}

/** What is no JSON, the form says itself: the map is there all the same. */
function codesOf(text: string, language?: string): Pick<CopyAnswer, 'codes'> {
  try {
    return { codes: editedCodes(text, language) }
  } catch {
    return {}
  }
}

const isKind = (kind: unknown): kind is CopyKind => copies.some((each) => each === kind)

/** The fields of the form that are texts: all that are needed here. */
function textsIn(fields: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(Object(fields) as Record<string, unknown>).filter(
      (field): field is [string, string] => typeof field[1] === 'string',
    ),
  )
}
