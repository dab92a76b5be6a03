import type { NodeAPI } from 'node-red'
import type { DeviceRow, FleetSummary, RolloutProgress } from '../../lib/fleet/centre'
import { statusLooks, statusText, type StatusWord } from '../shared/status'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('fleet')

/** What is wrong with a device, as one short line. @param linkWord says the state of a link */
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

/** How a rollout stands, as one short line. */
export const rolloutInWords = (row: RolloutProgress): string => say(`result-rollout-${row.state}`, { ...row })

/** What is wrong with a device, and how a rollout stands, in the language of this Node-RED. */
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
  Object.hasOwn(statusLooks, link) ? statusText(RED, link as StatusWord) : link
