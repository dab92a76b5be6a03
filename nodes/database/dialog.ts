import { stored, text, abbreviated } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: (node) => {
    const action = text(stored(node, 'action'))
    const kind = action === 'set' ? '' : node._(`database.kind.${text(stored(node, 'kind'))}`)
    const what = abbreviated(node, 'recordId') || kind
    return what && `${node._(`database.flowLabel.${action}`)} ${what}`
  },
} satisfies OwnDialog
