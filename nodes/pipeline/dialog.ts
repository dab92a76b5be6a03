import { text, joined } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: (node) => {
    const action = text(node['action'] ?? 'list')
    if (action === 'list' || action === 'apply') return node._(`pipeline.flowLabel.${action}`)
    return (
      (action === 'configure' && joined(node, ['pipeline', 'kind'])) || node._(`pipeline.action.${action}`)
    )
  },
} satisfies OwnDialog
