import { text } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'
import { portAdvice } from '../../editor/port-advice'
import { virtualPage } from '../../editor/virtual-page'

export default {
  label: (node) => `${node._('virtual-device.paletteLabel')} :${text(node['port'] ?? 8080)}`,
  prepare: (dialog) => {
    portAdvice(dialog, (key, values) => dialog.node._(`virtual-device.portUse.${key}`, values))
    virtualPage(dialog, (key) => dialog.node._(`virtual-device.page.${key}`))
  },
} satisfies OwnDialog
