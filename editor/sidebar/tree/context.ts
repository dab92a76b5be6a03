import type { TreeBranch, TreeEntry } from './entry'

/** What all lines of a tree share. */
export interface TreeContext {
  /** Called when lines were added or removed. */
  changed: () => void
  focus: (item: HTMLElement) => void
  menu: (line: TreeLine, at: { left: number; top: number }) => void
  /** The lines below a line. */
  below: (branch: TreeBranch, list: JQuery, level: number) => OpenBranch
  /** Shown if a branch is empty. */
  nothing: TreeEntry
  /** Shown while a branch could not be read yet. */
  unread: TreeEntry
  /** Called with the reason if a list could not be read; undefined if it could. */
  failed: (list: JQuery, problem?: string) => void
  /** Whether mouse or keyboard are among the lines: visible lines then keep their order. */
  isHeld: () => boolean
  /** Whether the line under the mouse is this one, or is below it. */
  isPointedAt: (item: JQuery) => boolean
}

/** A line as used by its menu. */
export interface TreeLine {
  readonly element: JQuery
  readonly entry: TreeEntry
  edit: () => void
}

/** The lines below a line, as used by that line. */
export interface OpenBranch {
  /** The same branch, as newly read by its parent. */
  branch: TreeBranch
  /** Reads again at the next tick of the tree. */
  hurry: () => void
  /** Reads what is due, here and in the open branches below. */
  tick: () => void
  /** Moves all lines to their final position. */
  settle: () => void
}
