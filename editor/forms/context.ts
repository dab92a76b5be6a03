import type { FormShape, Leaf } from '../../lib/contract/reading/form/form-shape'
import type { Offer } from '../picks/offers'

/** Names that may be added to a form beyond those of its shape. */
export interface Names {
  /** The shape of an added field; any JSON value if it is unknown. */
  shapeOf: (name: string) => FormShape | undefined
  /** Lists the available names. */
  load?: (fresh: boolean) => Promise<readonly Offer[]>
  /** The device's present value, which a new field starts with. */
  presentOf?: (name: string) => unknown
}

/** One field of a form, with its element. */
export interface Field {
  shape: FormShape
  label: string
  path: string
  value: unknown
  depth: number
}

/** What the parts of a form share. */
export interface Context {
  /** The rows of one field of any shape, including nested parts. */
  rows: (field: Field) => FormPart
  /** Called when a value has changed. */
  changed: () => void
  /** Called when rows were added or removed. */
  resized: () => void
  /** A pick-list for a field of the form. */
  offersOf?: ((path: string) => ((fresh: boolean) => Promise<readonly Offer[]>) | undefined) | undefined
  texts: { add: string }
}

/** One part of a form in the dialog. */
export interface FormPart {
  element: JQuery
  /** The value as stored; undefined if none is given. */
  read: () => unknown
}

export const anyValue: Leaf = { is: 'leaf', type: 'any' }
