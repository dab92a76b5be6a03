import type { StoredFile } from '../../lib/contract'
import type { Device } from '../device/device'
import { Refusal } from '../refusal'
import { cut } from '../shown'

/** Ids that can be shown in an address or a list. */
const usable = /^[^\u0000-\u001f\u007f]{1,100}$/

/** A collection of files on the device's shelf, as used by the operations. */
export class StoredFiles {
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

  /** @throws Refusal 404 */
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

  /** @throws Refusal 404 */
  async delete(id: string): Promise<object> {
    this.get(id)
    await this.settle(this.device.shelf.take(this.collection, id))
    this.device.note('INFO', `${this.kind} ${id} deleted`)
    return { message: `${this.kind} ${id} deleted` }
  }

  /** Deletes the previous content once a restart no longer looks for it. */
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
