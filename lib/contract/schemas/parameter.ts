import { Type, type Static } from '../../typebox'

export const ParameterName = Type.String({ minLength: 1, description: 'name of a parameter' })

/** Any JSON value; the parameter's own type says which. */
export const AnyValue = Type.Unknown({ description: 'any JSON value' })

export const Parameter = Type.Object({
  name: Type.String(),
  type: Type.String({ description: 'bool, string, int8 to int64, uint8 to uint64, float32 or float64' }),
  value: AnyValue,
  default: AnyValue,
  min: Type.Optional(AnyValue),
  max: Type.Optional(AnyValue),
  description: Type.String({ description: 'what it does; choices stand in square brackets' }),
})
/** A parameter's record. `min` and `max` are meaningless for a string parameter. */
export type Parameter = Static<typeof Parameter>

export const ParameterNameValue = Type.Object({ name: ParameterName, value: AnyValue })
export type ParameterNameValue = Static<typeof ParameterNameValue>
