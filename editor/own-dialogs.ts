import type { Dialog } from './dialog'

/** The part of a dialog that its description cannot express; the default export of `nodes/<node>/dialog.ts`. */
export interface OwnDialog {
  /** The label in the flow for a node without a name; empty for the palette label. */
  label: (node: EditorNode) => string
  /** Sets up its own controls, before the reasons below its fields are shown. */
  prepare?: (dialog: Dialog) => void
}

/** By node type. The build adds every `dialog.ts`. */
export const ownDialogs: Record<string, OwnDialog> = {}
