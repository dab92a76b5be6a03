/** The types that this device uses; the interface has more. */
export type ParameterType = 'bool' | 'int32' | 'float64' | 'string'
/** The value of a parameter. */
export type ParameterValue = boolean | number | string

/** One parameter of a simulated module, as a line of data. */
export interface ParameterDefinition {
  name: string
  type: ParameterType
  default: ParameterValue
  /** `false` and `true` for a bool; absent for a string. */
  min?: number | boolean
  max?: number | boolean
  /** Allowed values of a string parameter; absent for free text. */
  choices?: readonly string[]
  unit?: string
  description: string
  /** License component required for writing it, or for writing the named value. */
  license?: { component: string; value?: ParameterValue }
}

type ParameterExtras = Pick<ParameterDefinition, 'license' | 'unit'>

export const bool = (
  name: string,
  byDefault: boolean,
  description: string,
  more: ParameterExtras = {},
): ParameterDefinition => ({
  name,
  type: 'bool',
  default: byDefault,
  min: false,
  max: true,
  description,
  ...more,
})

export const int32 = (
  name: string,
  byDefault: number,
  [min, max]: readonly [number, number],
  description: string,
  more: ParameterExtras = {},
): ParameterDefinition => ({ name, type: 'int32', default: byDefault, min, max, description, ...more })

export const float64 = (
  name: string,
  byDefault: number,
  [min, max]: readonly [number, number],
  description: string,
  more: ParameterExtras = {},
): ParameterDefinition => ({ name, type: 'float64', default: byDefault, min, max, description, ...more })

export const choice = (
  name: string,
  byDefault: string,
  choices: readonly string[],
  description: string,
  more: ParameterExtras = {},
): ParameterDefinition => ({ name, type: 'string', default: byDefault, choices, description, ...more })

export const text = (
  name: string,
  byDefault: string,
  description: string,
  more: ParameterExtras = {},
): ParameterDefinition => ({ name, type: 'string', default: byDefault, description, ...more })
