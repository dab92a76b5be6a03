import { known } from './ports.mjs'

/** The environment variables of a flow that say on which ports it is, in the order in which Node-RED writes them. */
const variableOf = (name) =>
  new RegExp(`("name":\\s*"${name}",\\s*"value":\\s*")\\d+(",\\s*"type":\\s*"num")`)

/** A flow, as text, with other ports in its variables. Without `ports`: with the usual ones. */
export function withPorts(flow, ports = {}) {
  return ['plc', 'device'].reduce((text, name) => {
    const { variable, byDefault } = known[name]
    return text.replace(variableOf(variable), `$1${ports[name]?.number ?? byDefault}$2`)
  }, flow)
}
