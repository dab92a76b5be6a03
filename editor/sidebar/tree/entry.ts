import type { NewNode } from '../flow/new-node'

/** What colours a line: of a state, of a log entry. */
export type LineTone = 'good' | 'soon' | 'bad' | 'quiet'

/** One line of the tree. */
export interface TreeEntry {
  /** Differs from those of its siblings, and stays the same when they are read again. */
  key: string
  label: string
  /** The present value, at the end of the line. */
  value?: string
  /** A few more words beside the label. */
  about?: string
  /** Shown when the line is pointed at. */
  description?: string
  /** Name of a Font Awesome icon, without `fa-`. */
  icon?: string
  tone?: LineTone
  /** Long texts wrap. */
  isText?: boolean
  /** Never wraps: what does not fit is cut. */
  isLine?: boolean
  /** Begins open. */
  isOpen?: boolean
  /** What is wrong with it, in a sentence; it stands among the problems, not here. */
  problem?: string
  /** What lies below it. */
  branch?: TreeBranch
  /** What it can become in a flow; dragged it becomes the first of them. */
  nodes?: readonly NewNode[]
  /** Changes its value in an editor below the line; begun by a double click or Enter. */
  edit?: LineEditor
  /** What a click or Enter does where there is nothing to open, with its name for the menu. */
  act?: LineAction
}

export interface LineAction {
  name: string
  run: () => void
}

/** Fills `place` with a control; `done` closes it again, with what is to be said. */
export type LineEditor = (place: JQuery, done: (said?: LineRemark) => void) => void

export interface LineRemark {
  text: string
  tone: LineTone
}

export interface TreeBranch {
  /** Seconds from one look to the next while it is open; without them it is read when it is opened. */
  every?: number
  /** Rejects with a sentence on why there is nothing. `again` is for what comes later: it is read again then. */
  load: (again: () => void) => Promise<readonly TreeEntry[]>
}
