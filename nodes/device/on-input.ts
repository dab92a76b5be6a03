/** Nodes that handle messages on a device. */
import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import { type Device, deviceOf } from './device'
import { type FixedNames, missingNames } from './known-nodes'
import { type LinkState, type StatusLine, statusLineOf, type StatusWord } from '../shared/status'
import type { Connection } from './connection'
import { fieldsOfMessage, type FieldValues, type TypedName } from '../shared/read-fields'
import type { NodeWithInput } from '../shared/fields/description'
import {
  handleInput,
  type Decides,
  type Handling,
  type MessageDecision,
  type MessageWork,
} from '../shared/handle-input'
import type { Outcome, Properties } from '../shared/outcome'
import { invalidInput, asSentence } from '../shared/sentences'
import type { SysInfo } from '../../lib/contract'
import { reboot } from '../../lib/system/reboot'
import { currentLanguage } from '../shared/node-error'
import { sentencesOf } from '../sentences'

interface DeviceBinding {
  /** Missing if the config node is missing or disabled, which the status shows. */
  device: Device | undefined
  status: StatusLine
  leave: () => void
}

const { summarize } = sentencesOf('device')

/** Characters. */
const longest = 40

/**
 * Joins a node to its device, and shows the connection in its status.
 * @param names always used by the node
 * @param onState called with the present and every later state
 */
export function onDevice(
  RED: NodeAPI,
  node: Node,
  { device: id }: { device: string },
  names: FixedNames | undefined,
  onState: (state: LinkState) => void = () => undefined,
): DeviceBinding {
  const status = statusLineOf(RED, node)
  const device = deviceOf(RED, id)
  if (!device) status.link('noDevice')

  const compare = async () => {
    if (!names || !device) return
    const missing = await missingNames(device.connection.lists, names)
    const text = missing.join(', ')
    if (device.state === 'ready')
      status.missing(text ? (text.length > longest ? `${text.slice(0, longest)}…` : text) : undefined)
  }
  const leave = device?.join(node, (state) => {
    status.link(state)
    onState(state)
    if (state === 'ready') compare().catch((error: unknown) => node.error(asSentence(error), {}))
  })
  return {
    device,
    status,
    leave: () => {
      leave?.()
      status.close()
    },
  }
}

export interface NodeInput<Name extends string> extends FieldValues<Name>, MessageWork {
  msg: NodeMessageInFlow
  device: Connection
  /** Shows what the node does until the message is finished. */
  progress: (word: StatusWord, count?: number) => void
  /** Shows a procedure of several messages between them, until replaced. */
  rest: (word?: StatusWord, count?: number) => void
}

interface Options extends Pick<Handling, 'urgent'> {
  /** Reads run in parallel and leave in order; writes run one after another. */
  reads?: boolean
  /** Always used by the node; its status shows the missing ones. */
  names?: FixedNames
}

interface MessageValues<Fields> extends FieldValues<TypedName<Fields>> {
  msg: NodeMessageInFlow
}

type Body<Fields> = (input: NodeInput<TypedName<Fields>>) => Promise<Outcome>

/**
 * The body returns a `NodeAnswer` or throws; status, `done`, errors, order, queue and abort are handled here.
 * @returns starts the node's own work, which queues with the messages and sends a copy of `msg`
 */
export function onInput<Described extends NodeWithInput, Fields extends { device: string }>(
  RED: NodeAPI,
  node: Node,
  description: Described,
  fields: Fields,
  body: Body<Fields>,
  ...[options]: Described['changes'] extends 'some'
    ? [Options & Decides<Described, (values: MessageValues<Fields>) => boolean>]
    : [Options?]
): (msg: Properties, own: Body<Fields>) => void {
  const {
    reads = false,
    names,
    urgent,
    changes,
  } = (options ?? {}) as Options & {
    changes?: (values: MessageValues<Fields>) => boolean
  }
  const { device, status, leave } = onDevice(RED, node, fields, names)
  const valuesOf = fieldsOfMessage(RED, node, fields)
  // Once: a function per message measurably reduces the message rate.
  const progress = (word: StatusWord, count = 0) => status.progress(word, count)
  const rest = (word?: StatusWord, count = 0) => status.rest(word, count)

  const withDevice =
    (work: Body<Fields>) =>
    async (msg: NodeMessageInFlow, { signal, notify }: MessageWork) => {
      if (!device) throw invalidInput('no-device')
      const values = valuesOf(msg)
      const { read, text, name } = values instanceof Promise ? await values : values
      return work({ signal, notify, msg, device: device.connection, read, text, name, progress, rest })
    }

  const begin = handleInput(
    RED,
    node,
    description,
    {
      ...({
        changes: changes && (async (msg: NodeMessageInFlow) => changes({ ...(await valuesOf(msg)), msg })),
      } as Decides<Described, MessageDecision>),
      atOnce: reads && device ? device.atOnce : 1,
      room: device?.room ?? Infinity,
      ...(urgent && { urgent }),
      begun: () => status.begins(),
      worked: (open, waiting) => status.work(open, waiting),
      left: (error, answer) => {
        status.left(error, answer)
        device?.noticed(error)
      },
      closed: leave,
    },
    withDevice(body),
  )
  return (msg, own) => begin(msg, withDevice(own))
}

/**
 * Restarts the device and waits until ready; reports each step as a message and in the status.
 * @param readyWithin seconds
 * @param output for the steps, from 0
 */
export const restartDevice = (
  { device, signal, notify, progress }: Pick<NodeInput<never>, 'device' | 'signal' | 'notify' | 'progress'>,
  readyWithin: number,
  output: number,
): Promise<SysInfo> =>
  reboot(device.client, {
    signal,
    readyWithin,
    language: currentLanguage(),
    onPhase: (phase, seconds) => {
      progress('rebooting')
      const rounded = Math.round(10 * seconds) / 10
      notify(
        output,
        { payload: { phase, seconds: rounded } },
        summarize(`result-restart-${phase}`, {}, { value: rounded }),
      )
    },
  })
