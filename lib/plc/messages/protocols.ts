import { ads } from './ads'
import { ethernetIp } from './ethernet-ip'
import { modbusNodes } from './modbus-nodes'
import { any, mqtt } from './objects'
import { opcua } from './opcua'
import type { MessageProtocol, MessageProtocolId } from './protocol'
import { s7 } from './s7'
import { sparkplug } from './sparkplug'

/** All protocols, by their id. */
export const messageProtocols: Readonly<Record<MessageProtocolId, MessageProtocol>> = {
  s7,
  opcua,
  mqtt,
  sparkplug,
  ads,
  modbus: modbusNodes,
  'ethernet-ip': ethernetIp,
  any,
}
