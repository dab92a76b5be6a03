/**
 * What a form contains: a value, named fields or a list. The editor draws it, and the runtime checks values against it.
 */
export type FormShape = Leaf | Group | List

/** One value. */
export interface Leaf {
  is: 'leaf'
  /**
   * `string`, `bool`, `int8` to `uint64`, `float32`, `float64`, `integer`, `number`, `file`, `json`, or `any` for any
   * value, most likely text.
   */
  type: string
  /** The allowed values; missing if any value is. */
  choices?: readonly string[]
  min?: number
  max?: number
  /** Symbol, for example `Hz`. */
  unit?: string
  about?: string
  required?: boolean
  /** Whether an empty text is a value. */
  mayBeEmpty?: boolean
}

/** Fields by name. */
export interface Group {
  is: 'group'
  fields: Readonly<Record<string, FormShape>>
  about?: string
  required?: boolean
}

/** Any number of items of one shape. */
interface List {
  is: 'list'
  of: FormShape
  about?: string
  required?: boolean
}
