import { abbreviated } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: (node) => {
    const value = abbreviated(node, 'value')
    if (node['which'] === 'nodes') return node._('set-parameter.flowLabel.nodes', { value })
    const target = abbreviated(node, 'node')
    if (node['which'] === 'several') return target && `${target} = ${value}`
    const parameter = abbreviated(node, 'parameter')
    return target && parameter && `${target} ${parameter} = ${value}`
  },
} satisfies OwnDialog
