import { labelOf, text } from '../dialog'

/** Says why a value does not do, or nothing where it does. */
export type FieldCheck = (node: EditorNode, value: string) => string | undefined

/** A validator for `defaults`. Node-RED lets `${NAME}` pass before it asks. */
export interface Check {
  (this: EditorNode, value: unknown, options?: object): boolean | string
  reason: FieldCheck
  /** The form in which the field keeps what was typed. */
  kept?: (typed: string) => string
}

export function check(field: string, reason: FieldCheck, kept?: Check['kept']): Check {
  return Object.assign(
    function (this: EditorNode, value: unknown, options?: object) {
      // A flow from before there was this field: its default counts.
      if (value === undefined) return true
      const found = reason(this, text(value).trim())
      if (found === undefined) return true
      return options ? `${labelOf(this, field)}: ${found}` : false
    },
    { reason, ...(kept && { kept }) },
  )
}
