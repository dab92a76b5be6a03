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

/** What `onDevice` returns. */
interface DeviceBinding {
  /** Missing if the config node is missing or disabled; the node's status then says so. */
  device: Device | undefined
  /** Shows the state of the connection when there is nothing else to show. */
  status: StatusLine
  leave: () => void
}

const { summarize } = sentencesOf('device')

/** Longest names in a status, in characters. */
const longest = 40

/**
 * Joins a node to its device and shows the state of the connection in its status.
 * @param names that the node always uses; compared with those on the device
 * @param onState called with the state of the connection, now and on every change
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

/** What the body of a node receives for one message. */
export interface NodeInput<Name extends string> extends FieldValues<Name>, MessageWork {
  msg: NodeMessageInFlow
  device: Connection
  /** Shows what the node is doing, with a number if the word takes one, until the message is finished. */
  progress: (word: StatusWord, count?: number) => void
  /** Shows the progress of a procedure of several messages between them, until it is replaced. */
  rest: (word?: StatusWord, count?: number) => void
}

interface Options extends Pick<Handling, 'urgent'> {
  /** Whether the node only reads: reads run in parallel and leave in order; writes run one after another. */
  reads?: boolean
  /** Names that the node always uses; its status shows those that the device does not have. */
  names?: FixedNames
}

/** What decides whether a message changes something. */
interface MessageValues<Fields> extends FieldValues<TypedName<Fields>> {
  msg: NodeMessageInFlow
}

type Body<Fields> = (input: NodeInput<TypedName<Fields>>) => Promise<Outcome>

/**
 * Handles the messages of a node on a device: the body returns a `NodeAnswer` with the message properties to set and a
 * summary for people, or throws. Covers status, `done`, errors, order, queue and abort.
 * @returns begins work of the node's own, which takes its turn among the messages; what it sends is a copy of `msg`
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
  // Created once: a function per message would measurably reduce the message rate.
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
 * Restarts the device of a node and waits until it is ready; reports each step as a message and as the status.
 * @param readyWithin seconds
 * @param output for the message of each step; from 0
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
