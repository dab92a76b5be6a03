import type { FieldKind } from '../field-kind'
import type { Field, NodeDescription } from './description'

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

/** The fields of a node as stored in its flow. A number may come from an environment variable, and is then a text. */
export type FieldsOf<Description extends NodeDescription> = { name: string } & {
  -readonly [Name in StoredName<FieldsIn<Description>>]: ValueOf<FieldsIn<Description>[Name]>
} & {
  [Name in NamesOf<FieldsIn<Description>, 'typed'> as `${Name}Type`]: FieldKind
} & (Description extends { secondOutputWhen: string } ? { outputs: number } : unknown)

/** The credentials of a node, which Node-RED stores separately and encrypted. */
export type CredentialsOf<Description extends NodeDescription> = Partial<
  Record<NamesOf<FieldsIn<Description>, 'credential'>, string>
>

/** The names of the number fields. */
export type NumberName<Description extends NodeDescription> = NamesOf<FieldsIn<Description>, 'number'>

/** The defaults of all fields that a flow stores. */
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

/** The credentials of a node as Node-RED expects them to be declared. */
export const credentialsOf = <Description extends NodeDescription>(description: Description) =>
  Object.fromEntries(
    Object.entries<Field>(description.fields).flatMap<[string, { type: string }]>(([name, field]) =>
      field.kind === 'credential' ? [[name, { type: field.secret ? 'password' : 'text' }]] : [],
    ),
  ) as Record<NamesOf<FieldsIn<Description>, 'credential'>, { type: 'password' | 'text' }>
