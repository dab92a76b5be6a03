import { text } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: (node) => text(node['address']),
} satisfies OwnDialog
