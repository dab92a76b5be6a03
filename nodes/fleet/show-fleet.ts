import type { Node, NodeAPI } from 'node-red'
import type { FleetEvent } from '../../lib/fleet/messages'
import type { Centre } from '../../lib/fleet/centre'
import { deliver } from '../shared/deliver'
import { numberOf } from '../shared/fields/number-of'
import { NodeAnswer } from '../shared/outcome'
import { statusLineOf } from '../shared/status-line'
import { fleetNode, type FleetFields } from './fields'
import { inWords } from './in-words'
import { loadFleet } from './load-fleet'
import { told } from './sentences'
import type { FleetSettings } from './settings-of'

/** Numbers of the outputs. */
const [fleetOutput, eventOutput] = [2, 3]

/** Shows what a centre knows: its status, the state of the fleet for pages, and the events of cells. */
export function showFleet(RED: NodeAPI, node: Node, fields: FleetFields, { centre: name }: FleetSettings) {
  const every = 1000 * numberOf(fleetNode, fields, 'updateEvery')
  const status = statusLineOf(RED, node)
  let sentAt = -Infinity
  let shown = ''
  const send = (answer: NodeAnswer) => deliver(RED, (msg) => node.send(msg), {}, answer, 0)

  const show = ({ cells: { all, notSeen }, centre }: ReturnType<typeof summary>) => {
    if (centre.role === 'asking') status.background('fleetAsks')
    else if (notSeen > 0) status.background('fleetNotSeen', notSeen)
    else status.background(centre.role === 'acting' ? 'fleetActs' : 'fleetReads', all)
  }
  const summary = (centre: Centre) => loadFleet().summaryOf(centre, name)

  return {
    /** Sends the state of the fleet when it has changed. */
    ticked: (centre: Centre): void => {
      const now = performance.now()
      if (now - sentAt < every) return
      sentAt = now
      const fleet = summary(centre)
      show(fleet)
      const text = JSON.stringify(fleet)
      if (text === shown) return
      shown = text
      const { cells, devices } = fleet
      const line = told('result-fleet-fleet', {
        cells: cells.all,
        devices: devices.all,
        problems: devices.problems,
      })
      send(new NodeAnswer({ topic: 'fleet', payload: inWords(RED).fleet(fleet) }, line, fleetOutput))
    },

    event: (event: FleetEvent): void => {
      const { plant, cell, device, event: word, text = word } = event
      const place = [plant, cell, device].filter(Boolean).join('/')
      const line = told('result-fleet-event', { place, text })
      send(new NodeAnswer({ topic: `${place}/${word}`, payload: event }, line, eventOutput))
    },
  }
}
