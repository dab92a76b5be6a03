import type { FormShape, Leaf } from '../../lib/contract/reading/form/form-shape'
import type { Offer } from '../picks/offers'

/** Names that may be added to a form beyond those of its shape. */
export interface Names {
  /** What an added field takes; any JSON value where that is not known. */
  shapeOf: (name: string) => FormShape | undefined
  /** Lists what there is. */
  load?: (fresh: boolean) => Promise<readonly Offer[]>
  /** The value that the device has now, with which a new field begins. */
  presentOf?: (name: string) => unknown
}

/** One field of a form, with its place in it. */
export interface Field {
  shape: FormShape
  label: string
  path: string
  value: unknown
  depth: number
}

/** What the parts of a form share. */
export interface Context {
  /** The rows of one field, whatever its shape: parts may hold parts. */
  rows: (field: Field) => FormPart
  /** A value has changed. */
  changed: () => void
  /** Rows came or went. */
  resized: () => void
  /** A pick-list for a field of the form. */
  offersOf?: ((path: string) => ((fresh: boolean) => Promise<readonly Offer[]>) | undefined) | undefined
  texts: { add: string }
}

/** One part of a form in the dialog. */
export interface FormPart {
  element: JQuery
  /** The value as it is stored; undefined where nothing is given. */
  read: () => unknown
}

export const anyValue: Leaf = { is: 'leaf', type: 'any' }
