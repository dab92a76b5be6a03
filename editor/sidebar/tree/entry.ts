import type { NewNode } from '../flow/new-node'

/** The colour of a line: of a state, of a log entry. */
export type LineTone = 'good' | 'soon' | 'bad' | 'quiet'

/** One line of the tree. */
export interface TreeEntry {
  /** Unique among its siblings, and constant when they are read again. */
  key: string
  label: string
  /** The present value, at the end of the line. */
  value?: string
  /** A few more words after the label. */
  about?: string
  /** Shown on hover. */
  description?: string
  /** Name of a Font Awesome icon, without `fa-`. */
  icon?: string
  tone?: LineTone
  /** A bar of a histogram behind the line: its length, up to 1. */
  part?: number
  /** Long texts wrap. */
  isText?: boolean
  /** Never wraps: truncated instead. */
  isLine?: boolean
  /** Initially open. */
  isOpen?: boolean
  /** What is wrong with it, in a sentence; listed among the problems, not here. */
  problem?: string
  /** Its children. */
  branch?: TreeBranch
  /** What is shown below it instead of children once it is open; created when it is opened for the first time. */
  panel?: () => JQuery
  /** The nodes that can be created from it; dragging creates the first one. */
  nodes?: readonly NewNode[]
  /** Edits its value in an editor below the line; started by a double click or Enter. */
  edit?: LineEditor
  /** The action of a click or Enter if there is nothing to open, with its name for the menu. */
  act?: LineAction
}

export interface LineAction {
  name: string
  run: () => void
}

/** Fills `place` with a control; `done` closes it, with an optional remark. */
export type LineEditor = (place: JQuery, done: (said?: LineRemark) => void) => void

export interface LineRemark {
  text: string
  tone: LineTone
}

export interface TreeBranch {
  /** Seconds between two reads while it is open; if missing, it is read only when it is opened. */
  every?: number
  /** Rejects with a sentence if there is nothing. `again` causes another read, for content that arrives later. */
  load: (again: () => void) => Promise<readonly TreeEntry[]>
}
