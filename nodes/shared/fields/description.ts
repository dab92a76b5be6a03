import type { FieldKind } from '../field-kind'
import type { PaletteGroup } from '../palette-groups'
import type { RecordForm } from './record-form'
import type { Unit } from './units'

/**
 * When something shows and counts: `field=one|several`; of several rules all those with `&` between, or those after a
 * `;`. The build refuses a rule that names a field or a choice that there is not.
 */
export type Rule = string

/**
 * What a node is and has, once: its dialog, defaults, checks, the reading at run time, the texts that every language must
 * have and the table of settings in its help follow from it.
 */
export type NodeDescription = {
  /** Without `vision-`: the name of the folder, and the top key of the texts. */
  type: string
  /** Below `icons/`. */
  icon: string
  /** What the label in the flow shows, where `dialog.ts` has none of its own. @default nothing, so the palette label */
  label?: readonly string[]
  /** In the order of the dialog. The name of the node comes by itself. */
  fields: Readonly<Record<string, Field>>
} & (PaletteNode | ConfigNode)

interface PaletteNode {
  group: PaletteGroup
  inputs: 0 | 1
  /** Keys of the labels of the outputs, `port.<key>`. */
  outputs: readonly string[]
  /** The second output is there only while this rule holds. */
  secondOutputWhen?: Rule
}

/** A node that others point to, with no place in the flow. */
interface ConfigNode {
  group: 'config'
  /** Its name shows an example, `placeholder.name`. */
  namePlaceholder?: true
}

export type Field =
  | TextField
  | NumberField
  | ChoiceField
  | SwitchField
  | TypedField
  | PropertyField
  | JsonField
  | RecordField
  | ConfigField
  | CredentialField
  | ButtonField

interface Row {
  /** Of Font Awesome 4, without `fa-`. */
  icon: string
  /** The row shows, and its value counts, only while this rule holds. @default always */
  when?: Rule
  /** The collapsed part of the form that it lies in, with the label `section.<name>`. */
  section?: string
  /** A sentence below, `hint.<field>`, or several that show while a rule holds: `hint.<key>`. */
  hint?: true | Readonly<Record<string, Rule>>
}

interface WithPlaceholder {
  /** Shown while the field is empty: a text that needs no translation, or `placeholder.<field>`. */
  placeholder?: true | string
}

/** When a field may be empty. @default never */
interface MayBeEmpty {
  optional?: true
  /** It is optional only while this rule does not hold. */
  neededWhen?: Rule
}

/** A text without spaces around it; it may be empty unless `neededWhen` holds. */
export interface TextField extends Row, WithPlaceholder {
  kind: 'text'
  default: string
  neededWhen?: Rule
  /** Regular expression that it must match in full, told by `reason.<field>`. */
  pattern?: string
  /** Host, host:port or URL of a device. */
  isAddress?: true
  /** The name of an operation of the device, chosen from a list; this field takes what goes into it. */
  operationFor?: string
}

/** A number between bounds; nothing reads it but `numberOf`. */
export interface NumberField extends Row, WithPlaceholder, MayBeEmpty {
  kind: 'number'
  default: number | ''
  least: number
  most: number
  whole?: true
  unit: Unit
  /** The field that has the unit, where a user chooses it. */
  unitFrom?: string
  /** Behind the control stands `unit.<field>` instead of the unit's sign. */
  unitText?: true
}

/** One of several values, each with a label `<field>.<choice>`, the empty one `<field>.empty`. */
export interface ChoiceField extends Row {
  kind: 'choice'
  default: string
  choices: readonly string[]
  /** Where the labels are, if not below the name of the field: another key, of another node where it is named. */
  labels?: { key: string; node?: string }
}

/** On or off, with the sentence beside it, `hint.<field>`. */
export interface SwitchField extends Row {
  kind: 'switch'
  default: boolean
  /** Much depends on it: it must be on while this rule holds. */
  neededWhen?: Rule
}

/** A value of a kind, which is kept in `<field>Type`; an optional fixed text may be empty. */
export interface TypedField extends Row, WithPlaceholder, MayBeEmpty {
  kind: 'typed'
  default: string
  /** The first is what a new node begins with. */
  kinds: readonly FieldKind[]
  /** What a new node begins with, where that is not the first. */
  defaultKind?: FieldKind
  /** What the device offers for it. */
  pick?: PickSource
  /** While this rule holds it takes several comma-separated names. */
  severalWhen?: Rule
  /** While this rule holds a fixed text is a regular expression. */
  patternWhen?: Rule
  /** Below it the present value of the parameter shows that the field names, while the rule holds. */
  presentOf?: { field: string; when?: Rule }
  /** What its JSON is shown as: arguments of a service or operation, or values of parameters. */
  form?: { of: 'service' | 'operation' } | ParametersForm
}

/** Values of parameters: of one, of several by their names, or of several nodes by theirs. */
interface ParametersForm {
  of: 'parameters'
  severalWhen: Rule
  nodesWhen: Rule
}

/** A property of the message. */
export interface PropertyField extends Row {
  kind: 'property'
  default: string
}

/** A JSON object as text. */
export interface JsonField extends Row {
  kind: 'json'
  default: string
}

/** A JSON record of the device, shown as a form. */
export interface RecordField {
  kind: 'record'
  default: string
  /** The field with the unit of the lengths, `mm` or `m`. */
  unitField: string
  /** Each while its rule holds. */
  forms: readonly RecordForm[]
}

/** Another node: its id. */
export interface ConfigField extends Row {
  kind: 'config'
  of: 'vision-device-config' | 'tls-config'
  required?: true
}

/** What Node-RED stores apart, and encrypted. */
export interface CredentialField extends Row {
  kind: 'credential'
  /** It is never shown again. */
  secret?: true
  neededWhen?: Rule
}

/** Does something at once, and stores nothing. */
export interface ButtonField extends Row {
  kind: 'button'
  does: 'test-connection' | 'try-service'
}

/** What a device can be asked for; a `record` and a `sensor` are suggestions only. */
export type PickSource =
  | 'pipeline'
  | 'node'
  | 'global-node'
  | 'parameter'
  | 'service'
  | 'stream'
  | 'log'
  | 'template'
  | 'record'
  | 'sensor'
