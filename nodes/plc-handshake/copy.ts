import { families, type FamilyId } from '../../lib/plc/families'
import { writeCsv, writePage, writeProgram } from '../../lib/plc/program'
import { type AdminCall, jsonBody, languageOf } from '../shared/admin'
import { defaultsOf } from '../shared/fields/checked-fields'
import { editedCodes, type EditedCode } from './edit-codes'
import { editedMap, type EditedMap } from './edit-map'
import { plcHandshakeNode } from './fields'
import { codesIn, mapOf, protocolOf } from './settings-of'
import { sentencesOf } from '../sentences'
import { asVisionError } from '../shared/node-error'

const { invalidInput } = sentencesOf('plc')

/** What the dialog can have made of its register map. */
export const copies = ['edit', 'page', 'csv', 'scl', 'st'] as const
export type CopyKind = (typeof copies)[number]

/** Of `edit` the map and the result codes, of all others one text. */
export interface CopyAnswer {
  map?: EditedMap
  /** Missing where they cannot be read. */
  codes?: EditedCode[]
  text?: string
}

/** What the dialog asks for, made of its fields. @throws INVALID_INPUT naming what cannot be used */
export function copyOf({ request }: AdminCall): CopyAnswer {
  const { kind = 'edit', fields } = jsonBody(request)
  if (!isKind(kind)) throw invalidInput('plc-copy-kind', { kinds: copies.join(', ') })
  // A form may refer to environment variables, which get their values at deploy.
  const given = { ...defaultsOf(plcHandshakeNode), ...textsIn(fields) }
  if (!Object.hasOwn(families, given.family)) throw invalidInput('plc-no-family', { family: given.family })
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
        const named = protocol === 'modbus' ? undefined : protocol
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
