import { stored, text } from '../../editor/dialog'
import { inShort } from '../../editor/label'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: (node) => {
    const action = text(stored(node, 'action'))
    const kind = action === 'set' ? '' : node._(`database.kind.${text(stored(node, 'kind'))}`)
    const what = inShort(node, 'recordId') || kind
    return what && `${node._(`database.flowLabel.${action}`)} ${what}`
  },
} satisfies OwnDialog
