import { text } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: (node) => node._(`robot.flowLabel.${text(node['action'] ?? 'read')}`),
} satisfies OwnDialog
