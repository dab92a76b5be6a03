import type { NodeAPI } from 'node-red'
import type { DeviceRow, FleetSummary, RolloutProgress } from '../../lib/fleet/centre'
import { statusLooks, statusText, type StatusWord } from '../shared/status-word'
import { say } from './sentences'

/** What is wrong with a device, and how a rollout stands, as one short line in the language of this Node-RED. */
export const inWords = (RED: NodeAPI) => {
  const problem = ({ age, link }: DeviceRow, word: string): string => {
    if (word === 'not-seen') return say('result-problem-not-seen', { age })
    if (word === 'gone') return say('result-problem-gone')
    if (word === 'no-fingerprint') return say('result-problem-no-fingerprint')
    if (word === 'not-ready') return wordOf(RED, link)
    return word
  }
  const device = <Row extends DeviceRow>(row: Row) => ({
    ...row,
    text: row.problems.map((word) => problem(row, word)).join(', '),
  })
  const rollout = (row: RolloutProgress) => ({
    ...row,
    text: say(`result-rollout-${row.state}`, { ...row }),
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
  Object.hasOwn(statusLooks, link) ? statusText(RED, link as StatusWord) : link
