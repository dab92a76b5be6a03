import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import type { Connection } from '../device-config/connection'
import type { Device, DeviceConfigNode } from '../device-config/device'
import type { TypedName } from './field-kind'
import { fieldsOfMessage, type FieldValues } from './fields-of-message'
import { handleInput, type Outcome } from './handle-input'
import { codeOf, invalidInput } from './node-error'
import { StatusLine } from './status-line'

/** What the body of a node finds for one message. */
export interface Input<Name extends string> extends FieldValues<Name> {
  msg: NodeMessageInFlow
  device: Connection
  /** Aborted when the node closes. */
  signal: AbortSignal
}

interface Options {
  /** Reads may overtake each other on the way and still leave in order; writes go one after another. */
  reads?: boolean
}

/**
 * Handles the messages of a node on a device: the body returns the message properties to set, or throws.
 * Status, `done`, errors, order, queue and abort are dealt with here.
 */
export function onInput<Fields extends { device: string }>(
  RED: NodeAPI,
  node: Node,
  fields: Fields,
  body: (input: Input<TypedName<Fields>>) => Promise<Outcome>,
  { reads = false }: Options = {},
): void {
  const status = new StatusLine(RED, node)
  const device = deviceOf(RED, fields.device)
  const leave = device ? device.join(node, (state) => status.link(state)) : undefined
  if (!device) status.link('noDevice')
  const valuesOf = fieldsOfMessage(RED, node, fields)

  handleInput(
    RED,
    node,
    {
      atOnce: reads && device ? device.atOnce : 1,
      room: device?.room ?? Infinity,
      worked: (open, waiting) => status.work(open, waiting),
      left: (error) => {
        if (error === undefined) status.succeeded()
        else status.failed(codeOf(error) ?? 'failed')
        device?.noticed(error)
      },
      closed: () => {
        leave?.()
        status.close()
      },
    },
    async (msg, signal) => {
      if (!device) throw invalidInput('no-device')
      const values = valuesOf(msg)
      const { read, text, name } = values instanceof Promise ? await values : values
      return body({ msg, device: device.connection, signal, read, text, name })
    },
  )
}

/** The device of a config node; undefined where it is missing or disabled. */
function deviceOf(RED: NodeAPI, id: string): Device | undefined {
  const node = RED.nodes.getNode(id) as DeviceConfigNode | null | undefined
  return node?.type === 'vision-device-config' ? node.device : undefined
}
