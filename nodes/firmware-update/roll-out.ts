import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { Connection } from '../device/connection'
import { deviceOf } from '../device/device'
import { sentencesOf } from '../sentences'
import type { RolloutMember, Rollout, RolloutWork, WaveResult } from '../../lib/firmware'
import type { Choices, FirmwareOptions, Report } from '../../lib/firmware/types'
import { loadFirmware } from '../shared/load-later'
import type { Outcome } from '../shared/outcome'
import { detailOf, currentLanguage } from '../shared/node-error'
import { numberOf } from '../shared/fields/checked-fields'
import { firmwareUpdateNode } from './fields'
import {
  endOfAll,
  toNodeError,
  updateOne,
  type Updater,
  settingsOf,
  type UpdateRequest,
  type RequestedUpdate,
} from './update-one'

const { invalidInput, nodeError, say } = sentencesOf('firmware-update')

/** A device to be updated. */
export interface Target {
  /** Id of its `vision-device-config` node. */
  id: string
  name: string
  device: Connection
  /** Releases the connection. */
  leave: () => void
}

/** The device of the node. */
export type OwnTarget = Pick<Target, 'id' | 'device'>

/**
 * The devices with these names, each once: names of `vision-device-config` nodes and not addresses, so that no message
 * can send a login elsewhere.
 * @throws INVALID_INPUT naming a missing one
 */
function targetsOf(RED: NodeAPI, node: Node, names: readonly string[], own: OwnTarget): Target[] {
  const ids = devicesByName(RED)
  const targets: Target[] = []
  try {
    for (const name of new Set(names)) {
      const target = targetOf(RED, node, { id: ids.get(name) ?? '', name }, own)
      if (!target) throw invalidInput('firmware-no-device', { name, known: [...ids.keys()].join(', ') })
      targets.push(target)
    }
    return targets
  } catch (error) {
    for (const { leave } of targets) leave()
    throw error
  }
}

/** The device of a config node, connected until it is released; undefined if there is none. */
export function targetOf(
  RED: NodeAPI,
  node: Node,
  { id, name }: Pick<Target, 'id' | 'name'>,
  own: OwnTarget,
): Target | undefined {
  // The node has already joined its own device, and shows its state.
  if (id === own.id) return { id, name, device: own.device, leave: () => undefined }
  const device = deviceOf(RED, id)
  if (!device) return undefined
  const leave = device.join(node, () => undefined)
  return { id, name, device: device.connection, leave }
}

/** The name of a config node; empty if it has none. */
export function nameOfDevice(RED: NodeAPI, id: string): string {
  for (const [name, each] of devicesByName(RED)) if (each === id) return name
  return ''
}

function devicesByName(RED: NodeAPI): Map<string, string> {
  const ids = new Map<string, string>()
  RED.nodes.eachNode((node: NodeDef) => {
    if (node.type === 'vision-device-config' && node.name) ids.set(node.name, node.id)
  })
  return ids
}

/** Names as comma-separated text, or as an array. @throws INVALID_INPUT */
export function namesOf(given: unknown): string[] {
  const list: unknown = typeof given === 'string' ? given.split(',') : (given ?? [])
  if (!Array.isArray(list) || !list.every((name) => typeof name === 'string'))
    throw invalidInput('not-a-list', { field: 'devices' })
  return list.map((name) => name.trim()).filter(Boolean)
}

/** Updates the devices with these names in waves; continues if that was begun and not ended. */
export async function rollOut(
  updater: Updater,
  asked: UpdateRequest,
  names: readonly string[],
  { source, choices }: RequestedUpdate,
): Promise<Outcome> {
  const { RED, node, fields, underWay, journals } = updater
  const { Rollout, RolloutJournal, noRolloutJournal } = loadFirmware()
  const own = { id: fields.device, device: asked.device }
  const targets = targetsOf(RED, node, names, own)
  let stopped = false
  let rollout: Rollout | undefined
  const stop = async () => {
    stopped = true
    await rollout?.stop()
  }
  try {
    return await underWay.followAll({ stop }, async () => {
      asked.progress('checkingFirmware')
      const { allowedFolders } = settingsOf(RED, node, fields)
      const artifact = await artifactFor(choices, asked, source, allowedFolders)
      rollout = await Rollout.begin(
        choices.mode === 'check' ? noRolloutJournal : new RolloutJournal(journals, currentLanguage()),
        {
          owner: node.id,
          members: targets.map(({ id, name }) => ({ id, name })),
          atOnce: numberOf(firmwareUpdateNode, fields, 'atOnce'),
          stopAfter: numberOf(firmwareUpdateNode, fields, 'stopAfter'),
          approval: fields.approval,
          choices: { ...choices, expected: { ...choices.expected, ...artifact } },
          ...(typeof source === 'string' && artifact && { file: source }),
        },
      )
      if (stopped) await rollout.stop()
      return carryOut(updater, asked, rollout, targets, { source })
    })
  } finally {
    for (const { leave } of targets) leave()
  }
}

