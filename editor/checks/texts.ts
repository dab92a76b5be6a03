import { check } from './check'
import { noObject, noReference } from './written'

/** A path in the message, `payload` or `cell.speed`. */
export const messageProperty = (field: string) => check(field, (_node, value) => noReference(value, 'msg'))

/** A JSON object as text. */
export const jsonObject = (field: string) => check(field, (_node, value) => noObject(value))
