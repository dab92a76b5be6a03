import { text } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: (node) => node._(`system.action.${text(node['action'] ?? 'info')}`),
} satisfies OwnDialog
