import { customPattern, lengthUnits, poseFormatChoices } from '../../../lib/robotics/pose-formats'
import type { FieldKind } from '../read-fields'

/** `field=one|several`; joined by `&` (all) or `;` (any); or `always`. The build rejects unknown fields and choices. */
type Rule = string

/** The one source of dialog, defaults, checks, run-time reading, required texts, and the settings table in the help. */
export type NodeDescription = {
  /** Folder name and top key of the texts; without `vision-`. */
  type: string
  /** Below `icons/`. */
  icon: string
  /** A node from the palette takes the only configuration node of this field, where there is one. */
  takesOnly?: string
  /** Fields in the node's label, unless `dialog.ts` defines it. @default the palette label */
  label?: readonly string[]
  /** In the order of the dialog; the name is added automatically. */
  fields: Readonly<Record<string, Field>>
} & (PaletteNode | ConfigNode)

type PaletteNode = (NodeWithInput | { inputs: 0 }) & {
  group: PaletteGroup
  /** Keys of `port.<key>`. */
  outputs: readonly string[]
  /** Otherwise there is one output. */
  secondOutputWhen?: Rule
}

export interface NodeWithInput {
  inputs: 1
  /**
   * Whether a message may move, open, write or delete something beyond this flow. From a page of Dashboard it is then refused
   * unless *operator permission* let it pass. `some`: decided per message by the runtime's `changes`.
   */
  changes: boolean | 'some'
}

interface ConfigNode {
  group: 'config'
  /** Shows `placeholder.name`. */
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
  /** Font Awesome 4, without `fa-`. */
  icon: string
  /** The row shows and its value applies only under this rule. @default always */
  when?: Rule
  /** Collapsible section, `section.<name>`. */
  section?: string
  /** `hint.<field>`, or several, `hint.<key>`, with a rule each. */
  hint?: true | Readonly<Record<string, Rule>>
}

interface WithPlaceholder {
  /** Text that needs no translation, or `placeholder.<field>`. */
  placeholder?: true | string
}

/** @default never */
interface MayBeEmpty {
  optional?: true
  /** Required under this rule, otherwise optional. */
  neededWhen?: Rule
}

/** Trimmed; may be empty unless `neededWhen` holds. */
interface TextField extends Row, WithPlaceholder {
  kind: 'text'
  default: string
  neededWhen?: Rule
  /** Regular expression for the whole text; the error is `reason.<field>`. */
  pattern?: string
  isAddress?: true
  /** A device operation from a list; the named field takes its input. */
  operationFor?: string
}

/** Read by `numberOf` only. */
export interface NumberField extends Row, WithPlaceholder, MayBeEmpty {
  kind: 'number'
  default: number | ''
  least: number
  most: number
  /** 0 is allowed below `least`, to switch something off. */
  zero?: true
  whole?: true
  unit: Unit
  /** Field in which the user chooses the unit. */
  unitFrom?: string
  /** `unit.<field>` instead of the unit's symbol. */
  unitText?: true
}

/** Labels `<field>.<choice>`; `<field>.empty` for the empty one. */
export interface ChoiceField extends Row {
  kind: 'choice'
  default: string
  choices: readonly string[]
  /** Other key of the labels, or that of another node. */
  labels?: { key: string; node?: string }
}

/** With the sentence `hint.<field>`. */
interface SwitchField extends Row {
  kind: 'switch'
  default: boolean
  /** Must be on under this rule, as a confirmation. */
  neededWhen?: Rule
}

/** The kind is stored in `<field>Type`; an optional fixed text may be empty. */
export interface TypedField extends Row, WithPlaceholder, MayBeEmpty {
  kind: 'typed'
  default: string
  /** The first is the default. */
  kinds: readonly FieldKind[]
  /** If not the first. */
  defaultKind?: FieldKind
  pick?: PickSource
  /** Takes comma-separated names under this rule. */
  severalWhen?: Rule
  /** A fixed text is a regular expression under this rule. */
  patternWhen?: Rule
  /** Shows the present value of the named parameter. */
  presentOf?: { field: string; when?: Rule }
  form?: { of: 'service' | 'operation' } | ParametersForm
}

interface ParametersForm {
  of: 'parameters'
  severalWhen: Rule
  nodesWhen: Rule
}

interface PropertyField extends Row {
  kind: 'property'
  default: string
}

interface JsonField extends Row {
  kind: 'json'
  default: string
  /** Otherwise an object. */
  isList?: true
}

export interface RecordField {
  kind: 'record'
  default: string
  /** `mm` or `m`. */
  unitField: string
  forms: readonly RecordForm[]
}

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

/** Stored separately and encrypted by Node-RED. */
interface CredentialField extends Row {
  kind: 'credential'
  secret?: true
  neededWhen?: Rule
}

export interface ButtonField extends Row {
  kind: 'button'
  does: 'test-connection' | 'try-service'
}

/** Listed by the device; `record` and `sensor` are only suggestions. */
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

/** As displayed; `1` is a plain number or a count. */
const units = ['s', 'ms', 'mm', '°', 'Hz', '1'] as const

type Unit = (typeof units)[number]

