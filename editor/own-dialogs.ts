import type { Dialog } from './dialog'

/** What a dialog has that its description cannot say; the default export of `nodes/<node>/dialog.ts`. */
export interface OwnDialog {
  /** The label in the flow of a node without a name; empty is that of the palette. */
  label: (node: EditorNode) => string
  /** Brings what it has of its own to life, before the reasons below its fields are shown. */
  prepare?: (dialog: Dialog) => void
}

/** By the type of the node. The build adds every `dialog.ts` that there is. */
export const ownDialogs: Record<string, OwnDialog> = {}
