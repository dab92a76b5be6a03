import type { OwnDialog } from '../../editor/own-dialogs'
import { cellNodes } from '../../editor/plc/cell-nodes'

export default {
  label: () => '',
  prepare: (dialog) => cellNodes(dialog, (key, values) => dialog.node._(`plc-trigger.cell.${key}`, values)),
} satisfies OwnDialog
