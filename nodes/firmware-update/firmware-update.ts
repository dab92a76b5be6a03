import { join } from 'node:path'
import type { Node, NodeAPI, NodeDef, NodeMessage, NodeMessageInFlow } from 'node-red'
import type { Journal, WaveResult } from '../../lib/firmware'
import type { Progress, Report } from '../../lib/firmware/types'
import { allowedFolders } from '../shared/allowed-folders'
import type { TypedName } from '../shared/field-kind'
import { filePlace } from '../shared/file-place'
import { Nothing } from '../shared/outcome'
import { invalidInput, spoken } from '../shared/node-error'
import { number } from '../shared/number'
import { onInput, type Input } from '../shared/on-input'
import { firmwareUpdateFields, type FirmwareUpdateFields } from './fields'
import { endOfAll, endOfOne } from './ending'
import { loadFirmware } from './load-firmware'
import { show } from './show'
import { namesOf, targetOf, targetsOf, type Target } from './targets'
import { UnderWay } from './under-way'
import { updateOne, type Wanted } from './update-one'

type Asked = Input<TypedName<FirmwareUpdateFields>>

/** Messages that concern what is under way. */
const urgent = (msg: NodeMessageInFlow) => msg.topic === 'abort' || msg.topic === 'approve'

export default (RED: NodeAPI) => {
  RED.nodes.registerType(
    'vision-firmware-update',
    function (this: Node, given: NodeDef & FirmwareUpdateFields) {
      RED.nodes.createNode(this, given)
      const fields = { ...firmwareUpdateFields, ...given }
      const underWay = new UnderWay()
      const { userDir = '' } = RED.settings as { userDir?: string }
      const place = join(userDir, 'vision-firmware')
      const places = { journals: join(place, 'journals'), backups: join(place, 'backups') }

      const one = (wanted: Wanted, { id, name, device }: Target, asked: Asked) => {
        const tell = (progress: Progress) => {
          show(asked.progress, progress)
          asked.tell(1, { payload: progress.percent, progress: { device: name, ...progress } })
        }
        return updateOne(underWay, wanted, device, {
          ...places,
          owner: `${this.id} ${id}`,
          signal: asked.signal,
          tell,
        })
      }

      const waves = async (wanted: Wanted, targets: Target[], asked: Asked) => {
        underWay.begin()
        const results = await loadFirmware().inWaves<Target, Report>({
          items: targets,
          atOnce: number('atOnce', fields.atOnce, 1),
          stopAfter: number('stopAfter', fields.stopAfter, 1),
          succeeded: ({ ok }) => ok,
          work: (target) => one(wanted, target, asked),
          approve: ({ wave, items, results: done }) => {
            if (underWay.stopped || !fields.approval) return !underWay.stopped
            asked.progress('waitsForApproval')
            const percent = Math.round((100 * done.length) / targets.length)
            const next = items.map(nameOf)
            asked.tell(1, { payload: percent, progress: { step: 'approval', percent, wave, next } })
            return underWay.approval(asked.signal)
          },
        })
        return endOfAll(results.map(plain), (summary) => asked.tell(1, { payload: 100, progress: summary }))
      }

      const begin = async (asked: Asked) => {
        const { msg, device } = asked
        const names = namesOf(asked.read('devices'))
        if (fields.mode !== 'check' && !fields.confirmed && msg['confirm'] !== true)
          throw invalidInput('firmware-not-confirmed')
        const wanted = wantedOf(asked)
        const own = { id: fields.device, device }
        if (names.length === 0)
          return endOfOne(await one(wanted, { ...own, name: '', leave: () => undefined }, asked))
        const targets = targetsOf(RED, this, names, own)
        try {
          return await waves(wanted, targets, asked)
        } finally {
          for (const { leave } of targets) leave()
        }
      }

      /** What was under way on a device when Node-RED stopped. */
      const goOn = async (asked: Asked) => {
        const { device, msg } = asked
        const own = { id: fields.device, device }
        const id = typeof msg['device'] === 'string' ? msg['device'] : own.id
        const target = targetOf(RED, this, { id, name: '' }, own)
        if (!target) throw invalidInput('no-device')
        try {
          return endOfOne(await one({ ...allowed(), resume: true }, target, asked))
        } finally {
          target.leave()
        }
      }

      const allowed = () => ({ allowedFolders: allowedFolders(RED, this, fields.folders) })

      const wantedOf = ({ read, text }: Asked): Wanted => {
        const source = read('source')
        const [version, sha256, size] = [text('version'), text('sha256'), text('size')]
        const needsArtifact = fields.mode === 'update' || fields.mode === 'upload'
        const usable = source instanceof Uint8Array || (typeof source === 'string' && source.trim() !== '')
        if (needsArtifact && !usable) throw invalidInput('firmware-source')
        return {
          mode: fields.mode,
          ...(usable && { source: typeof source === 'string' ? filePlace(RED, source.trim()) : source }),
          ...allowed(),
          expected: {
            ...(version && { version }),
            ...(sha256 && { sha256 }),
            ...(size && { size: number('size', size, 0) }),
          },
          onUnhealthy: fields.onUnhealthy,
          onChanged: fields.onChanged,
          allowFallback: fields.allowFallback,
        }
      }

      onInput(
        RED,
        this,
        fields,
        async (asked) => {
          const { topic, payload } = asked.msg
          if (topic === 'abort') underWay.abort()
          else if (topic === 'approve') underWay.approve(payload !== false)
          else return topic === 'resume' ? goOn(asked) : begin(asked)
          return new Nothing()
        },
        { urgent },
      )
      const { Journal } = loadFirmware()
      goOnAfterStart(RED, this, new Journal(places.journals, spoken()))
    },
  )
}

const nameOf = ({ name }: Target) => name

/** A result without the connection to the device. */
const plain = ({ item, ...result }: WaveResult<Target, Report>) => ({ device: item.name, ...result })

/** Tells the node to go on with what it had begun before Node-RED stopped. */
function goOnAfterStart(RED: NodeAPI, node: Node, journal: Journal) {
  let closed = false
  const started = async () => {
    for (const { owner = '' } of await journal.open()) {
      const [id, device = ''] = owner.split(' ')
      if (id === node.id && !closed) node.receive({ topic: 'resume', device } satisfies NodeMessage)
    }
  }
  const listener = () => void started()
  RED.events.once('flows:started', listener)
  node.on('close', () => {
    closed = true
    RED.events.removeListener('flows:started', listener)
  })
}
