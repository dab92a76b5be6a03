import type { Parameter, Service, Shape } from '../../schemas/pipeline'
import { argumentUnit, choices, parameterUnit } from '../values'

/** The editor draws a form from it, and the runtime checks values against it. */
export type FormShape = Leaf | Group | List

export interface Leaf {
  is: 'leaf'
  /** `string`, `bool`, `int8` to `uint64`, `float32`, `float64`, `integer`, `number`, `file`, `json`, or `any`. */
  type: string
  /** The allowed values. @default any value */
  choices?: readonly string[]
  min?: number
  max?: number
  /** Symbol, for example `Hz`. */
  unit?: string
  about?: string
  required?: boolean
  mayBeEmpty?: boolean
}

export interface Group {
  is: 'group'
  fields: Readonly<Record<string, FormShape>>
  about?: string
  required?: boolean
}

interface List {
  is: 'list'
  of: FormShape
  about?: string
  required?: boolean
}

type LeafDetails = { readonly [Name in keyof Omit<Leaf, 'is' | 'type'>]?: Leaf[Name] | undefined }

/** One value of a form, as the device or the contract describes it. */
export const leaf = (type: string, details: LeafDetails = {}): Leaf => ({
  is: 'leaf',
  type,
  ...Object.fromEntries(Object.entries(details).filter(([, value]) => isSet(value))),
})

const isSet = (value: unknown) => value !== undefined && value !== false

export function parameterLeaf(record: Parameter): Leaf {
  const { type, min, max } = record
  const texts = choices(record)
  return leaf(type, {
    required: true,
    mayBeEmpty: type === 'string' && !texts,
    choices: texts,
    unit: parameterUnit(record) || undefined,
    min: typeof min === 'number' ? min : undefined,
    max: typeof max === 'number' ? max : undefined,
  })
}

/** The form of a service's arguments, from their shape; the device does not say which are required. */
export const serviceForm = ({ args }: Pick<Service, 'args'>): Group => groupOf(args as Shape | undefined, '')

function shapeOf(shape: Shape | undefined, path: string): FormShape {
  if (typeof shape === 'string')
    return leaf(shape, { unit: isNumber(shape) ? argumentUnit(path) : undefined })
  if (Array.isArray(shape)) return { is: 'list', of: shapeOf((shape as readonly Shape[])[0], path) }
  return isGroup(shape) ? groupOf(shape, path) : leaf('any')
}

const groupOf = (shape: Shape | undefined, path: string): Group => ({
  is: 'group',
  fields: Object.fromEntries(
    Object.entries(isGroup(shape) ? shape : {}).map(([name, of]) => [
      name,
      shapeOf(of, path ? `${path}.${name}` : name),
    ]),
  ),
})

const isGroup = (shape: Shape | undefined): shape is Readonly<Record<string, Shape>> =>
  typeof shape === 'object' && !Array.isArray(shape)

const isNumber = (type: string) => /^(float|u?int)\d+$/.test(type)

/** The sources of a form field other than a fixed value, as Node-RED's typed input names them. */
export const referenceKinds = ['msg', 'flow', 'global', 'jsonata', 'env'] as const

type ReferenceKind = (typeof referenceKinds)[number]

export const isReferenceKind = (kind: string): kind is ReferenceKind =>
  (referenceKinds as readonly string[]).includes(kind)

/** A reference, stored among the fixed values of a form as JSON: `{ "$msg": "payload.slot", "as": "int32" }`. */
export interface Reference {
  kind: ReferenceKind
  text: string
  as?: string
}

export const reference = (kind: ReferenceKind, text: string, as?: string) => ({
  [`$${kind}`]: text,
  ...(as && { as }),
})

/** The reference in a stored value; undefined for a fixed value, or an object with fields of its own. */
export function referenceIn(stored: unknown): Reference | undefined {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return undefined
  const { as, ...others } = stored as Record<string, unknown>
  const [[key, text] = [''], ...more] = Object.entries(others)
  const kind = key.slice(1)
  if (more.length || !key.startsWith('$') || !isReferenceKind(kind) || typeof text !== 'string')
    return undefined
  if (as !== undefined && typeof as !== 'string') return undefined
  return { kind, text, ...(as !== undefined && { as }) }
}
