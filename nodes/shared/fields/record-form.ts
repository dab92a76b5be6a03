/** The form of one kind of record; shows while the rule holds. */
export interface RecordForm {
  when: string
  rows: readonly RecordRow[]
}

/** A row in the form of a record. Paths lead into the record, labels are keys below `form`. */
export type RecordRow = RecordNumbers | RecordChoice | RecordText | RecordList

interface RecordSection {
  label: string
  icon: string
  /** Shows while this rule holds; its fields are paths in the record. */
  if?: string
}

/** One number, or one per axis. Lengths are metres in the record, angles a quaternion. */
export interface RecordNumbers extends RecordSection {
  numbers: string
  axes?: 'xyz' | 'xy'
  measure: 'length' | 'angle' | 'pixels'
  needed?: true
}

/** One of several values, each with a label below `choice`. */
export interface RecordChoice extends RecordSection {
  path: string
  choices: readonly string[]
}

export interface RecordText extends RecordSection {
  path: string
  needed?: true
  placeholder?: string
}

/** Any number of elements of the same form. */
export interface RecordList {
  list: string
  /** Label of the button that adds one. */
  add: string
  rows: readonly RecordRow[]
}
