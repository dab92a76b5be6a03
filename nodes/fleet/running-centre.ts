import { resolve } from 'node:path'
import { randomUUID } from 'node:crypto'
import type { Node, NodeAPI } from 'node-red'
import type { Centre, CentreOptions, SayLeftOut } from '../../lib/fleet/centre'
import { startInterval } from '../../lib/kernel/timers'
import { loadFleetCentre } from '../shared/load-later'
import { spoken } from '../shared/node-error'
import type { FleetSettings } from './settings-of'

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

  const opening = OneCentre.open({
    ...settings,
    ...told,
    say: centreSays,
    boot,
    clock: { steady: () => performance.now(), wall: () => Date.now() },
    store: rolloutStore(resolve(userDir ?? '', 'vision-fleet', encodeURIComponent(node.id)), (damage) =>
      node.warn(damage.inLanguage(spoken())),
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
  })
  // Whoever waits for it is told.
  opening.catch(() => undefined)

  const running: { centre: Centre | Promise<Centre>; close: () => Promise<void> } = {
    centre: opening,
    close: async () => {
      isClosed = true
      clearInterval(timer)
      const centre = await opening.catch(() => undefined)
      await centre?.close()
    },
  }
  return running
}

/** Says a sentence of the centre in the language of this Node-RED. */
const centreSays = (...[key, values]: Parameters<SayLeftOut>): string =>
  loadFleetCentre().centreSentences.say(key, values, spoken())
