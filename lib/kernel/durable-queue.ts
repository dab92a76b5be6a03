/**
 * A durable queue: entries on disk, in order, until they are removed. Use it to forward each entry once to a receiver
 * that may be away.
 *
 * In: JSON values that match a schema, rejected by the call itself if they do not. Out: batches of the oldest entries,
 * each with whether it may have been delivered before, also after a kill or a power failure. Bounded: the oldest
 * batches are dropped first. One program at a time may use the folder.
 * A batch is a file with an entry per line: `000000000012.waiting`, or `.sending` from the moment when it may be
 * delivered.
 */
import { closeSync, fdatasync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder, syncFolder } from '../files/write-durably'
import { TypeCompiler, type Static, type TSchema, type TypeCheck } from '../typebox'
import { jsonText } from './json'
import { settled } from './scope'
import { codeOf, StorageError } from './storage'

const flush = promisify(fdatasync)
const fileName = /^(\d{12})\.(waiting|sending)$/

const mostUnflushed = 16 // complete batches that wait for a flush

export interface QueueOptions<Entry extends TSchema> {
  folder: string
  /** Closed, with `additionalProperties: false`. */
  entry: Entry
  /** Bytes of the whole queue. */
  most: number
  atOnce: number
  /** Bytes per batch; a single entry may exceed them. */
  bytesAtOnce: number
}

/** What is in a batch. */
interface Content<Entry> {
  entries: Entry[]
  /** Lines that are no entries; not the last one, which a power failure may have torn. */
  damaged: number
}

export interface Batch {
  readonly number: number
  bytes: number
  entries: number
  mayHaveArrived: boolean
}

interface OpenBatch extends Batch {
  descriptor: number
}

export class DurableQueue<Entry extends TSchema> {
  readonly #options: QueueOptions<Entry>
  readonly #check: TypeCheck<Entry>
  readonly #batches: Batch[]
  #open: OpenBatch | undefined
  #unflushed: number[] = [] // descriptors of complete batches that a power failure could still take
  #isNamed = true // false while a power failure could still take a file name
  #sending: Batch | undefined
  #syncing: Promise<void> = Promise.resolve()

  private constructor(options: QueueOptions<Entry>, batches: Batch[]) {
    this.#options = options
    this.#batches = batches
    this.#check = TypeCompiler.Compile(options.entry)
  }

  /** Opens the queue with the entries of earlier runs. @throws Error of the file system */
  static async open<Entry extends TSchema>(options: QueueOptions<Entry>): Promise<DurableQueue<Entry>> {
    const { folder } = options
    await makeFolder(folder)
    const batches: Batch[] = []
    for (const name of (await readdir(folder)).sort()) {
      const [, number = '', state = ''] = fileName.exec(name) ?? []
      if (!number) continue
      const { size } = await stat(join(folder, name))
      batches.push({ number: Number(number), bytes: size, entries: NaN, mayHaveArrived: state === 'sending' })
    }
    return new DurableQueue(options, batches)
  }

  get isEmpty(): boolean {
    return this.#batches.length === 0
  }

  /** Whether the oldest batch is complete: waiting adds nothing to it. */
  get isUrgent(): boolean {
    return this.#batches.length > 1
  }

  get isTooLarge(): boolean {
    return this.#batches.reduce((sum, { bytes }) => sum + bytes, 0) > this.#options.most
  }

  /**
   * Writes an entry so that it survives the end of this program: whole, or not at all.
   * @throws NotJson or StorageError `INVALID_INPUT`: nothing has changed; the error of a full disk
   */
  put(entry: Static<Entry>): void {
    const { atOnce, bytesAtOnce } = this.#options
    const line = Buffer.from(`${this.#textOf(entry)}\n`)
    const batch = this.#open ?? this.#begin()
    try {
      // A disk that is nearly full may take a part.
      for (let from = 0; from < line.length;) from += writeSync(batch.descriptor, line, from)
    } catch (error) {
      this.#cut(batch)
      throw error
    }
    batch.bytes += line.length
    batch.entries++
    if (batch.entries >= atOnce || batch.bytes >= bytesAtOnce) this.#shut()
  }

