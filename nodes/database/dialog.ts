import { stored, text, inShort } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: (node) => {
    const action = text(stored(node, 'action'))
    const kind = action === 'set' ? '' : node._(`database.kind.${text(stored(node, 'kind'))}`)
    const what = inShort(node, 'recordId') || kind
    return what && `${node._(`database.flowLabel.${action}`)} ${what}`
  },
} satisfies OwnDialog
