import { type AdminCall, answering, jsonBody, oncePerServer, turnstile } from '../../shared/admin'
import { isOwnPort } from './own-ports'
import { nextFreePort, portUse, type PortUse } from './port-use'
import { invalidInput } from '../../shared/sentences'

/** The dialog's question about its port. */
export interface PortQuestion {
  /** Id of the node. */
  node: string
  host: string
  port: number
  /** Ports of other virtual devices in the editor, deployed or not; at most 1000. */
  others: readonly number[]
}

export type PortAnswer = (PortUse | { by: 'itself' }) & {
  /** A free port, if the wanted one is in use or configured in one of the others. */
  free?: number
}

/** Questions answered at the same time. */
const atOnce = 4
const lastPort = 65_535
const mostOthers = 1000

/** Tells the dialog who uses a port. It opens the port typed in a form, so it needs the permission `vision.write`. */
export const portRoute = oncePerServer(({ auth, httpAdmin }) => {
  const pass = turnstile(atOnce)
  httpAdmin.post(
    '/vision-devices/port',
    auth.needsPermission('vision.write'),
    answering((asked) => pass(() => portAnswer(asked))),
  )
})

async function portAnswer({ request, signal }: AdminCall): Promise<PortAnswer> {
  const { node, host, port, others } = questionOf(jsonBody(request))
  const use = isOwnPort(node, port) ? ({ by: 'itself' } as const) : await portUse(host, port, signal)
  const isTaken = use.by === 'virtualDevice' || use.by === 'program'
  if (!isTaken && !others.includes(port)) return use
  const free = await nextFreePort(host, port, new Set(others))
  return { ...use, ...(free !== undefined && { free }) }
}

/** @throws INVALID_INPUT naming the field */
function questionOf({ node = '', host, port, others = [] }: Record<string, unknown>): PortQuestion {
  if (typeof node !== 'string') throw invalidInput('not-text', { field: 'node' })
  if (typeof host !== 'string') throw invalidInput('not-text', { field: 'host' })
  if (!isPort(port)) throw invalidInput('not-a-number', { field: 'port', value: String(port) })
  if (!Array.isArray(others) || others.length > mostOthers || !others.every(isPort))
    throw invalidInput('not-a-number', { field: 'others', value: '' })
  return { node, host, port, others }
}

const isPort = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= lastPort
