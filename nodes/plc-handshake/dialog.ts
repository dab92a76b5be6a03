import { stored, text } from '../../editor/dialog'
import type { OwnDialog } from '../../editor/own-dialogs'
import { plcMap } from '../../editor/plc/map'
import { plcPanel } from '../../editor/plc/panel'
import { plcTest } from '../../editor/plc/test-plc'

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

/** The fields of the address, and the protocol where it is not Modbus. */
const places: Partial<Record<string, readonly [host: string, port: string, name?: string]>> = {
  server: ['listen', 'port'],
  's7-client': ['host', 's7Port', 'S7'],
  slmp: ['host', 'slmpPort', 'SLMP'],
}

export default {
  label: (node) => {
    const connection = text(stored(node, 'connection'))
    const protocol = protocols[connection]
    if (protocol !== undefined) return protocol
    const [host = 'host', port = 'hostPort', name] = places[connection] ?? []
    const address = `${text(stored(node, host))}:${text(stored(node, port))}`
    return name === undefined ? address : `${name} ${address}`
  },
  prepare: (dialog) => {
    const { node } = dialog
    plcMap(dialog, (key, values) => node._(`plc-handshake.copy.${key}`, values))
    plcTest(dialog, (key, values) => node._(`plc-handshake.test.${key}`, values))
    plcPanel(dialog, (key, values) => node._(`plc-handshake.panel.${key}`, values))
  },
} satisfies OwnDialog
