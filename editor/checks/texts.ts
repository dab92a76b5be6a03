import { check } from './check'
import { noList, noObject, noReference } from './written'

/** A path in the message, `payload` or `cell.speed`. */
export const messageProperty = (field: string) => check(field, (_node, value) => noReference(value, 'msg'))

/** A JSON object as text. */
export const jsonObject = (field: string) => check(field, (_node, value) => noObject(value))

/** A JSON list as text; empty is an empty one. */
export const jsonList = (field: string) => check(field, (_node, value) => noList(value))
