import { join } from 'node:path'
import type { Node, NodeAPI } from 'node-red'
import { openValue, type StorageError } from '../../lib/kernel/storage'
import { deployedDevices } from '../device-config/deployed-device'
import { spoken, spokenTo } from '../shared/node-error'
import { oneByOne } from '../shared/handle-input'
import { NodeAnswer } from '../shared/outcome'
import { Histories, remembered, type History } from './changes'
import { deviceRow } from './device-row'
import { operatorDevicesNode, type OperatorDevicesFields } from './fields'
import { lookAt, type DeviceLook } from './look-at'
import { sentencesOf } from '../sentences'

const { told } = sentencesOf('operator-devices')

/** Devices that are asked at the same time. */
const atOnce = 16

/** Bytes of the values of all devices. */
const mostBytes = 64 * 1024 * 1024

/** What the node does; loaded with the first one of a flow. */
export function showDevices(RED: NodeAPI, node: Node, { language }: OperatorDevicesFields): void {
  const warn = (error: StorageError) => node.warn(error.inLanguage(spoken()))
  const opening = openValue({
    file: join(RED.settings.userDir ?? '.', 'vision-operator', `${encodeURIComponent(node.id)}.devices.json`),
    schema: Histories,
    initial: {},
    bytes: mostBytes,
    onDamage: warn,
    onFailure: warn,
  })
  node.on('close', (done: () => void) => void opening.then((file) => file.close()).finally(done))

  let known: ReadonlyMap<string, History> | undefined

  oneByOne(RED, node, operatorDevicesNode, async (_msg, { signal }) => {
    const file = await opening
    const before = known ?? new Map(Object.entries(file.value))
    const devices = [...deployedDevices(RED).values()]
    const looks: DeviceLook[] = []
    for (let from = 0; from < devices.length; from += atOnce)
      looks.push(
        ...(await Promise.all(devices.slice(from, from + atOnce).map((device) => lookAt(device, signal)))),
      )
    const now = Date.now()
    const histories = new Map(
      looks.flatMap(({ id, values }) => {
        const history = values ? remembered(before.get(id), values, now) : before.get(id)
        return history ? [[id, history] as const] : []
      }),
    )
    known = histories
    const isNew = [...histories].some(([id, history]) => before.get(id) !== history)
    // A failure is reported by the file.
    if (isNew || before.size !== histories.size)
      await file.set(Object.fromEntries(histories)).catch(() => undefined)
    return spokenTo(language || spoken(), () => {
      const ready = looks.filter(({ state }) => state === 'ready').length
      const count = { ready, devices: looks.length }
      const summary = told('result-devices', count, {
        value: ready,
        state: ready < looks.length ? 'warning' : 'done',
      })
      const rows = looks.map((look) => deviceRow(look, histories.get(look.id)?.old))
      return new NodeAnswer(
        { payload: rows, devices: looks.map((look) => ({ ...look, values: undefined })) },
        summary,
      )
    })
  })
}
