import { text } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: (node) => `${node._('virtual-device.paletteLabel')} :${text(node['port'] ?? 8080)}`,
} satisfies OwnDialog
