import { awaitedLater, orUndefined } from '../../lib/kernel/scope'
import type { NodeMessage, Node, NodeAPI } from 'node-red'
import { resolve } from 'node:path'
import { randomUUID } from 'node:crypto'
import type { Post, Pace, Centre, CentreOptions, SayLeftOut } from '../../lib/fleet/centre'
import { environmentText } from '../shared/read-fields'
import { numberOf } from '../shared/fields/checked-fields'
import { isObject } from '../shared/is-object'
import { loadFleet, loadFleetCentre } from '../shared/load-later'
import { fleetNode, type FleetFields } from './fields'
import { sentencesOf } from '../sentences'
import { startInterval } from '../../lib/kernel/timers'
import { currentLanguage } from '../shared/node-error'

/** A message as `mqtt out` takes it. */
export const postMessage = ({
  topic,
  payload,
  retain,
  correlationData,
  ...properties
}: Post): NodeMessage & object => ({
  topic,
  payload: payload === '' ? '' : JSON.stringify(payload),
  ...{ qos: 1, retain, contentType: 'application/json' },
  ...(correlationData !== undefined && { correlationData: Buffer.from(correlationData) }),
  ...properties,
})

const { invalidInput } = sentencesOf('fleet')

interface FleetSettings {
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

/** A centre from the deploy of its node to the next. */
export interface RunningCentre {
  /** The centre; a promise while its journals are read. */
  readonly centre: Centre | Promise<Centre>
  close: () => Promise<void>
}

/** The starts of the centres of this process: a deploy does not make another centre of one. */
const boots = new Map<string, string>()

/** Milliseconds. */
const beat = 1000

/** @param ticked called about once a second */
export function startCentre(
  RED: NodeAPI,
  node: Node,
  settings: FleetSettings,
  {
    ticked,
    ...told
  }: Pick<CentreOptions, 'send' | 'event' | 'failed'> & { ticked: (centre: Centre) => void },
): RunningCentre {
  const { Centre: OneCentre, rolloutStore } = loadFleetCentre()
  const { userDir } = RED.settings as { userDir?: string }
  const boot = boots.get(node.id) ?? randomUUID()
  boots.set(node.id, boot)
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const opening = awaitedLater(
    OneCentre.open({
      ...settings,
      ...told,
      say: centreSays,
      boot,
      clock: { steady: () => performance.now(), wall: () => Date.now() },
      store: rolloutStore(resolve(userDir ?? '', 'vision-fleet', encodeURIComponent(node.id)), (damage) =>
        node.warn(damage.inLanguage(currentLanguage())),
      ),
    }).then((centre) => {
      running.centre = centre
      if (isClosed) return centre
      const tick = () => {
        centre.tick()
        ticked(centre)
      }
      timer = startInterval(tick, beat)
      tick()
      return centre
    }),
  )

  const running: { centre: Centre | Promise<Centre>; close: () => Promise<void> } = {
    centre: opening,
    close: async () => {
      isClosed = true
      clearInterval(timer)
      const centre = await orUndefined(opening)
      await centre?.close()
    },
  }
  return running
}

/** Says a sentence of the centre in the language of this Node-RED. */
const centreSays = (...[key, values]: Parameters<SayLeftOut>): string =>
  loadFleetCentre().centreSentences.say(key, values, currentLanguage())
