import type { Node, NodeAPI } from 'node-red'
import { holds } from '../../../lib/contract/reading/values'
import { asSentence, invalidInput } from '../sentences'
import { type FieldKind, number, switched } from '../read-fields'
import { handleInput, whenStarted } from '../handle-input'
import { shown } from '../shown'
import { statusLineOf } from '../status'
import type {
  ChoiceField,
  Field,
  NodeDescription,
  NumberField,
  RecordForm,
  RecordList,
  RecordRow,
} from './description'
import type de from './words/de.json'
import type en from './words/en-US.json'

/*
 * In: settings from a flow, a subflow, an environment variable or a text editor. Out: settings with the types of their
 * description, or one INVALID_INPUT naming field, value and expectation.
 */

/**
 * A node with an unusable setting does nothing: it reports the error once the flows have started, shows it in its status, and
 * fails each message with it.
 * @returns undefined if the node must not start
 */
export function checkedFields<Description extends NodeDescription, Given extends object>(
  RED: NodeAPI,
  node: Node,
  description: Description,
  given: Given,
): (FieldsOf<Description> & Given) | undefined {
  const { fields, problem } = readFields(description, given)
  if (!problem) return fields
  const status = statusLineOf(RED, node)
  reportProblem(RED, node, problem, () => status.left(problem))
  if ('inputs' in description && description.inputs > 0)
    handleInput(RED, node, { inputs: 1, changes: false }, { atOnce: 1, room: Infinity }, () =>
      Promise.reject(problem),
    )
  node.on('close', () => status.close())
  return undefined
}

/**
 * A config node with an unusable setting reports the error once the flows have started and uses the default (a permission is
 * off); `check` throws the error to callers that read the settings.
 */
export function configFields<Description extends NodeDescription, Given extends object>(
  RED: NodeAPI,
  node: Node,
  description: Description,
  given: Given,
): { fields: FieldsOf<Description> & Given; check: () => void } {
  const { fields, problem } = readFields(description, given)
  if (problem) reportProblem(RED, node, problem)
  return {
    fields,
    check: () => {
      if (problem) throw problem
    },
  }
}

function reportProblem(RED: NodeAPI, node: Node, problem: Error, show?: () => void): void {
  const cancel = whenStarted(RED, () => {
    show?.()
    node.error(problem, {})
  })
  node.on('close', cancel)
}

/**
 * Adds defaults for fields that an older flow lacks.
 * @throws INVALID_INPUT naming the first unusable field
 */
export function withDefaults<Description extends NodeDescription, Given extends object>(
  description: Description,
  given: Given,
): FieldsOf<Description> & Given {
  const { fields, problem } = readFields(description, given)
  if (problem) throw problem
  return fields
}

/** Unusable values become defaults; a problem only if the field applies. */
function readFields<Description extends NodeDescription, Given extends object>(
  description: Description,
  given: Given,
): { fields: FieldsOf<Description> & Given; problem?: Error } {
  const defaults = defaultsOf(description) as Readonly<Record<string, unknown>>
  const fields: Record<string, unknown> = { ...defaults, ...given }
  const value = (name: string): string => {
    const raw = fields[name]
    return written(description.fields[name]?.kind === 'switch' ? switched(raw) : raw)
  }
  let problem: Error | undefined
  for (const [name, field] of Object.entries<Field>(description.fields)) {
    if (field.kind === 'credential' || field.kind === 'button') continue
    try {
      fields[name] = usable(name, field, fields[name])
      if (field.kind === 'typed') fields[`${name}Type`] = kindOf(name, fields[`${name}Type`])
    } catch (error) {
      const applies = !('when' in field) || field.when === undefined || holds(field.when, value)
      if (applies) problem ??= asSentence(error)
      fields[name] = defaults[name]
      if (field.kind === 'typed') fields[`${name}Type`] = defaults[`${name}Type`]
    }
  }
  return { fields: fields as FieldsOf<Description> & Given, ...(problem && { problem }) }
}

/** @throws INVALID_INPUT */
function usable(
  name: string,
  field: Exclude<Field, { kind: 'credential' | 'button' }>,
  input: unknown,
): unknown {
  switch (field.kind) {
    case 'switch': {
      const value = switched(mustBeSet(name, input))
      if (value === undefined) throw invalidInput('setting-switch', { field: name, value: shown(input) })
      return value
    }
    case 'number':
      if (input === '' && (field.optional || field.default === '')) return input
      number(name, mustBeSet(name, input), field.least, field.most, field.zero)
      return input
    case 'choice':
      return choice(name, field, mustBeSet(name, input))
    case 'typed':
      return typeof input === 'boolean' ? String(input) : text(name, input)
    // Nodes check the content of their texts themselves.
    default:
      return text(name, input)
  }
}

