import { text } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: (node) => node._(`backup.flowLabel.${text(node['action'] ?? 'save')}`),
} satisfies OwnDialog