export const textKinds = ['str', 'msg', 'flow', 'global', 'jsonata', 'env'] as const satisfies FieldKind[]

/** Before there is a message. */
export const settingKinds = ['str', 'flow', 'global', 'jsonata', 'env'] as const satisfies FieldKind[]

export const nameKinds = [
  'str',
  'json',
  'msg',
  'flow',
  'global',
  'jsonata',
  'env',
] as const satisfies FieldKind[]

/** Usually filled in with a form. */
export const formKinds = [
  'form',
  'msg',
  'flow',
  'global',
  'jsonata',
  'env',
  'json',
] as const satisfies FieldKind[]

/** Usually in the message. */
export const messageKinds = [
  'msg',
  'flow',
  'global',
  'jsonata',
  'str',
  'json',
  'env',
] as const satisfies FieldKind[]

export const deviceField = {
  kind: 'config',
  of: 'vision-device-config',
  required: true,
  icon: 'camera',
} as const satisfies Field

/** Empty: from the message. */
export const pipelineField = {
  kind: 'typed',
  default: '0',
  kinds: textKinds,
  optional: true,
  pick: 'pipeline',
  icon: 'code-fork',
  placeholder: true,
} as const satisfies Field

/** Empty: from the message. */
export const nodeField = {
  kind: 'typed',
  default: '',
  kinds: textKinds,
  optional: true,
  pick: 'node',
  icon: 'cube',
  placeholder: true,
} as const satisfies Field

/** Seconds; empty: the device's setting. */
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

/** The default is the protocol's. */
export const portRow = {
  kind: 'number',
  least: 1,
  most: 65535,
  whole: true,
  unit: '1',
  icon: 'plug',
} as const

export const ownAddressRow = { kind: 'text', default: '127.0.0.1', icon: 'desktop', hint: true } as const

export const allowedRow = {
  kind: 'text',
  default: '',
  icon: 'shield',
  placeholder: true,
  hint: true,
} as const

export const stepRow = {
  kind: 'number',
  default: 300,
  most: 3000,
  unit: 'mm',
  icon: 'arrows-h',
} as const

export const turnRow = {
  kind: 'number',
  default: 40,
  least: 1,
  most: 180,
  unit: '°',
  icon: 'rotate-right',
} as const

export const answerWithinRow = {
  kind: 'number',
  default: 120,
  least: 1,
  most: 3600,
  unit: 's',
  icon: 'clock-o',
} as const

export const poseFormatRow = {
  kind: 'choice',
  default: 'kuka',
  choices: poseFormatChoices,
  labels: { key: 'format', node: 'robot-pose' },
  icon: 'cube',
} as const

/** Required while the format is `custom`. */
export const customFormatRow = {
  kind: 'text',
  default: '',
  pattern: customPattern,
  placeholder: 'zyx moving deg mm',
  icon: 'pencil',
  hint: true,
} as const

/** Empty: the format's own. */
export const lengthUnitRow = {
  kind: 'choice',
  default: '',
  choices: ['', ...lengthUnits],
  labels: { key: 'unit', node: 'robot-pose' },
  icon: 'arrows-h',
} as const

const range = '-?\\d+(?:\\.\\d+)? *\\.\\. *-?\\d+(?:\\.\\d+)?'

/** Ranges in mm in the robot's base; empty: anywhere. */
export const workspaceRow = {
  kind: 'text',
  default: '',
  pattern: `^(?:${range} *, *${range} *, *${range})?$`,
  icon: 'cube',
  hint: true,
} as const

/** Source of a regular expression; may contain `${ENV}`. */
const name = '([\\w.-]{1,64}|[\\w.-]*\\$\\{\\w+\\}[\\w.-]*)'

/** One level of a topic: plant, cell or centre. */
export const topicNameRow = {
  kind: 'text',
  default: '',
  neededWhen: 'always',
  pattern: `^${name}$`,
} as const

/** The same in all cells and centres. */
export const topicRootRow = {
  kind: 'text',
  default: 'vision',
  neededWhen: 'always',
  pattern: `^${name}(/${name})*$`,
  icon: 'sitemap',
  hint: true,
} as const

export interface RecordForm {
  when: string
  rows: readonly RecordRow[]
}

/** Paths lead into the record, labels below `form`. */
export type RecordRow = RecordNumbers | RecordChoice | RecordText | RecordList

interface RecordSection {
  label: string
  icon: string
  /** Its fields are paths in the record. */
  if?: string
}

/** One, or one per axis. Lengths in metres, angles as a quaternion. */
interface RecordNumbers extends RecordSection {
  numbers: string
  axes?: 'xyz' | 'xy'
  measure: 'length' | 'angle' | 'pixels'
  needed?: true
}

/** Labels below `choice`. */
interface RecordChoice extends RecordSection {
  path: string
  choices: readonly string[]
}

interface RecordText extends RecordSection {
  path: string
  needed?: true
  placeholder?: string
}

export interface RecordList {
  list: string
  add: string
  rows: readonly RecordRow[]
}

/** In order, with node colours that suit Node-RED's dark labels. `node-red.nodes` in `package.json` sets the order of nodes. */
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
