import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Node, NodeAPI } from 'node-red'
import { makeFolder } from '../../lib/files/make-folder'
import { writeDurably } from '../../lib/files/write-durably'
import { deployedDevices } from '../device-config/deployed-device'
import { detailOf, spoken, spokenTo } from '../shared/node-error'
import { oneByOne } from '../shared/handle-input'
import { NodeAnswer } from '../shared/outcome'
import { historiesIn, remembered, type History } from './changes'
import { deviceRow } from './device-row'
import { operatorDevicesNode, type OperatorDevicesFields } from './fields'
import { lookAt, type DeviceLook } from './look-at'
import { sentencesOf } from '../sentences'

const { say, told } = sentencesOf('operator-devices')

/** Devices that are asked at the same time. */
const atOnce = 16

/** What the node does; loaded with the first one of a flow. */
export function showDevices(RED: NodeAPI, node: Node, { language }: OperatorDevicesFields): void {
  const folder = join(RED.settings.userDir ?? '.', 'vision-operator')
  const file = join(folder, `${encodeURIComponent(node.id)}.devices.json`)
  let histories: Map<string, History> | undefined

  const keep = async (known: ReadonlyMap<string, History>) => {
    try {
      await makeFolder(folder)
      await writeDurably(file, JSON.stringify(Object.fromEntries(known)), 0o600)
    } catch (error) {
      node.warn(say('devices-not-kept', { reason: detailOf(error) }))
    }
  }

  oneByOne(RED, node, operatorDevicesNode, async (_msg, { signal }) => {
    const known = (histories ??= historiesIn(await readFile(file, 'utf8').catch(() => '{}')))
    const devices = [...deployedDevices(RED).values()]
    const looks: DeviceLook[] = []
    for (let from = 0; from < devices.length; from += atOnce)
      looks.push(
        ...(await Promise.all(devices.slice(from, from + atOnce).map((device) => lookAt(device, signal)))),
      )
    const now = Date.now()
    const before = new Map(known)
    for (const { id, values } of looks) if (values) known.set(id, remembered(known.get(id), values, now))
    for (const id of known.keys()) if (!looks.some((look) => look.id === id)) known.delete(id)
    const isNew = [...known].some(([id, history]) => before.get(id) !== history)
    if (isNew || before.size !== known.size) await keep(known)
    return spokenTo(language || spoken(), () => {
      const ready = looks.filter(({ state }) => state === 'ready').length
      const count = { ready, devices: looks.length }
      const summary = told('result-devices', count, {
        value: ready,
        state: ready < looks.length ? 'warning' : 'done',
      })
      const rows = looks.map((look) => deviceRow(look, known.get(look.id)?.old))
      return new NodeAnswer(
        { payload: rows, devices: looks.map((look) => ({ ...look, values: undefined })) },
        summary,
      )
    })
  })
}
