import { text } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'
import { portAdvice, virtualPage } from '../../editor/test-connection'

export default {
  label: (node) => `${node._('virtual-device.paletteLabel')} :${text(node['port'] ?? 8080)}`,
  prepare: (dialog) => {
    portAdvice(dialog, (key, values) => dialog.node._(`virtual-device.portUse.${key}`, values))
    virtualPage(dialog, (key) => dialog.node._(`virtual-device.page.${key}`))
  },
} satisfies OwnDialog
