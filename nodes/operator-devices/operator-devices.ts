import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { makeFolder } from '../../lib/files/make-folder'
import { writeDurably } from '../../lib/files/write-durably'
import { deployedDevices } from '../device-config/deployed-device'
import { withDefaults } from '../shared/fields/fields-of'
import { detailOf, speak, spoken, spokenTo } from '../shared/node-error'
import { oneByOne } from '../shared/one-by-one'
import { NodeAnswer } from '../shared/outcome'
import { historiesIn, remembered, type History } from './changes'
import { deviceRow } from './device-row'
import { operatorDevicesNode, type OperatorDevicesFields } from './fields'
import { lookAt } from './look-at'
import { say, told } from './sentences'

export default (RED: NodeAPI) => {
  speak(RED)

  RED.nodes.registerType(
    'vision-operator-devices',
    function (this: Node, given: NodeDef & OperatorDevicesFields) {
      RED.nodes.createNode(this, given)
      const { language } = withDefaults(operatorDevicesNode, given)
      const folder = join(RED.settings.userDir ?? '.', 'vision-operator')
      const file = join(folder, `${encodeURIComponent(this.id)}.devices.json`)
      let histories: Map<string, History> | undefined

      const keep = async (known: ReadonlyMap<string, History>) => {
        try {
          await makeFolder(folder)
          await writeDurably(file, JSON.stringify(Object.fromEntries(known)), 0o600)
        } catch (error) {
          this.warn(say('devices-not-kept', { reason: detailOf(error) }))
        }
      }

      oneByOne(RED, this, async (_msg, { signal }) => {
        const known = (histories ??= historiesIn(await readFile(file, 'utf8').catch(() => '{}')))
        const nodes = [...deployedDevices(RED).values()]
        const looks = await Promise.all(nodes.map((node) => lookAt(node, signal)))
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
            { payload: rows, devices: looks.map(({ values: _values, ...look }) => look) },
            summary,
          )
        })
      })
    },
  )
}
