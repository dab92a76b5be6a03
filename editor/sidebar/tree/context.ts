import type { TreeBranch, TreeEntry } from './entry'

/** What all lines of a tree share. */
export interface TreeContext {
  /** Lines came or went. */
  changed: () => void
  focus: (item: HTMLElement) => void
  menu: (line: TreeLine, at: { left: number; top: number }) => void
  /** The lines below a line. */
  below: (branch: TreeBranch, list: JQuery, level: number) => OpenBranch
  /** Stands where a branch holds nothing. */
  nothing: TreeEntry
  /** Stands where a branch could not be read yet. */
  unread: TreeEntry
  /** Why what lies in a list could not be read; undefined where it could. */
  failed: (list: JQuery, problem?: string) => void
  /** Mouse or keyboard are among the lines: those that are seen keep their order. */
  isHeld: () => boolean
  /** Whether the line under the mouse is this one, or lies below it. */
  isPointedAt: (item: JQuery) => boolean
}

/** A line, as its menu sees it. */
export interface TreeLine {
  readonly element: JQuery
  readonly entry: TreeEntry
  edit: () => void
}

/** The lines below a line, as it sees them. */
export interface OpenBranch {
  /** The same branch, read again from above. */
  branch: TreeBranch
  /** Looks again as soon as the tree next ticks. */
  hurry: () => void
  /** Looks where it is time to, here and in the open branches below. */
  tick: () => void
  /** Puts all lines where they belong. */
  settle: () => void
}
