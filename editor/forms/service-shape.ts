import type { Service, Shape } from '../../lib/contract'
import type { FormShape, Group } from '../../nodes/shared/form/shape'
import { isObject } from './reference'

/** What a service asks for, by the shape of its arguments; the device says of none whether it is needed. */
export const serviceShape = ({ args }: Pick<Service, 'args'>): Group => ({
  is: 'group',
  fields: fieldsOf(isObject(args) ? (args as Record<string, Shape>) : {}),
})

function shapeOf(shape: Shape | undefined): FormShape {
  if (typeof shape === 'string') return { is: 'leaf', type: shape }
  if (Array.isArray(shape)) return { is: 'list', of: shapeOf((shape as readonly Shape[])[0]) }
  return isObject(shape) ? { is: 'group', fields: fieldsOf(shape) } : { is: 'leaf', type: 'any' }
}

const fieldsOf = (shapes: Readonly<Record<string, Shape>>) =>
  Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, shapeOf(shape)]))
