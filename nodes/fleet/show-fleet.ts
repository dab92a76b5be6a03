import type { Node, NodeAPI } from 'node-red'
import type { FleetEvent } from '../../lib/fleet/messages'
import type { Centre, FleetSummary } from '../../lib/fleet/centre'
import { deliver } from '../shared/handle-input'
import { numberOf } from '../shared/fields/checked-fields'
import { loadFleetCentre } from '../shared/load-later'
import { loadMetrics } from '../metrics/load-metrics'
import { NodeAnswer } from '../shared/outcome'
import { statusLineOf } from '../shared/status'
import { fleetNode, type FleetFields } from './fields'
import { inWords } from './in-words'
import { sentencesOf } from '../sentences'

const { told } = sentencesOf('fleet')

/** Numbers of the outputs. */
const [fleetOutput, eventOutput] = [2, 3]

/** The state of the fleet, at its output. */
export function stateAnswer(RED: NodeAPI, fleet: FleetSummary): NodeAnswer {
  const { cells, devices } = fleet
  const counts = { cells: cells.all, devices: devices.all, problems: devices.problems }
  const payload = inWords(RED).fleet(fleet)
  return new NodeAnswer({ topic: 'fleet', payload }, told('result-fleet-fleet', counts), fleetOutput)
}

/** Shows what a centre knows: its status, the state of the fleet for pages, and the events of cells. */
export function showFleet(RED: NodeAPI, node: Node, fields: FleetFields) {
  const every = 1000 * numberOf(fleetNode, fields, 'updateEvery')
  const status = statusLineOf(RED, node)
  let sentAt = -Infinity
  let shown = ''
  let latest: FleetSummary | undefined
  const { measured, measureFleet } = loadMetrics()
  const { group, end } = measured(RED, 'centre', { id: node.id, name: fields.centre })
  measureFleet(group, () => latest)
  node.on('close', end)
  const send = (answer: NodeAnswer) => deliver(RED, (msg) => node.send(msg), {}, answer, 0)

  const show = ({ cells: { all, notSeen }, centre }: FleetSummary) => {
    if (centre.role === 'asking') status.background('waitsForBroker')
    else if (notSeen > 0) status.background('fleetNotSeen', notSeen)
    else status.background(centre.role === 'acting' ? 'fleetActs' : 'fleetReads', all)
  }
  return {
    /** Sends the state of the fleet when it has changed. */
    ticked: (centre: Centre): void => {
      const now = performance.now()
      if (now - sentAt < every) return
      sentAt = now
      const fleet = loadFleetCentre().summaryOf(centre)
      latest = fleet
      show(fleet)
      const text = JSON.stringify(fleet)
      if (text === shown) return
      shown = text
      send(stateAnswer(RED, fleet))
    },

    event: (event: FleetEvent): void => {
      const { plant, cell, device, event: word, text = word } = event
      const place = [plant, cell, device].filter(Boolean).join('/')
      const line = told('result-fleet-event', { place, text })
      send(new NodeAnswer({ topic: `${place}/${word}`, payload: event }, line, eventOutput))
    },
  }
}
