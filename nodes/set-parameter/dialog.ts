import { inShort } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: (node) => {
    const value = inShort(node, 'value')
    if (node['which'] === 'nodes') return node._('set-parameter.flowLabel.nodes', { value })
    const target = inShort(node, 'node')
    if (node['which'] === 'several') return target && `${target} = ${value}`
    const parameter = inShort(node, 'parameter')
    return target && parameter && `${target} ${parameter} = ${value}`
  },
} satisfies OwnDialog
