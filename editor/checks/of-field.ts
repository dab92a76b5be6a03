import type { Field } from '../../nodes/shared/fields/description'
import { address } from './address'
import { check, type Check } from './check'
import { confirmed, needed, number, pattern, typed } from './fields'
import { formValue, parameterValue } from './values'
import { noList, noObject, noReference } from './written'

/** The check of a field from its description, or the part of it that the dialogs contain. */
export function checkOf(name: string, field: Field): Check {
  switch (field.kind) {
    case 'number':
      return number(name, field)
    case 'typed':
      if (!field.form) return typed(name, field)
      return field.form.of === 'parameters' ? parameterValue(name) : formValue(name)
    case 'property':
      return messageProperty(name)
    case 'json':
      return field.isList ? jsonList(name) : jsonObject(name)
    case 'switch':
      return confirmed(name, field.neededWhen ?? '')
    case 'text':
      if (field.isAddress) return address(name)
      if (field.pattern !== undefined) return pattern(name, new RegExp(field.pattern), field.neededWhen ?? '')
      return needed(name, field.neededWhen ?? '')
    case 'credential':
      return needed(name, field.neededWhen ?? '')
    default:
      return check(name, () => undefined)
  }
}

/** A path in the message, `payload` or `cell.speed`. */
const messageProperty = (field: string) => check(field, (_node, value) => noReference(value, 'msg'))

/** A JSON object as text. */
const jsonObject = (field: string) => check(field, (_node, value) => noObject(value))

/** A JSON list as text; empty is an empty one. */
const jsonList = (field: string) => check(field, (_node, value) => noList(value))
