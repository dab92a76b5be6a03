import type { FieldKind } from '../field-kind'
import type { PaletteGroup } from '../palette-groups'
import type { RecordForm } from './record-form'

/**
 * When something shows and applies: `field=one|several`; several rules are joined by `&` (all of them) or `;` (any of
 * them); or `always`. The build rejects a rule that names an unknown field or choice.
 */
export type Rule = string

/**
 * Describes a node and its fields once. Its dialog, defaults, checks, reading at run time, the texts required in every
 * language and the table of settings in its help are derived from it.
 */
export type NodeDescription = {
  /** Without `vision-`: the folder name, and the top key of the texts. */
  type: string
  /** File name below `icons/`. */
  icon: string
  /**
   * Fields shown in the node's label in the flow, unless `dialog.ts` defines the label. @default none, which shows the
   * palette label
   */
  label?: readonly string[]
  /** In the order of the dialog. The node's name is added automatically. */
  fields: Readonly<Record<string, Field>>
} & (PaletteNode | ConfigNode)

type PaletteNode = (NodeWithInput | { inputs: 0 }) & {
  group: PaletteGroup
  /** Keys of the output labels, `port.<key>`. */
  outputs: readonly string[]
  /** There is a second output only while this rule holds. */
  secondOutputWhen?: Rule
}

export interface NodeWithInput {
  inputs: 1
  /**
   * Whether a message may move, open, write or delete something beyond this flow. Such a message is refused if it comes from
   * a page of Dashboard and has not passed *operator permission*. `some`: the runtime's `changes` decides for each message.
   */
  changes: boolean | 'some'
}

/** A configuration node. */
interface ConfigNode {
  group: 'config'
  /** The name field shows an example, `placeholder.name`. */
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
  /** Name of a Font Awesome 4 icon, without `fa-`. */
  icon: string
  /** The row shows, and its value applies, only while this rule holds. @default always */
  when?: Rule
  /** The collapsible section of the form that contains it, with the label `section.<name>`. */
  section?: string
  /** A hint below the field, `hint.<field>`, or several with a rule each: `hint.<key>`. */
  hint?: true | Readonly<Record<string, Rule>>
}

interface WithPlaceholder {
  /** Shown while the field is empty: a text that needs no translation, or `placeholder.<field>`. */
  placeholder?: true | string
}

/** Whether a field may be empty. @default never */
interface MayBeEmpty {
  optional?: true
  /** Required while this rule holds, otherwise optional. */
  neededWhen?: Rule
}

/** A trimmed text; it may be empty unless `neededWhen` holds. */
export interface TextField extends Row, WithPlaceholder {
  kind: 'text'
  default: string
  neededWhen?: Rule
  /** Regular expression that it must match in full; the error is `reason.<field>`. */
  pattern?: string
  /** Host, host:port or URL of a device. */
  isAddress?: true
  /** The name of a device operation, chosen from a list; the given field takes its input. */
  operationFor?: string
}

/** A number between bounds, read by `numberOf` only. */
export interface NumberField extends Row, WithPlaceholder, MayBeEmpty {
  kind: 'number'
  default: number | ''
  least: number
  most: number
  /** It may be 0 too, below `least`: that switches something off. */
  zero?: true
  whole?: true
  unit: Unit
  /** The field with the unit, if the user chooses it. */
  unitFrom?: string
  /** The text `unit.<field>` follows the control instead of the unit's symbol. */
  unitText?: true
}

/** One of several values, each with a label `<field>.<choice>`; the empty one has `<field>.empty`. */
export interface ChoiceField extends Row {
  kind: 'choice'
  default: string
  choices: readonly string[]
  /** Where the labels are, if not under the field's name: another key, of another node if given. */
  labels?: { key: string; node?: string }
}

/** On or off, with the sentence `hint.<field>` beside it. */
export interface SwitchField extends Row {
  kind: 'switch'
  default: boolean
  /** It must be on while this rule holds, as a confirmation. */
  neededWhen?: Rule
}

/** A value with a kind, which is stored in `<field>Type`; an optional fixed text may be empty. */
export interface TypedField extends Row, WithPlaceholder, MayBeEmpty {
  kind: 'typed'
  default: string
  /** A new node starts with the first. */
  kinds: readonly FieldKind[]
  /** The kind of a new node, if that is not the first. */
  defaultKind?: FieldKind
  /** What the device offers for it. */
  pick?: PickSource
  /** While this rule holds, it takes several comma-separated names. */
  severalWhen?: Rule
  /** While this rule holds, a fixed text is a regular expression. */
  patternWhen?: Rule
  /** While the rule holds, the present value of the named parameter shows below it. */
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

/** A message property. */
export interface PropertyField extends Row {
  kind: 'property'
  default: string
}

/** A JSON object as text. */
export interface JsonField extends Row {
  kind: 'json'
  default: string
  /** It is a list, not an object. */
  isList?: true
}

/** A JSON record of the device, shown as a form. */
export interface RecordField {
  kind: 'record'
  default: string
  /** The field with the unit of lengths, `mm` or `m`. */
  unitField: string
  /** Each shows while its rule holds. */
  forms: readonly RecordForm[]
}

/** The id of another node. */
export interface ConfigField extends Row {
  kind: 'config'
  of:
    | 'vision-device-config'
    | 'vision-plc-handshake'
    | 'vision-robot-connection'
    | 'vision-robot-config'
    | 'tls-config'
  required?: true
}

/** A value that Node-RED stores separately and encrypted. */
export interface CredentialField extends Row {
  kind: 'credential'
  /** Never shown again. */
  secret?: true
  neededWhen?: Rule
}

/** A button, which acts immediately and stores nothing. */
export interface ButtonField extends Row {
  kind: 'button'
  does: 'test-connection' | 'try-service'
}

/** What the device can list; a `record` and a `sensor` are only suggestions. */
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

/** The units of numbers in the dialogs, as displayed; `1` is a plain number or a count. */
export const units = ['s', 'ms', 'mm', '°', 'Hz', '1'] as const

export type Unit = (typeof units)[number]
