import { Type, type Static } from '../../lib/typebox'
import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../../lib/files/write-durably'

/** The files that a device stores: by collection and id, the name of the content in the folder. */
export const ShelfState = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()))
export type ShelfState = Static<typeof ShelfState>

/**
 * Uploaded files of a device, in collections. A content is written under a name that becomes known only with the
 * device's state, so that a restart finds each file whole or not at all.
 */
export class FileShelf {
  private readonly collections: Map<string, Map<string, string>>
  /** Contents of a device without a folder. */
  private readonly contents = new Map<string, Buffer>()

  constructor(
    private readonly folder: string | undefined,
    saved: ShelfState = {},
  ) {
    this.collections = new Map(
      Object.entries(saved).map(([collection, files]) => [collection, new Map(Object.entries(files))]),
    )
  }

  ids(collection: string): string[] {
    return [...this.of(collection).keys()]
  }

  has(collection: string, id: string): boolean {
    return this.of(collection).has(id)
  }

  async read(collection: string, id: string): Promise<Buffer | undefined> {
    const name = this.of(collection).get(id)
    if (name === undefined) return undefined
    if (this.folder === undefined) return this.contents.get(name)
    try {
      return await readFile(join(this.folder, name))
    } catch (error) {
      // Another content has replaced it in the meantime, or none.
      if (this.of(collection).get(id) !== name) return this.read(collection, id)
      throw error
    }
  }

  /** Stores a content for later. @returns its name, to be put on the shelf or dropped */
  async write(content: Buffer): Promise<string> {
    const name = randomUUID()
    if (this.folder === undefined) this.contents.set(name, content)
    else await writeDurably(join(this.folder, name), content)
    return name
  }

  /** @returns the name of the previous content */
  put(collection: string, id: string, name: string): string | undefined {
    const files = this.of(collection)
    const before = files.get(id)
    this.collections.set(collection, files.set(id, name))
    return before
  }

  /** @returns the name of the previous content */
  take(collection: string, id: string): string | undefined {
    const files = this.of(collection)
    const before = files.get(id)
    files.delete(id)
    return before
  }

  /** Removes a content that is no longer on the shelf. */
  async drop(name: string | undefined): Promise<void> {
    if (name === undefined) return
    this.contents.delete(name)
    // If it cannot be removed now, the next start removes it.
    if (this.folder !== undefined) await rm(join(this.folder, name), { force: true }).catch(() => undefined)
  }

  /**
   * Removes contents without an entry on the shelf, and entries without a content. @returns the ids of those entries
   */
  async tidy(): Promise<string[]> {
    const { folder } = this
    if (folder === undefined) return []
    const present = new Set(await readdir(folder).catch(() => []))
    const lost: string[] = []
    for (const files of this.collections.values())
      for (const [id, name] of files)
        if (!present.delete(name)) {
          files.delete(id)
          lost.push(id)
        }
    await Promise.all([...present].map((name) => this.drop(name)))
    return lost
  }

  state(): ShelfState {
    return Object.fromEntries([...this.collections].map(([name, files]) => [name, Object.fromEntries(files)]))
  }

  private of(collection: string): Map<string, string> {
    return this.collections.get(collection) ?? new Map<string, string>()
  }
}
