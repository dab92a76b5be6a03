import { stored, text } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: (node) => node._(`firmware-update.flowLabel.${text(stored(node, 'mode'))}`),
} satisfies OwnDialog
