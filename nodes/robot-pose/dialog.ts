import { text } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: (node) => (node['from'] ? `${text(node['from'])} → ${text(node['to'])}` : ''),
} satisfies OwnDialog
