import type { Node, NodeAPI, NodeDef, NodeMessageInFlow } from 'node-red'
import { plainJson } from '../../lib/kernel/json'
import { asSentence } from '../shared/as-sentence'
import { checkedFields } from '../shared/fields/checked-fields'
import { loadFleet } from '../shared/load-later'
import { shown } from '../shared/shown'
import { handleInput, whenStarted } from '../shared/handle-input'
import { isObject } from '../shared/is-object'
import { spoken } from '../shared/node-error'
import { NoAnswer } from '../shared/outcome'
import { statusLineOf } from '../shared/status'
import { cellAgentNode, type CellAgentFields } from './fields'
import { loadRunning } from './load-running'
import type { RunningAgent } from './running-agent'
import { settingsOf, type CellSettings } from './settings-of'
import { sentencesOf } from '../sentences'

const { invalidInput, nodeError } = sentencesOf('cell-agent')

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
        tell: (error) => this.error(error, {}),
        shows: (working, isConnected) =>
          status.background(working > 0 ? 'calling' : isConnected ? 'ready' : 'waitsForBroker'),
      })
      return { settings, running }
    }
    let isClosed = false
    let started: ReturnType<typeof begin> | undefined
    const starting = new Promise<NonNullable<typeof started>>((resolve, reject) => {
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
    })
    starting.catch(() => undefined)

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
    this.on('close', (isRemoved: boolean, done: () => void) => {
      void (started ?? Promise.reject(new Error()))
        .then(({ running }) => running.close(isRemoved))
        .catch(() => undefined)
        .finally(done)
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
      if (flows.hear(msg)) return
      if (isMarked) throw invalidInput('cell-flow-late')
      if (sparkplug?.hear(msg)) return
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
    const text = fleetSentences.say(problem.key, problem.values, spoken())
    throw invalidInput('reason-unreadable', { text })
  }
  return value
}

/** What a flow tells: a text, or an object with `event`, `device`, `text` and `data`. @throws INVALID_INPUT, NotJson */
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