/** Continues an interrupted rollout. */
export async function goOnWith(updater: Updater, asked: UpdateRequest, rollout: Rollout): Promise<Outcome> {
  const { RED, node, fields, underWay } = updater
  const { members, choices, file } = rollout.plan
  const own = { id: fields.device, device: asked.device }
  const targets = members.flatMap((member) => targetOf(RED, node, member, own) ?? [])
  try {
    return await underWay.followAll(rollout, async () => {
      const { allowedFolders } = settingsOf(RED, node, fields)
      const problem = await artifactFor(choices, asked, file, allowedFolders).then(() => undefined, detailOf)
      const isGone = choices.expected.sha256 !== undefined && (file === undefined || problem !== undefined)
      const noArtifact = (left: readonly RolloutMember[]) => {
        const names = left.map(nameOf).join(', ')
        return problem === undefined
          ? invalidInput('firmware-rollout-artifact', { names })
          : invalidInput('firmware-rollout-file', { names, problem })
      }
      return carryOut(updater, asked, rollout, targets, isGone ? { noArtifact } : { source: file })
    })
  } finally {
    for (const { leave } of targets) leave()
  }
}

async function carryOut(
  updater: Updater,
  asked: UpdateRequest,
  rollout: Rollout,
  targets: readonly Target[],
  { source, noArtifact }: Pick<FirmwareOptions, 'source'> & Pick<RolloutWork, 'noArtifact'>,
): Promise<Outcome> {
  const { RED, node, fields, underWay } = updater
  const { choices, members } = rollout.plan
  const how = { ...settingsOf(RED, node, fields), ...choices, ...(source !== undefined && { source }) }
  const results = await rollout.run({
    ...(noArtifact && { noArtifact }),
    signal: asked.signal,
    language: currentLanguage() ?? 'en-US',
    update: async ({ id, name }, job, patient) => {
      const target = targets.find((each) => each.id === id)
      if (!target) throw invalidInput('firmware-no-device', { name, known: targets.map(nameOf).join(', ') })
      return updateOne(updater, asked, target, { ...how, job, patient })
    },
    approve: ({ wave, items, results: done }) => {
      const percent = Math.round((100 * done.length) / members.length)
      const next = items.map(nameOf)
      const text = say('firmware-step-approval', { names: next.join(', ') })
      asked.progress('waitsForApproval')
      const progress = { step: 'approval', percent, wave, next, text }
      asked.notify(1, { payload: percent, progress }, { text, value: percent })
      return underWay.approval(asked.signal)
    },
  })
  return endOfAll(results.map(plain), (summary, told) =>
    asked.notify(1, { payload: 100, progress: summary }, told),
  )
}

/** Size and SHA-256 of the artifact, so that all devices get the same. @throws INVALID_INPUT */
async function artifactFor(
  { mode, expected }: Choices,
  { signal }: UpdateRequest,
  source: string | Uint8Array | undefined,
  allowedFolders: readonly string[] | undefined,
) {
  if (source === undefined || mode === 'activate' || mode === 'rollback') return undefined
  const language = currentLanguage() ?? 'en-US'
  try {
    const artifact = await loadFirmware().artifactOf(source, { expected, allowedFolders, language, signal })
    return { size: artifact.size, sha256: artifact.sha256 }
  } catch (error) {
    throw signal.aborted ? nodeError('ABORTED', 'node-closed') : toNodeError(error)
  }
}

const nameOf = ({ name }: Pick<RolloutMember, 'name'>) => name

const plain = ({ item, ...result }: WaveResult<RolloutMember, Report>) => ({ device: item.name, ...result })
