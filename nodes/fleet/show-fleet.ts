import type { NodeAPI, Node } from 'node-red'
import type { DeviceRow, FleetSummary, RolloutProgress, Centre } from '../../lib/fleet/centre'
import { statusAppearances, statusText, type StatusWord, statusLineOf } from '../shared/status'
import { sentencesOf } from '../sentences'
import type { FleetEvent } from '../../lib/fleet/messages'
import { deliver } from '../shared/handle-input'
import { numberOf } from '../shared/fields/checked-fields'
import { loadFleetCentre } from '../shared/load-later'
import { loadMetrics } from '../metrics/load-metrics'
import { NodeAnswer } from '../shared/outcome'
import { fleetNode, type FleetFields } from './fields'

const { say, summarize } = sentencesOf('fleet')

/** The problems of a device as one short line. @param linkWord the text for the state of a link */
export const problemsInWords = (
  { age, link, sameSerialAs: place, problems }: Pick<DeviceRow, 'age' | 'link' | 'sameSerialAs' | 'problems'>,
  linkWord: (link: string) => string,
): string => {
  const problem = (word: string): string => {
    if (word === 'not-seen') return say('result-problem-not-seen', { age })
    if (word === 'moved' || word === 'serial-twice') return say(`result-problem-${word}`, { place })
    if (word === 'gone') return say('result-problem-gone')
    if (word === 'no-fingerprint') return say('result-problem-no-fingerprint')
    if (word === 'not-ready') return linkWord(link)
    return word
  }
  return problems.map(problem).join(', ')
}

/** The state of a rollout as one short line. */
export const rolloutInWords = (row: RolloutProgress): string => say(`result-rollout-${row.state}`, { ...row })

/** The problems of devices and the state of rollouts, in the language of this Node-RED. */
export const inWords = (RED: NodeAPI) => {
  const device = <Row extends DeviceRow>(row: Row) => ({
    ...row,
    text: problemsInWords(row, (link) => wordOf(RED, link)),
  })
  const rollout = (row: RolloutProgress) => ({
    ...row,
    text: rolloutInWords(row),
  })
  const fleet = ({ problems, rollouts, ...rest }: FleetSummary) => ({
    ...rest,
    problems: problems.map(device),
    rollouts: rollouts.map(rollout),
  })
  return { device, rollout, fleet }
}

/** A word of a cell of another version stays as it is. */
const wordOf = (RED: NodeAPI, link: string): string =>
  Object.hasOwn(statusAppearances, link) ? statusText(RED, link as StatusWord) : link

/** Numbers of the outputs. */
const [fleetOutput, eventOutput] = [2, 3]

/** The state of the fleet, at its output. */
export function stateAnswer(RED: NodeAPI, fleet: FleetSummary): NodeAnswer {
  const { cells, devices } = fleet
  const counts = { cells: cells.all, devices: devices.all, problems: devices.problems }
  const payload = inWords(RED).fleet(fleet)
  return new NodeAnswer({ topic: 'fleet', payload }, summarize('result-fleet-fleet', counts), fleetOutput)
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
      const line = summarize('result-fleet-event', { place, text })
      send(new NodeAnswer({ topic: `${place}/${word}`, payload: event }, line, eventOutput))
    },
  }
}
