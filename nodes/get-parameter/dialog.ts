import { abbreviated, joined } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: (node) => {
    if (node['which'] !== 'all' && node['which'] !== 'nodes') return joined(node, ['node', 'parameter'])
    const all = abbreviated(node, 'node')
    return all && node._('get-parameter.flowLabel.all', { node: all })
  },
} satisfies OwnDialog
