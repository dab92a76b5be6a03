import type { Node, NodeAPI } from 'node-red'
import type { Pace } from '../../lib/fleet/centre'
import { environmentText } from '../shared/read-fields'
import { numberOf } from '../shared/fields/checked-fields'
import { isObject } from '../shared/is-object'
import { loadFleet, loadFleetCentre } from '../shared/load-later'
import { fleetNode, type FleetFields } from './fields'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('fleet')

export interface FleetSettings {
  root: string
  centre: string
  mayOrder: boolean
  answersTo: 'centre' | 'cell'
  labels: Record<string, string[]>
  pace: Pace
}

/** Labels, and places of one of them, at most. */
const mostLabels = 1000

/** @throws INVALID_INPUT naming the field */
export function settingsOf(RED: NodeAPI, node: Node, fields: FleetFields): FleetSettings {
  const root = environmentText(RED, node, 'root', fields.root)
  const { isName, isRoot } = loadFleet()
  if (!isRoot(root)) throw invalidInput('fleet-bad-name', { field: 'root', value: root })
  const centre = environmentText(RED, node, 'centre', fields.centre)
  if (!isName(centre)) throw invalidInput('fleet-bad-name', { field: 'centre', value: centre })
  const number = (name: 'canary' | 'wave' | 'stopAfter' | 'reachWithin' | 'answerWithin') =>
    numberOf(fleetNode, fields, name)
  return {
    root,
    centre,
    mayOrder: fields.mayOrder,
    answersTo: fields.answersTo,
    labels: labelsOf(fields.labels),
    pace: {
      ...loadFleetCentre().defaultPace,
      canary: number('canary'),
      wave: `${number('wave')} %`,
      stopAfter: number('stopAfter'),
      approval: fields.approval,
      reachWithin: number('reachWithin'),
      answerWithin: number('answerWithin'),
    },
  }
}

function labelsOf(text: string): Record<string, string[]> {
  const labels = parsed(text)
  const isList = (list: unknown): list is string[] =>
    Array.isArray(list) && list.length <= mostLabels && list.every((place) => typeof place === 'string')
  if (!isObject(labels) || Object.keys(labels).length > mostLabels || !Object.values(labels).every(isList))
    throw invalidInput('fleet-bad-labels')
  return labels as Record<string, string[]>
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text || '{}')
  } catch {
    throw invalidInput('not-json', { field: 'labels' })
  }
}
