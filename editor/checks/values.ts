import { fieldOf } from '../dialog'
import { unfitting } from '../forms/fitting'
import { sharedText } from '../shared-text'
import { check } from './check'
import { isForm, noObject, noObjects, noReference } from './written'

/** The value of `set-parameter`: one value, or an object of values if several parameters are written. */
export const parameterValue = (field: string) =>
  check(field, (node, value) => {
    const which = fieldOf(node, 'which')
    const kind = fieldOf(node, `${field}Type`)
    if (which !== 'one' && ['str', 'num', 'bool'].includes(kind)) return sharedText('reason.severalValues')
    if (which === 'nodes' && isForm(kind)) return noObject(value) ?? noObjects(value)
    if (which === 'several' && isForm(kind)) return noObject(value) ?? unfitting(node, field, kind, value)
    // An empty text is a value that clears some parameters; a number may have a unit.
    const isChecked = kind === 'str' || kind === 'num'
    return (isChecked ? undefined : noReference(value, kind)) ?? unfitting(node, field, kind, value)
  })

/** The arguments of a service or an operation: an object, or a reference to one. */
export const formValue = (field: string) =>
  check(field, (node, value) => {
    const kind = fieldOf(node, `${field}Type`)
    return isForm(kind) ? (noObject(value) ?? unfitting(node, field, kind, value)) : noReference(value, kind)
  })
