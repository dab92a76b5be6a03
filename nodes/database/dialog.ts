import { text } from '../../editor/dialog'
import { inShort } from '../../editor/label'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: (node) => {
    const kind = node['action'] === 'set' ? '' : node._(`database.kind.${text(node['kind'])}`)
    const what = inShort(node, 'recordId') || kind
    return what && `${node._(`database.flowLabel.${text(node['action'])}`)} ${what}`
  },
} satisfies OwnDialog
