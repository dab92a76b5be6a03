import { stored, text } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'
import { plcMap } from '../../editor/plc/map'
import { plcPanel } from '../../editor/plc/panel'

/** Connections by nodes of others have no address here. */
const protocols: Partial<Record<string, string>> = {
  s7: 'S7',
  opcua: 'OPC UA',
  mqtt: 'MQTT',
  sparkplug: 'Sparkplug',
  ads: 'ADS',
  modbus: 'Modbus',
  'ethernet-ip': 'EtherNet/IP',
  any: 'PLC',
}

export default {
  label: (node) => {
    const connection = text(stored(node, 'connection'))
    const protocol = protocols[connection]
    if (protocol !== undefined) return protocol
    const isServer = connection === 'server'
    const [host, port] = isServer ? ['listen', 'port'] : ['host', 'hostPort']
    return `${text(stored(node, host))}:${text(stored(node, port))}`
  },
  prepare: (dialog) => {
    const { node } = dialog
    plcMap(dialog, (key, values) => node._(`plc-handshake.copy.${key}`, values))
    plcPanel(dialog, (key, values) => node._(`plc-handshake.panel.${key}`, values))
  },
} satisfies OwnDialog
