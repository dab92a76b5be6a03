import { known } from './ports.mjs'

/** Port variables, in the order in which Node-RED writes them. */
const variableOf = (name) =>
  new RegExp(`("name":\\s*"${name}",\\s*"value":\\s*")\\d+(",\\s*"type":\\s*"num")`)

/** Replaces the ports in a flow's text. @param ports @default the usual ones */
export function withPorts(flow, ports = {}) {
  return ['plc', 'device'].reduce((text, name) => {
    const { variable, byDefault } = known[name]
    return text.replace(variableOf(variable), `$1${ports[name]?.number ?? byDefault}$2`)
  }, flow)
}