function choice(name: string, { choices }: ChoiceField, input: unknown): string {
  const value = typeof input === 'object' ? undefined : written(input).trim()
  const found = choices.find((each) => each === value)
  if (found !== undefined) return found
  const named = choices.map((each) => (each === '' ? '""' : each)).join(', ')
  throw invalidInput('setting-choice', { field: name, choices: named, value: shown(input) })
}

/** Empty for other types. */
const written = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

function text(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  throw invalidInput('setting-text', { field: name, value: shown(value) })
}

const kinds: readonly FieldKind[] = [
  ...(['str', 'num', 'bool', 'json', 'form', 'msg', 'flow', 'global', 'jsonata', 'env'] as const),
]

function kindOf(name: string, value: unknown): FieldKind {
  const kind = kinds.find((each) => each === value)
  if (kind) return kind
  throw invalidInput('setting-choice', {
    field: `${name}Type`,
    choices: kinds.join(', '),
    value: shown(value),
  })
}

/** Node-RED keeps a reference to an unknown environment variable. @throws INVALID_INPUT naming it */
function mustBeSet(field: string, value: unknown): unknown {
  const [, variable] = typeof value === 'string' ? (/^\s*\$\{([^{}]*)\}\s*$/.exec(value) ?? []) : []
  if (variable !== undefined) throw invalidInput('setting-unset', { field, variable })
  return value
}

type FieldsIn<Description extends NodeDescription> = Description['fields']

type NamesOf<Fields, Kind extends Field['kind']> = {
  [Name in keyof Fields & string]: Fields[Name] extends { kind: Kind } ? Name : never
}[keyof Fields & string]

type StoredName<Fields> = Exclude<keyof Fields & string, NamesOf<Fields, 'credential' | 'button'>>

type ValueOf<Of> = Of extends { kind: 'choice'; choices: readonly (infer Choice)[] }
  ? Choice
  : Of extends { kind: 'switch' }
    ? boolean
    : Of extends { kind: 'number' }
      ? string | number
      : string

/** As stored in the flow; a number from an environment variable is a text. */
export type FieldsOf<Description extends NodeDescription> = { name: string } & {
  -readonly [Name in StoredName<FieldsIn<Description>>]: ValueOf<FieldsIn<Description>[Name]>
} & {
  [Name in NamesOf<FieldsIn<Description>, 'typed'> as `${Name}Type`]: FieldKind
} & (Description extends { secondOutputWhen: string } ? { outputs: number } : unknown)

/** Stored separately and encrypted by Node-RED. */
export type CredentialsOf<Description extends NodeDescription> = Partial<
  Record<NamesOf<FieldsIn<Description>, 'credential'>, string>
>

export type NumberName<Description extends NodeDescription> = NamesOf<FieldsIn<Description>, 'number'>

export function defaultsOf<Description extends NodeDescription>(
  description: Description,
): FieldsOf<Description> {
  const defaults: Record<string, unknown> = { name: '' }
  for (const [name, field] of Object.entries<Field>(description.fields)) {
    if (field.kind === 'credential' || field.kind === 'button') continue
    defaults[name] = field.kind === 'config' ? '' : field.default
    if (field.kind === 'typed') defaults[`${name}Type`] = field.defaultKind ?? field.kinds[0]
  }
  if ('secondOutputWhen' in description) defaults['outputs'] = 1
  return defaults as FieldsOf<Description>
}

export const credentialsOf = <Description extends NodeDescription>(description: Description) =>
  Object.fromEntries(
    Object.entries<Field>(description.fields).flatMap<[string, { type: string }]>(([name, field]) =>
      field.kind === 'credential' ? [[name, { type: field.secret ? 'password' : 'text' }]] : [],
    ),
  ) as Record<NamesOf<FieldsIn<Description>, 'credential'>, { type: 'password' | 'text' }>

/** Undefined: an empty optional field. */
type NumberIn<Of> = Of extends { optional: true } ? number | undefined : number

/** In the unit of the field, rounded down if whole. @throws INVALID_INPUT naming the field and its bounds */
export function numberOf<Description extends NodeDescription, Name extends NumberName<Description>>(
  description: Description,
  fields: Readonly<Record<Name, string | number>>,
  name: Name,
): NumberIn<Description['fields'][Name]>

