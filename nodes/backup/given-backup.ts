import { isVisionError } from '../../lib/client/vision-error'
import type { Backup } from '../../lib/contract'
import type { PlacedFile } from '../shared/allowed-place'
import { isObject } from '../shared/is-object'
import { detailOf } from '../shared/node-error'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('backup')

/**
 * Reads a backup from a flow: the path of a file, or the backup itself as an object, or the text or bytes of such a
 * file.
 * @param placed resolves the file, or throws if it is not allowed
 * @throws INVALID_INPUT
 */
export async function givenBackup(
  given: unknown,
  field: string,
  placed: (path: string) => Promise<PlacedFile>,
): Promise<Backup> {
  if (given === undefined || given === null || given === '') throw invalidInput('empty-field', { field })
  if (Buffer.isBuffer(given)) return parsed(given.toString(), field)
  if (typeof given !== 'string') return asBackup(given, field)
  if (/^\s*\{/.test(given)) return parsed(given, field)
  const file = await placed(given.trim())
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
