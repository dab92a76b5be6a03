/**
 * The node *cell agent*: reports the devices of the cell to a centre over MQTT 5, and runs the commands that the dialog
 * allows, each once. In: a broker. Out: reports and journal entries.
 */
import { awaitedLater, orUndefined } from '../../lib/kernel/scope'
import { createRequire } from 'node:module'
import type { Node, NodeAPI, NodeDef, NodeMessageInFlow } from 'node-red'
import type * as Running from './running-agent'
import type { RunningAgent } from './running-agent'
import type { CellName, CommandKind } from '../../lib/fleet/messages'
import type { Rights } from '../../lib/fleet/agent/command-policy'
import { environmentText } from '../shared/read-fields'
import { numberOf, checkedFields } from '../shared/fields/checked-fields'
import { loadFleet } from '../shared/load-later'
import { cellAgentNode, type CellAgentFields } from './fields'
import { sentencesOf } from '../sentences'
import { plainJson } from '../../lib/kernel/json'
import { asSentence } from '../shared/sentences'
import { shown } from '../shared/shown'
import { handleInput, whenStarted } from '../shared/handle-input'
import { isObject } from '../shared/is-object'
import { currentLanguage } from '../shared/node-error'
import { NoAnswer } from '../shared/outcome'
import { statusLineOf } from '../shared/status'

const { invalidInput, nodeError } = sentencesOf('cell-agent')

/** Loads what an agent needs for its work with the first one that starts. */
const loadRunning = (): typeof Running => createRequire(__filename)('./running-agent') as typeof Running

export interface SparkplugSettings {
  /** Empty: none. */
  primaryHost: string
  /** Parameters that hosts see, `node/name`. */
  parameters: string[]
}

/** The settings of an agent, checked. */
export interface CellSettings extends CellName {
  devices: string[]
  rights: Rights
  sources: string[]
  /** Of an edge node of Sparkplug B, if the cell is one. */
  sparkplug?: SparkplugSettings
  folder: string
  /** Seconds. */
  every: number
  expires: number
  patience: number
  /** Milliseconds. */
  fingerprint: number
  flowWithin: number
  /** Bytes. */
  mostArtifact: number
}

/** @throws INVALID_INPUT naming the field */
function settingsOf(RED: NodeAPI, node: Node, fields: CellAgentFields): CellSettings {
  const text = (
    field:
      | ('root' | 'plant' | 'cell' | 'devices' | 'services' | 'flows' | 'sources' | 'folder')
      | ('primaryHost' | 'parameters'),
  ) => environmentText(RED, node, field, fields[field]).trim()
  const list = (...given: Parameters<typeof text>) =>
    text(...given)
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean)
  const number = (
    field: 'every' | 'expires' | 'patience' | 'fingerprint' | 'flowWithin' | 'mostArtifact',
  ): number => numberOf(cellAgentNode, fields, field)

  const { isName, isPlant, isRoot } = loadFleet()
  const [root, plant, cell] = [text('root'), text('plant'), text('cell')]
  if (!isRoot(root)) throw invalidInput('cell-name', { field: 'root', value: root })
  if (!isPlant(plant)) throw invalidInput('cell-name', { field: 'plant', value: plant })
  if (!isName(cell)) throw invalidInput('cell-name', { field: 'cell', value: cell })
  const folder = text('folder')
  if (!folder) throw invalidInput('empty-field', { field: 'folder' })
  const kinds: CommandKind[] = [
    ...(fields.maySet ? (['set-parameters'] as const) : []),
    ...(fields.mayBackup ? (['backup'] as const) : []),
    ...(fields.mayRestore ? (['restore'] as const) : []),
    ...(fields.mayUpdate ? (['update-firmware'] as const) : []),
  ]
  return {
    ...{ root, plant, cell, folder },
    devices: list('devices'),
    rights: { kinds: new Set(kinds), services: list('services'), flows: list('flows') },
    sources: list('sources'),
    ...(fields.sparkplug && {
      sparkplug: { primaryHost: text('primaryHost'), parameters: list('parameters') },
    }),
    every: number('every'),
    expires: Math.max(60, Math.round(3600 * number('expires'))),
    patience: number('patience'),
    fingerprint: 60_000 * number('fingerprint'),
    flowWithin: 1000 * number('flowWithin'),
    mostArtifact: 1024 ** 2 * number('mostArtifact'),
  }
}

