import type { Service, Shape } from '../../schemas/service'
import { argumentUnit } from '../argument-units'
import type { FormShape, Group } from './form-shape'
import { leaf } from './leaf'

/** The form of a service's arguments, from their shape; the device does not say which are required. */
export const serviceForm = ({ args }: Pick<Service, 'args'>): Group => groupOf(args as Shape | undefined, '')

function shapeOf(shape: Shape | undefined, path: string): FormShape {
  if (typeof shape === 'string')
    return leaf(shape, { unit: isNumber(shape) ? argumentUnit(path) : undefined })
  if (Array.isArray(shape)) return { is: 'list', of: shapeOf((shape as readonly Shape[])[0], path) }
  return isGroup(shape) ? groupOf(shape, path) : leaf('any')
}

const groupOf = (shape: Shape | undefined, path: string): Group => ({
  is: 'group',
  fields: Object.fromEntries(
    Object.entries(isGroup(shape) ? shape : {}).map(([name, of]) => [
      name,
      shapeOf(of, path ? `${path}.${name}` : name),
    ]),
  ),
})

const isGroup = (shape: Shape | undefined): shape is Readonly<Record<string, Shape>> =>
  typeof shape === 'object' && !Array.isArray(shape)

const isNumber = (type: string) => /^(float|u?int)\d+$/.test(type)
