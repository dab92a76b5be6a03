import { customPattern, lengthUnits, poseFormatChoices } from '../../../lib/robotics/pose-formats'
import type { FieldKind } from '../read-fields'

/**
 * When something shows and applies: `field=one|several`; several rules are joined by `&` (all of them) or `;` (any of
 * them); or `always`. The build rejects a rule that names an unknown field or choice.
 */
type Rule = string

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
interface TextField extends Row, WithPlaceholder {
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
interface SwitchField extends Row {
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
interface PropertyField extends Row {
  kind: 'property'
  default: string
}

/** A JSON object as text. */
interface JsonField extends Row {
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
interface ConfigField extends Row {
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
interface CredentialField extends Row {
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
const units = ['s', 'ms', 'mm', '°', 'Hz', '1'] as const

type Unit = (typeof units)[number]

/** Sources of a text. */
export const textKinds = ['str', 'msg', 'flow', 'global', 'jsonata', 'env'] as const satisfies FieldKind[]

/** Sources of a text that is needed before there is a message. */
export const settingKinds = ['str', 'flow', 'global', 'jsonata', 'env'] as const satisfies FieldKind[]

/** Sources of one or several names. */
export const nameKinds = [
  'str',
  'json',
  'msg',
  'flow',
  'global',
  'jsonata',
  'env',
] as const satisfies FieldKind[]

/** Sources of an object that is usually filled in with a form. */
export const formKinds = [
  'form',
  'msg',
  'flow',
  'global',
  'jsonata',
  'env',
  'json',
] as const satisfies FieldKind[]

/** Sources of something that is usually in the message. */
export const messageKinds = [
  'msg',
  'flow',
  'global',
  'jsonata',
  'str',
  'json',
  'env',
] as const satisfies FieldKind[]

/** Id of the device that a node uses. */
export const deviceField = {
  kind: 'config',
  of: 'vision-device-config',
  required: true,
  icon: 'camera',
} as const satisfies Field

/** A pipeline of the device; if empty, the message has it. */
export const pipelineField = {
  kind: 'typed',
  default: '0',
  kinds: textKinds,
  optional: true,
  pick: 'pipeline',
  icon: 'code-fork',
  placeholder: true,
} as const satisfies Field

/** A node on the device; if empty, the message has it. */
export const nodeField = {
  kind: 'typed',
  default: '',
  kinds: textKinds,
  optional: true,
  pick: 'node',
  icon: 'cube',
  placeholder: true,
} as const satisfies Field

/** Longest time for the answer, seconds; empty uses the device's setting. */
export const deadlineField = {
  kind: 'number',
  default: '',
  least: 0.01,
  most: 3600,
  unit: 's',
  unitText: true,
  optional: true,
  icon: 'clock-o',
} as const satisfies Field

/** A TCP port; its default is the protocol's. */
export const portRow = {
  kind: 'number',
  least: 1,
  most: 65535,
  whole: true,
  unit: '1',
  icon: 'plug',
} as const

/** Own address that others connect to. */
export const ownAddressRow = { kind: 'text', default: '127.0.0.1', icon: 'desktop', hint: true } as const

/** Comma-separated addresses that may connect. */
export const allowedRow = {
  kind: 'text',
  default: '',
  icon: 'shield',
  placeholder: true,
  hint: true,
} as const

/** Longest distance of one movement. */
export const stepRow = {
  kind: 'number',
  default: 300,
  most: 3000,
  unit: 'mm',
  icon: 'arrows-h',
} as const

/** Largest turn of one movement. */
export const turnRow = {
  kind: 'number',
  default: 40,
  least: 1,
  most: 180,
  unit: '°',
  icon: 'rotate-right',
} as const

/** Time that a person, or a robot, has for an answer. */
export const answerWithinRow = {
  kind: 'number',
  default: 120,
  least: 1,
  most: 3600,
  unit: 's',
  icon: 'clock-o',
} as const

/** How poses are written. */
export const poseFormatRow = {
  kind: 'choice',
  default: 'kuka',
  choices: poseFormatChoices,
  labels: { key: 'format', node: 'robot-pose' },
  icon: 'cube',
} as const

/** What describes a format of one's own; shown and needed while the format is `custom`. */
export const customFormatRow = {
  kind: 'text',
  default: '',
  pattern: customPattern,
  placeholder: 'zyx moving deg mm',
  icon: 'pencil',
  hint: true,
} as const

/** Unit of positions; empty is the format's own. */
export const lengthUnitRow = {
  kind: 'choice',
  default: '',
  choices: ['', ...lengthUnits],
  labels: { key: 'unit', node: 'robot-pose' },
  icon: 'arrows-h',
} as const

const range = '-?\\d+(?:\\.\\d+)? *\\.\\. *-?\\d+(?:\\.\\d+)?'

/** Three ranges in mm in the base of the robot; empty: anywhere. */
export const workspaceRow = {
  kind: 'text',
  default: '',
  pattern: `^(?:${range} *, *${range} *, *${range})?$`,
  icon: 'cube',
  hint: true,
} as const

/** A name, `${ENV}` in it included. Source of a regular expression. */
const name = '([\\w.-]{1,64}|[\\w.-]*\\$\\{\\w+\\}[\\w.-]*)'

/** A plant, a cell or a centre: one level of a topic. */
export const topicNameRow = {
  kind: 'text',
  default: '',
  neededWhen: 'always',
  pattern: `^${name}$`,
} as const

/** The first levels of all topics, the same in all cells and centres. */
export const topicRootRow = {
  kind: 'text',
  default: 'vision',
  neededWhen: 'always',
  pattern: `^${name}(/${name})*$`,
  icon: 'sitemap',
  hint: true,
} as const

/** The form of one kind of record; shows while the rule holds. */
export interface RecordForm {
  when: string
  rows: readonly RecordRow[]
}

/** A row in the form of a record. Paths lead into the record, labels are keys below `form`. */
export type RecordRow = RecordNumbers | RecordChoice | RecordText | RecordList

interface RecordSection {
  label: string
  icon: string
  /** Shows while this rule holds; its fields are paths in the record. */
  if?: string
}

/** One number, or one per axis. Lengths are metres in the record, angles a quaternion. */
interface RecordNumbers extends RecordSection {
  numbers: string
  axes?: 'xyz' | 'xy'
  measure: 'length' | 'angle' | 'pixels'
  needed?: true
}

/** One of several values, each with a label below `choice`. */
interface RecordChoice extends RecordSection {
  path: string
  choices: readonly string[]
}

interface RecordText extends RecordSection {
  path: string
  needed?: true
  placeholder?: string
}

/** Any number of elements of the same form. */
export interface RecordList {
  list: string
  /** Label of the button that adds one. */
  add: string
  rows: readonly RecordRow[]
}

/**
 * The groups of the palette in order, each with the colour of its nodes: tones of one family, light enough for
 * Node-RED's dark labels in either theme. `node-red.nodes` in `package.json` sets the order of the nodes.
 */
export const paletteGroups = {
  acquire: '#46B1B9',
  configure: '#86C9CD',
  calibrate: '#7CC7A2',
  cell: '#A6C48A',
  streams: '#79B4E3',
  maintenance: '#94ABC6',
  virtual: '#B7BDC4',
} as const satisfies Record<string, `#${string}`>

type PaletteGroup = keyof typeof paletteGroups