/** Messages that may wait until the agent has started. */
const room = 1000

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-cell-agent', function (this: Node, given: NodeDef & CellAgentFields) {
    RED.nodes.createNode(this, given)
    const fields = checkedFields(RED, this, cellAgentNode, given)
    if (!fields) return
    const status = statusLineOf(RED, this)
    let isForeignTold = false
    /** The last message was one of the cell to itself, which is no success after a failure. */
    let isEcho = false

    status.background('waitsForBroker')
    const begin = async (): Promise<{ settings: CellSettings; running: RunningAgent }> => {
      const settings = settingsOf(RED, this, fields)
      const running = await loadRunning().runAgent(RED, this, settings, {
        toBroker: (msg) => this.send(msg),
        toFlows: (msg) => this.send([null, msg]),
        toSparkplug: (msg) => this.send([null, null, msg]),
        reportError: (error) => this.error(error, {}),
        showProgress: (working, isConnected) =>
          status.background(working > 0 ? 'calling' : isConnected ? 'ready' : 'waitsForBroker'),
      })
      return { settings, running }
    }
    let isClosed = false
    let started: ReturnType<typeof begin> | undefined
    const starting = awaitedLater(
      new Promise<NonNullable<typeof started>>((resolve, reject) => {
        const takeBack = whenStarted(RED, () => {
          started = begin()
          started.catch((error: unknown) => {
            if (isClosed) return
            status.left(error)
            this.error(asSentence(error), {})
          })
          resolve(started)
        })
        this.on('close', () => {
          isClosed = true
          takeBack()
          reject(nodeError('ABORTED', 'node-closed'))
        })
      }),
    )

    handleInput(
      RED,
      this,
      cellAgentNode,
      {
        atOnce: 1,
        room,
        left: (error) => {
          if (!isEcho) status.left(error)
          isEcho = false
        },
        closed: () => status.close(),
      },
      async (msg, { signal }) => {
        const { settings, running } = await starting
        if (signal.aborted) throw nodeError('ABORTED', 'node-closed')
        hear(settings, running, msg)
        return new NoAnswer()
      },
    )
    this.on('close', (isRemoved: boolean, done: (error?: Error) => void) => {
      // A start that failed is reported already.
      orUndefined(started ?? Promise.resolve(undefined))
        .then((work) => work?.running.close(isRemoved))
        .then(() => done(), done)
    })

    /** @throws INVALID_INPUT for what cannot be read */
    const hear = (
      settings: CellSettings,
      { agent, flows, sparkplug, completed, here }: RunningAgent,
      msg: NodeMessageInFlow,
    ) => {
      const { Ack, Command, readCellTopic, readCentreAnswerTopic } = loadFleet()
      const { topic, payload } = msg
      const isMarked = isObject(msg['fleet']) && 'token' in msg['fleet']
      if (topic === 'event' && !isMarked) {
        agent.report(eventIn(payload))
        return
      }
      if (flows.receive(msg)) return
      if (isMarked) throw invalidInput('cell-flow-late')
      if (sparkplug?.receive(msg)) return
      const found = readCellTopic(settings.root, topic)
      const isOurs = found?.plant === settings.plant && found.cell === settings.cell
      switch (isOurs ? found.last : undefined) {
        case 'command': {
          const command = read(Command, payload)
          const to = msg['responseTopic']
          const isFrom = readCentreAnswerTopic(settings.root, to) === command.from
          agent.receive(completed(command), {
            isRetained: msg['retain'] === true,
            ...(isFrom && { replyTo: to as string }),
          })
          break
        }
        case 'ack':
          agent.acknowledge(read(Ack, payload))
          break
        case 'here':
          isEcho = here(payload)
          break
        default:
          // A subscription to too much brings the same again and again: one error is enough.
          if (isForeignTold) return
          isForeignTold = true
          throw invalidInput('cell-foreign', {
            topic: typeof topic === 'string' ? topic.slice(0, 200) : shown(topic),
          })
      }
      isForeignTold = false
    }
  })
}

/** @throws INVALID_INPUT */
function read<Schema extends Parameters<ReturnType<typeof loadFleet>['readMessage']>[0]>(
  schema: Schema,
  payload: unknown,
) {
  const { readMessage, fleetSentences } = loadFleet()
  const { value, problem } = readMessage(schema, payload)
  if (problem) {
    const text = fleetSentences.say(problem.key, problem.values, currentLanguage())
    throw invalidInput('reason-unreadable', { text })
  }
  return value
}

/** The event in a message of the flow: a text, or an object with `event`, `device`, `text` and `data`. @throws INVALID_INPUT, NotJson */
function eventIn(payload: unknown) {
  const given: Record<string, unknown> = isObject(payload) ? payload : { text: payload }
  const { event = 'alarm', device, text, data } = given
  if (typeof event !== 'string' || !/^[\w.-]{1,64}$/.test(event))
    throw invalidInput('cell-argument', { argument: 'event' })
  return {
    event,
    ...(typeof device === 'string' && { device: device.slice(0, 200) }),
    ...((typeof text === 'string' || typeof text === 'number') && { text: String(text).slice(0, 2000) }),
    ...(data !== undefined && { data: plainJson(data, { name: 'payload.data', ...loadFleet().partLimits }) }),
  }
}
