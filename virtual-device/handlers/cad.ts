import { extname } from 'node:path'
import type { Device } from '../device/device'
import { Refusal } from '../refusal'
import { shown } from '../shown'
import { gripperElements } from '../storage/collections'
import { StoredFiles } from './stored-files'
import type { UploadedBytes } from '../requests/uploaded-form'
import type { Handlers } from './handler'

const suffixes = ['.step', '.stp', '.stl', '.obj', '.ply']
/** Beginnings of files whose format can be recognised by them. */
const beginnings = /^(ISO-10303-21;|solid |ply\r?\n)/

export const cad = {
  listGripperElements: (device) => elements(device).list(),
  getGripperElement: (device, { id, format }) =>
    format === 'file' ? elements(device).content(id) : elements(device).get(id),
  putGripperElement: async (device, { id, file }) => {
    assertGeometry(file)
    return elements(device).put(id, file.bytes)
  },
  deleteGripperElement: async (device, { id }) => elements(device).delete(id),
} satisfies Partial<Handlers>

const elements = (device: Device) => new StoredFiles(device, gripperElements, 'CAD element', 50)

/** Checks the format by the file's name or, without a suffix, by its content. */
function assertGeometry({ name, bytes }: UploadedBytes): void {
  const suffix = extname(name).toLowerCase()
  const known = suffix ? suffixes.includes(suffix) : beginnings.test(bytes.toString('latin1', 0, 20))
  if (!known) throw new Refusal(400, `file: ${shown(name)} must be one of ${suffixes.join(', ')}`)
}
