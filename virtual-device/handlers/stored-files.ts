import { extname } from 'node:path'
import type { StoredFile } from '../../lib/contract'
import type { Device } from '../device/device'
import { assertLicensed } from '../device/running-module'
import { Refusal, cut, shown } from '../values'
import type { UploadedBytes } from './read-input'
import { gripperElements, templatesOf } from '../device/device-state'
import type { Handlers } from './handler'

/** Ids that can be shown in an address or a list. */
const usable = /^[^\u0000-\u001f\u007f]{1,100}$/

class StoredFiles {
  /** @param kind name of a file in messages */
  constructor(
    private readonly device: Device,
    private readonly collection: string,
    private readonly kind: string,
    private readonly most: number,
  ) {}

  list(): StoredFile[] {
    return this.device.shelf.ids(this.collection).map((id) => ({ id }))
  }

  /** @throws Refusal 404 */
  get(id: string): StoredFile {
    if (!this.device.shelf.has(this.collection, id)) throw this.absent(id)
    return { id }
  }

  async content(id: string): Promise<Buffer> {
    const content = await this.device.shelf.read(this.collection, id)
    if (!content) throw this.absent(id)
    return content
  }

  /** @throws Refusal 400 beyond the capacity, or for an invalid id or file */
  async put(id: string, content: Buffer): Promise<StoredFile> {
    const { device, collection, kind } = this
    if (!usable.test(id)) throw new Refusal(400, 'id: must have 1 to 100 printable characters')
    if (!content.length) throw new Refusal(400, 'file: must not be empty')
    this.assertRoom(id)
    const name = await device.shelf.write(content)
    try {
      // Others may have been uploaded in the meantime.
      this.assertRoom(id)
    } catch (error) {
      await device.shelf.drop(name)
      throw error
    }
    await this.settle(device.shelf.put(collection, id, name))
    device.note('INFO', `${kind} ${id} stored, ${content.length} bytes`)
    return { id }
  }

  async delete(id: string): Promise<object> {
    this.get(id)
    await this.settle(this.device.shelf.take(this.collection, id))
    this.device.note('INFO', `${this.kind} ${id} deleted`)
    return { message: `${this.kind} ${id} deleted` }
  }

  /** Deletes the previous content once a restart no longer needs it. */
  private async settle(before: string | undefined): Promise<void> {
    this.device.changed()
    await this.device.saved()
    await this.device.shelf.drop(before)
  }

  private absent(id: string): Refusal {
    return new Refusal(404, `there is no ${this.kind} ${cut(id, 60)}`)
  }

  private assertRoom(id: string): void {
    const { shelf } = this.device
    if (!shelf.has(this.collection, id) && shelf.ids(this.collection).length >= this.most)
      throw new Refusal(400, `not stored: at most ${this.most} are possible`, -10)
  }
}

const suffixes = ['.step', '.stp', '.stl', '.obj', '.ply']
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

/** By the file's name or, without a suffix, by its content. */
function assertGeometry({ name, bytes }: UploadedBytes): void {
  const suffix = extname(name).toLowerCase()
  const known = suffix ? suffixes.includes(suffix) : beginnings.test(bytes.toString('latin1', 0, 20))
  if (!known) throw new Refusal(400, `file: ${shown(name)} must be one of ${suffixes.join(', ')}`)
}

/** Per node. */
const capacities: Readonly<Record<string, number>> = { boxpick: 100, silhouettematch: 50, cadmatch: 50 }

export const templates = {
  listTemplates: (device, { node }) => of(device, node).files.list(),
  getTemplate: (device, { node, id, format }) => {
    const { files } = of(device, node)
    return format === 'file' ? files.content(id) : files.get(id)
  },
  putTemplate: async (device, { node, id, file: { name, bytes }, object_height, units }) => {
    const { module, files } = of(device, node)
    assertLicensed(module.license, device.scenario)
    if (/\.dxf$/i.test(name) && module.name === 'silhouettematch') {
      if (object_height === undefined)
        throw new Refusal(400, 'object_height: missing; a DXF file does not contain it')
      if (units === undefined) throw new Refusal(400, 'units: missing; a DXF file does not contain them')
    }
    return files.put(id, bytes)
  },
  deleteTemplate: async (device, { node, id }) => {
    const { module, files } = of(device, node)
    assertLicensed(module.license, device.scenario)
    files.get(id)
    // Its grasps are deleted first, so that a state without the template is also without them.
    module.templateDeleted?.(id)
    return files.delete(id)
  },
} satisfies Partial<Handlers>

/** @throws Refusal 404 for a node that this device does not have, or that has no templates */
function of(device: Device, node: string) {
  const module = [...device.pipelines.values()].map(({ nodes }) => nodes.get(node)?.module).find(Boolean)
  const most = module && capacities[module.name]
  if (!module || most === undefined)
    throw new Refusal(404, `there is no node ${cut(node, 60)} with templates`)
  return { module, files: new StoredFiles(device, templatesOf(module.name), `template of ${node}`, most) }
}
