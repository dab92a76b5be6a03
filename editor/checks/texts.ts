import { fieldOf } from '../dialog'
import { check } from './check'
import { rule } from './rules'
import { noObject, noPattern, noReference } from './written'

/** A path inside the message, `payload` or `cell.speed`. */
export const messageProperty = (field: string) => check(field, (_node, value) => noReference(value, 'msg'))

/** A text to look for, which may be empty; a regular expression while the rule `isPattern` holds. */
export const searchText = (field: string, isPattern: string) =>
  check(field, (node, value) => {
    const kind = fieldOf(node, `${field}Type`)
    if (kind !== 'str') return noReference(value, kind)
    return rule(node, isPattern) ? noPattern(value) : undefined
  })

/** A JSON object as text. */
export const jsonObject = (field: string) => check(field, (_node, value) => noObject(value))
