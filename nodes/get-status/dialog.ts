import { joined } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: (node) => {
    const isSystem = node['what'] === 'system'
    const shown = joined(node, [...(isSystem ? [] : ['node']), ...(node['which'] === 'all' ? [] : ['value'])])
    return shown || (isSystem ? node._('get-status.flowLabel.system') : '')
  },
} satisfies OwnDialog