export function numberOf(
  { fields: described }: NodeDescription,
  fields: Readonly<Record<string, string | number>>,
  name: string,
): number | undefined {
  const { least, most, zero, whole, optional } = described[name] as NumberField
  if (optional && fields[name] === '') return undefined
  const value = number(name, fields[name], least, most, zero)
  return whole ? Math.floor(value) : value
}

/** Words of the help, and texts of common fields by name. */
export type SharedTexts = typeof en & typeof de

/** Fields with a shared text of this kind; nodes may override it. */
type SharedText<Kind extends string> = {
  [Name in keyof SharedTexts['fields']]: SharedTexts['fields'][Name] extends Record<Kind, string>
    ? Name
    : never
}[keyof SharedTexts['fields']]

type Fields = Readonly<Record<string, Field>>

type TextGroup<Key extends string, Names extends string> = [Names] extends [never]
  ? unknown
  : Record<Key, Record<Names, string>>

type FieldsHaving<Of extends Fields, Something> = {
  [Name in keyof Of & string]: Of[Name] extends Something ? Name : never
}[keyof Of & string]

type HintKeys<Of extends Fields> =
  | FieldsHaving<Of, { hint: true }>
  | {
      [Name in keyof Of]: Of[Name] extends { hint: infer Hints }
        ? Hints extends true
          ? never
          : keyof Hints & string
        : never
    }[keyof Of]

type SectionKeys<Of extends Fields> = {
  [Name in keyof Of]: Of[Name] extends { section: infer Section extends string } ? Section : never
}[keyof Of]

type ChoiceKey<Choice> = Choice extends '' ? 'empty' : Choice & string

/** Choices with labels in the node's own texts. */
type ChoiceTexts<Of extends Fields> = {
  [
    Name in keyof Of & string as Of[Name] extends ChoiceField
      ? Of[Name] extends { labels: { node: string } }
        ? never
        : Of[Name] extends { labels: { key: infer Key extends string } }
          ? Key
          : Name
      : never
  ]: Of[Name] extends { choices: readonly (infer Choice)[] } ? Record<ChoiceKey<Choice>, string> : never
}

type RowsIn<Of extends Fields> = {
  [Name in keyof Of]: Of[Name] extends { forms: readonly (infer Form)[] }
    ? Form extends RecordForm
      ? RowsOf<Form['rows'][number]>
      : never
    : never
}[keyof Of]

type RowsOf<Row extends RecordRow> = Row | (Row extends RecordList ? Row['rows'][number] : never)

type RecordLabels<Row> = Row extends { label: infer Label extends string }
  ? Label
  : Row extends { add: infer Label extends string }
    ? Label
    : never

type RecordChoices<Row> = Row extends { choices: readonly (infer Choice extends string)[] } ? Choice : never

type RecordPlaceholders<Row> = Row extends { placeholder: infer Key extends string } ? Key : never

type PortKeys<Description> = Description extends {
  inputs: infer Inputs
  outputs: readonly (infer Output extends string)[]
}
  ? Output | (Inputs extends 1 ? 'input' : never)
  : never

/** Texts of the dialog, in every language; `dialog.ts` may need more. */
type TextsOf<Description extends NodeDescription, Of extends Fields = Description['fields']> = {
  paletteLabel: string
} & TextGroup<
  'label',
  Exclude<keyof Of & string, FieldsHaving<Of, { kind: 'record' }> | SharedText<'label'>>
> &
  TextGroup<
    'placeholder',
    | Exclude<FieldsHaving<Of, { placeholder: true }>, SharedText<'placeholder'>>
    | RecordPlaceholders<RowsIn<Of>>
    | (Description extends { namePlaceholder: true } ? 'name' : never)
  > &
  TextGroup<'hint', Exclude<HintKeys<Of>, SharedText<'hint'>>> &
  TextGroup<'unit', Exclude<FieldsHaving<Of, { unitText: true }>, SharedText<'unit'>>> &
  TextGroup<'reason', FieldsHaving<Of, { pattern: string }>> &
  TextGroup<'section', SectionKeys<Of>> &
  TextGroup<'port', PortKeys<Description>> &
  TextGroup<'form', RecordLabels<RowsIn<Of>>> &
  TextGroup<'choice', RecordChoices<RowsIn<Of>>> &
  ChoiceTexts<Of>

/**
 * Does not compile if a language lacks a text.
 *
 * export type GetParameterTexts = Translated<typeof getParameterNode, typeof en | typeof de>
 */
export type Translated<
  Description extends NodeDescription,
  Catalogs extends Record<Description['type'], TextsOf<Description>>,
> = Catalogs
