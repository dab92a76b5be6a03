import { stored, text } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'
import { plcMap } from '../../editor/plc-map'

export default {
  label: (node) => {
    const isServer = stored(node, 'connection') === 'server'
    const [host, port] = isServer ? ['listen', 'port'] : ['host', 'hostPort']
    return `${text(stored(node, host))}:${text(stored(node, port))}`
  },
  prepare: (dialog) => plcMap(dialog, (key) => dialog.node._(`plc-handshake.copy.${key}`)),
} satisfies OwnDialog