  /** A value that matches a closed schema is plain JSON and needs no copy. */
  #textOf(entry: unknown): string {
    if (this.#check.Check(entry)) return JSON.stringify(entry)
    jsonText(entry, { name: 'entry' })
    const { path: place = '/' } = this.#check.Errors(entry).First() ?? {}
    const reason = { key: 'reason-shape', values: { place: place || '/' } } as const
    throw new StorageError('INVALID_INPUT', 'storage-wrong-value', reason, { file: this.#options.folder })
  }

  /** Resolves when everything put in would survive a power failure. */
  sync(): Promise<void> {
    // Serialized: a descriptor must not be closed while another call flushes it.
    this.#syncing = settled(this.#syncing).then(() => this.#flushAll())
    return this.#syncing
  }

  /** Drops the oldest batches if the queue is too large. @returns approximate number of entries dropped */
  async shrink(): Promise<number> {
    let dropped = 0
    while (this.isTooLarge) {
      const oldest = this.#batches.find((batch) => batch !== this.#sending && batch !== this.#open)
      if (!oldest) break
      const { entries, damaged } = await this.#contentOf(oldest)
      dropped += entries.length + damaged
      await this.remove(oldest)
    }
    return dropped
  }

  /** The oldest batch, marked as possibly delivered; `mayHaveArrived` is its mark before. */
  async take(): Promise<({ batch: Batch; mayHaveArrived: boolean } & Content<Static<Entry>>) | undefined> {
    const [batch] = this.#batches
    if (!batch) return undefined
    this.#sending = batch
    if (batch === this.#open) this.#shut()
    await this.sync()
    const content = await this.#contentOf(batch)
    const { mayHaveArrived } = batch
    await this.#mark(batch, true)
    return { batch, ...content, mayHaveArrived }
  }

  /** The batch was certainly not delivered. */
  async giveBack(batch: Batch): Promise<void> {
    this.#sending = undefined
    if (this.#batches.includes(batch)) await this.#mark(batch, false)
  }

  /** The batch was delivered, or is dropped. */
  async remove(batch: Batch): Promise<void> {
    const index = this.#batches.indexOf(batch)
    if (index < 0) return
    if (batch === this.#open) this.#shut()
    this.#batches.splice(index, 1)
    await rm(this.#pathOf(batch), { force: true })
    await syncFolder(this.#options.folder)
  }

  async close(): Promise<void> {
    this.#shut()
    await this.sync()
  }

  async #flushAll(): Promise<void> {
    const complete = this.#unflushed
    this.#unflushed = []
    try {
      for (const descriptor of complete) await flush(descriptor)
    } finally {
      for (const descriptor of complete) closeSync(descriptor)
    }
    if (this.#open) await flush(this.#open.descriptor)
    if (this.#isNamed) return
    this.#isNamed = true
    await syncFolder(this.#options.folder)
  }

  #begin(): OpenBatch {
    const number = (this.#batches.at(-1)?.number ?? 0) + 1
    const batch = { number, bytes: 0, entries: 0, mayHaveArrived: false }
    const open = Object.assign(batch, { descriptor: openSync(this.#pathOf(batch), 'a', 0o600) })
    this.#batches.push(open)
    this.#isNamed = false
    return (this.#open = open)
  }

  /** Removes the part of an entry that was written, so that the next one does not continue its line. */
  #cut(batch: OpenBatch): void {
    try {
      ftruncateSync(batch.descriptor, batch.bytes)
    } catch {
      // The torn line is the last of its batch and is skipped when that is read.
      this.#shut()
    }
  }

  #shut(): void {
    if (this.#open) this.#unflushed.push(this.#open.descriptor)
    this.#open = undefined
    // A failure shows in the next `sync`, which `take` awaits.
    if (this.#unflushed.length > mostUnflushed) this.#syncing = settled(this.sync())
  }

  async #mark(batch: Batch, mayHaveArrived: boolean): Promise<void> {
    if (batch.mayHaveArrived === mayHaveArrived) return
    // A batch that cannot be renamed keeps its name and is found again.
    await rename(this.#pathOf(batch), this.#pathOf({ ...batch, mayHaveArrived }))
    batch.mayHaveArrived = mayHaveArrived
    await syncFolder(this.#options.folder)
  }

  #pathOf({ number, mayHaveArrived }: Pick<Batch, 'number' | 'mayHaveArrived'>): string {
    const state = mayHaveArrived ? 'sending' : 'waiting'
    return join(this.#options.folder, `${String(number).padStart(12, '0')}.${state}`)
  }

  async #contentOf(batch: Batch): Promise<Content<Static<Entry>>> {
    const text = await readFile(this.#pathOf(batch), 'utf8').catch((error: unknown) => {
      // A deleted batch is empty; one that cannot be read now is not.
      if (codeOf(error) === 'ENOENT') return ''
      throw error
    })
    const lines = text.split('\n')
    const torn = lines.pop() ?? ''
    const read = lines.map((line) => this.#entryIn(line))
    const entries = [...read, this.#entryIn(torn)].filter((entry) => entry !== undefined)
    return { entries, damaged: read.filter((entry) => entry === undefined).length }
  }

  #entryIn(line: string): Static<Entry> | undefined {
    try {
      const value: unknown = JSON.parse(line)
      return this.#check.Check(value) ? value : undefined
    } catch {
      return undefined
    }
  }
}
