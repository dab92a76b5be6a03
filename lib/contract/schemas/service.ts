import { Type, type Static } from '../../typebox'

export const ServiceName = Type.String({ minLength: 1, description: 'name of a service' })

/** Type names as leaves: `{ pose: { position: { x: 'float64' } }, ids: ['string'] }`. */
export type Shape = string | { readonly [field: string]: Shape } | readonly [Shape] | readonly []

export const Service = Type.Object({
  name: Type.String(),
  description: Type.Optional(Type.String()),
  args: Type.Optional(Type.Unknown({ description: 'field names to type names, nested' })),
  response: Type.Unknown({ description: 'field names to type names, nested' }),
})
export type Service = Static<typeof Service>

export const ServiceArgs = Type.Record(Type.String(), Type.Unknown(), {
  description: 'arguments of the service',
})

export const ServiceAnswer = Type.Object({
  name: Type.String(),
  response: Type.Record(Type.String(), Type.Unknown(), { description: 'results of the service' }),
})
export type ServiceAnswer = Static<typeof ServiceAnswer>

/** Outcome of most services: 0 is success, negative a failure, positive success with a remark. */
export const ReturnCode = Type.Object({ value: Type.Integer(), message: Type.String() })
export type ReturnCode = Static<typeof ReturnCode>
