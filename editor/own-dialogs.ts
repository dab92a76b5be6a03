import type { Dialog } from './dialog'

/** What a description cannot express; default export of `nodes/<node>/dialog.ts`. */
export interface OwnDialog {
  /** In the flow, for a node without a name; empty: the palette label. */
  label: (node: EditorNode) => string
  /** Before the fields show their problems. */
  prepare?: (dialog: Dialog) => void
}

/** By node type; the build adds every `dialog.ts`. */
export const ownDialogs: Record<string, OwnDialog> = {}
