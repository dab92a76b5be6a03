/** The node *fleet*: the centre. In: a broker and orders. Out: the state of all cells, results of orders. */
import type { Node, NodeAPI, NodeDef, NodeMessage, NodeMessageInFlow } from 'node-red'
import type { Centre, Receipt } from '../../lib/fleet/centre'
import { requireLogin } from '../firmware-update/update-one'
import { asSentence } from '../shared/sentences'
import { checkedFields } from '../shared/fields/checked-fields'
import { handleInput, type MessageWork } from '../shared/handle-input'
import { NoAnswer, type Outcome } from '../shared/outcome'
import { statusLineOf } from '../shared/status'
import { actionNames, actions, changing, type ActionName } from './orders'
import { fleetNode, type FleetFields } from './fields'
import { postMessage, startCentre, type RunningCentre, settingsOf } from './running-centre'
import { showFleet } from './show-fleet'
import { sentencesOf } from '../sentences'
import { asVisionError } from '../shared/node-error'

const { invalidInput } = sentencesOf('fleet')

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-fleet', function (this: Node, given: NodeDef & FleetFields) {
    RED.nodes.createNode(this, given)
    const fields = checkedFields(RED, this, fleetNode, given)
    if (!fields) return
    const status = statusLineOf(RED, this)
    let running: RunningCentre | undefined
    /** One error is enough for what is wired wrongly: it comes with each message. */
    let isForeignTold = false

    const hear = (centre: Centre, msg: NodeMessageInFlow): NoAnswer => {
      const heard = centre.receive(msg as NodeMessageInFlow & { topic: unknown; payload: unknown })
      if (heard.word === 'heard') isForeignTold = false
      else if (!isForeignTold) {
        isForeignTold = true
        throw foreign(msg, heard)
      }
      return new NoAnswer()
    }

    const order = async (centre: Centre, msg: NodeMessageInFlow, signal: AbortSignal): Promise<Outcome> => {
      const { action } = msg as { action?: unknown }
      const named = actionNames.find((name) => name === action)
      if (!named)
        throw invalidInput('fleet-unknown-action', {
          action: typeof action === 'string' ? action.slice(0, 100) : typeof action,
          known: actionNames.join(', '),
        })
      if (changing.has(named)) requireLogin(RED, msg)
      try {
        return await actions[named]({ RED, centre, msg, signal })
      } catch (error) {
        throw asVisionError(error)
      }
    }

    const work = (msg: NodeMessageInFlow, { signal }: MessageWork): Promise<Outcome> => {
      if (!running) throw invalidInput('fleet-not-running')
      const { centre } = running
      const isOrder = 'action' in msg
      if (centre instanceof Promise)
        return centre.then((opened) => (isOrder ? order(opened, msg, signal) : hear(opened, msg)))
      return isOrder ? order(centre, msg, signal) : Promise.resolve(hear(centre, msg))
    }

    handleInput(
      RED,
      this,
      fleetNode,
      {
        // What is no order is taken for the word of a cell.
        changes: (msg) => !('action' in msg) || changing.has(msg.action as ActionName),
        atOnce: 1,
        room: Infinity,
        // Messages of cells are handled at once and in order; orders that wait for a cell block nothing.
        urgent: () => true,
        left: (error) => {
          if (error !== undefined) status.left(error)
        },
      },
      (msg, more) => Promise.resolve(work(msg, more)),
    )

    const trouble = (error: unknown) => {
      status.left(error)
      this.error(asSentence(error), {})
    }
    try {
      const settings = settingsOf(RED, this, fields)
      const shows = showFleet(RED, this, fields)
      running = startCentre(RED, this, settings, {
        send: (post) => this.send(postMessage(post)),
        event: (event) => shows.event(event),
        failed: (error) => trouble(invalidInput('fleet-journal', { reason: reasonOf(error) })),
        ticked: (centre) => shows.ticked(centre),
      })
      if (running.centre instanceof Promise)
        running.centre.catch((error: unknown) =>
          trouble(invalidInput('fleet-journal', { reason: reasonOf(error) })),
        )
    } catch (error) {
      trouble(error)
    }

    this.on('close', (done: () => void) => {
      const closing = running?.close() ?? Promise.resolve()
      closing
        .catch((error: unknown) => this.error(asSentence(error), {}))
        .finally(() => status.close())
        .then(done, done)
    })
  })
}

function foreign({ topic }: NodeMessage & { topic?: unknown }, heard: Receipt): Error {
  const place = typeof topic === 'string' && topic !== '' ? topic.slice(0, 200) : '–'
  if (heard.word !== 'unreadable') return invalidInput('fleet-foreign', { topic: place })
  const { field = '' } = heard.problem.values
  return invalidInput('fleet-unreadable', { topic: place, detail: `${heard.problem.key} ${field}`.trim() })
}

const reasonOf = (error: unknown) =>
  (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error))
