/**
 * The node *backup*: saves and restores the settings of a device, and lists differences. In: a command. Out: a backup, or
 * what changed.
 */
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { isVisionError } from '../../lib/client/vision-error'
import type { Backup } from '../../lib/contract'
import { type PlacedFile, allowedPlace } from '../shared/allowed-place'
import { isObject } from '../shared/is-object'
import { detailOf, placeOf } from '../shared/node-error'
import { sentencesOf } from '../sentences'
import { refusal, refusedError } from '../../lib/client/error-answer'
import { compareBackups, differencesAsText } from '../../lib/system/compare-backups'
import { type NodeInput, onInput } from '../device/on-input'
import { checkedFields } from '../shared/fields/checked-fields'
import { NodeAnswer } from '../shared/outcome'
import type { TypedName } from '../shared/read-fields'
import { type BackupFields, backupNode } from './fields'

const { invalidInput, summarize } = sentencesOf('backup')

/**
 * Reads a backup from a flow: the path of a file, an object, or the text or bytes of such a file.
 * @throws INVALID_INPUT
 */
export async function givenBackup(
  value: unknown,
  field: string,
  placed: (path: string) => Promise<PlacedFile>,
): Promise<Backup> {
  if (value === undefined || value === null || value === '') throw invalidInput('empty-field', { field })
  if (Buffer.isBuffer(value)) return parsed(value.toString(), field)
  if (typeof value !== 'string') return asBackup(value, field)
  if (/^\s*\{/.test(value)) return parsed(value, field)
  const file = await placed(value.trim())
  return parsed(await read(file), file.path)
}

async function read(file: PlacedFile): Promise<string> {
  try {
    const handle = await file.open()
    try {
      return await handle.readFile('utf8')
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw isVisionError(error) ? error : unreadable(file.path, error)
  }
}

const unreadable = (file: string, error: unknown) =>
  invalidInput('backup-unreadable', { file, reason: detailOf(error) }, error)

function parsed(text: string, where: string): Backup {
  try {
    return asBackup(JSON.parse(text), where)
  } catch (error) {
    throw error instanceof SyntaxError ? invalidInput('not-a-backup', { where }, error) : error
  }
}

function asBackup(value: unknown, where: string): Backup {
  if (isObject(value) && Object.keys(value).length > 0) return value
  throw invalidInput('not-a-backup', { where })
}

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-backup', function (this: Node, config: NodeDef & BackupFields) {
    RED.nodes.createNode(this, config)
    const fields = checkedFields(RED, this, backupNode, config)
    if (!fields) return
    const place = allowedPlace(RED, this, fields.folders)
    const placed = (field: 'file' | 'source' | 'other') => (path: string) =>
      place(path, fields[`${field}Type`] === 'str')

    const actions = {
      save: async (request: BackupRequest) => {
        const { signal, device, name } = request
        const parts = {
          pipelines: fields.pipelines,
          load_carriers: fields.loadCarriers,
          regions_of_interest: fields.regions,
          grippers: fields.grippers,
        }
        const saved = () => device.client.getBackup(parts, { signal })
        if (fields.target === 'message') {
          const backup = await saved()
          return new NodeAnswer({ payload: backup, backup }, summarize('result-saved'))
        }
        const system = await device.client.getSystem({ signal })
        const file = await placed('file')(fileName(name('file'), system, new Date()))
        const backup = await saved()
        await written(file, `${JSON.stringify(backup, null, 2)}\n`)
        return new NodeAnswer(
          { payload: file.path, backup },
          summarize('result-saved-file', { file: file.path }, { value: file.path }),
        )
      },

      restore: async ({ device, read, signal }: BackupRequest) => {
        if (!fields.confirmed) throw invalidInput('restore-not-confirmed')
        const backup = await givenBackup(read('source'), 'source', placed('source'))
        const restored = await device.client.restoreBackup({ backup }, { signal })
        const refused = refusal(restored)
        if (refused) throw refusedError(refused, { operation: 'restoreBackup', ...placeOf(device.client) })
        const count = restored.warnings.length
        return new NodeAnswer(
          { payload: restored.warnings, restored },
          count > 0
            ? summarize('result-restored-warnings', { count }, { state: 'warning', value: count })
            : summarize('result-restored', {}, { value: 0, word: 'restored' }),
        )
      },

      compare: async (request: BackupRequest) => {
        const before = await givenBackup(request.read('source'), 'source', placed('source'))
        const after =
          fields.against === 'device'
            ? partsOf(await request.device.client.getBackup({}, { signal: request.signal }), before)
            : await givenBackup(request.read('other'), 'other', placed('other'))
        const differences = compareBackups(before, after)
        const count = differences.length
        return new NodeAnswer(
          { payload: differences, report: differencesAsText(differences) },
          summarize(count > 0 ? 'result-differences' : 'result-same', { count }, { value: count }),
        )
      },
    }
    onInput(RED, this, backupNode, fields, actions[fields.action], {
      changes: () => fields.action === 'restore' || (fields.action === 'save' && fields.target === 'file'),
    })
  })
}

/** A part that was not saved is not a difference. */
const partsOf = (backup: Backup, reference: Backup): Backup =>
  Object.fromEntries(Object.entries(backup).filter(([part]) => Object.hasOwn(reference, part)))

type BackupRequest = NodeInput<TypedName<BackupFields>>

async function written(file: PlacedFile, content: string): Promise<void> {
  try {
    await file.write(content)
  } catch (error) {
    if (isVisionError(error)) throw error
    throw invalidInput('backup-unwritable', { file: file.path, reason: detailOf(error) }, error)
  }
}

interface Named {
  hostname: string
  serial: string
}

/**
 * Fills in a pattern such as `{hostname}/{date}_{time}.json` with the local date and time and the device's data. No
 * value can lead into another folder.
 * @throws INVALID_INPUT naming an unknown placeholder
 */
export function fileName(pattern: string, { hostname, serial }: Named, now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const values: Record<string, string> = {
    date: [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-'),
    time: [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('-'),
    hostname,
    serial,
  }
  return pattern.replace(/\{(\w*)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined)
      throw invalidInput('unknown-placeholder', {
        placeholder: whole,
        known: Object.keys(values)
          .map((each) => `{${each}}`)
          .join(', '),
      })
    return value.replace(/[^\w.-]/g, '_').replace(/^\.+/, '_')
  })
}
