import { labelOf, text } from '../dialog'

/** Returns why a value is invalid, or undefined if it is valid. */
export type FieldCheck = (node: EditorNode, value: string) => string | undefined

/** A validator for `defaults`. Node-RED accepts `${NAME}` before it calls the validator. */
export interface Check {
  (this: EditorNode, value: unknown, options?: object): boolean | string
  reason: FieldCheck
  /** The form in which the field stores what was typed. */
  kept?: (typed: string) => string
}

export function check(field: string, reason: FieldCheck, kept?: Check['kept']): Check {
  return Object.assign(
    function (this: EditorNode, value: unknown, options?: object) {
      // A flow older than this field: its default applies.
      if (value === undefined) return true
      const found = reason(this, text(value).trim())
      if (found === undefined) return true
      return options ? `${labelOf(this, field)}: ${found}` : false
    },
    { reason, ...(kept && { kept }) },
  )
}
