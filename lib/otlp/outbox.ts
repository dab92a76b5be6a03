import { closeSync, fdatasync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder, syncFolder } from '../files/write-durably'
import type { LogRecord } from './log-record'

const flush = promisify(fdatasync)

/** Records that are sent together, at most. */
const together = 200
/** Bytes of records that are sent together; one record may exceed that. */
const bytesTogether = 256 * 1024

/** Complete parts that wait to be flushed, at most. */
const mostOpen = 16

/** A part of the outbox: a file with a record per line. */
export interface Parcel {
  number: number
  bytes: number
  records: number
  /** It may have arrived already: it was being sent when the program or the connection ended. */
  mayHaveArrived: boolean
}

interface OpenParcel extends Parcel {
  descriptor: number
}

/** `000000000012.waiting`, or `.sending` from the moment when it may arrive. */
const fileName = /^(\d{12})\.(waiting|sending)$/

/** Records on disk until a collector has them: bounded, the oldest go first. Only one program at a time may use it. */
export class Outbox {
  private open: OpenParcel | undefined
  /** Of complete parts that a power failure could still take. */
  private unflushed: number[] = []
  /** A name that a power failure could still take. */
  private isNamed = true
  private sending: Parcel | undefined
  private syncing: Promise<void> = Promise.resolve()

  private constructor(
    private readonly folder: string,
    private readonly most: number,
    private readonly parcels: Parcel[],
  ) {}

  /** @param most bytes that it may hold */
  static async open(folder: string, most: number): Promise<Outbox> {
    await makeFolder(folder)
    const parcels: Parcel[] = []
    for (const name of (await readdir(folder)).sort()) {
      const [, number = '', state = ''] = fileName.exec(name) ?? []
      if (!number) continue
      const { size } = await stat(join(folder, name))
      const mayHaveArrived = state === 'sending'
      parcels.push({ number: Number(number), bytes: size, records: NaN, mayHaveArrived })
    }
    return new Outbox(folder, most, parcels)
  }

  get isEmpty(): boolean {
    return this.parcels.length === 0
  }

  /** Whether the oldest part is complete, so that nothing is gained by waiting for more. */
  get isUrgent(): boolean {
    return this.parcels.length > 1
  }

  /** Whether it holds more than it may. */
  get isTooLarge(): boolean {
    return this.bytes > this.most
  }

  /** Writes a record so that it survives the end of this program: whole, or not at all. @throws where the disk is full */
  put(record: LogRecord): void {
    const line = Buffer.from(`${JSON.stringify(record)}\n`)
    const parcel = this.open ?? this.begin()
    try {
      for (let from = 0; from < line.length;) from += writeSync(parcel.descriptor, line, from)
    } catch (error) {
      this.takeBack(parcel)
      throw error
    }
    parcel.bytes += line.length
    parcel.records++
    if (parcel.records >= together || parcel.bytes >= bytesTogether) this.shut()
  }

  /** Removes what was written of a record, before the next one would continue its line. */
  private takeBack(parcel: OpenParcel): void {
    try {
      ftruncateSync(parcel.descriptor, parcel.bytes)
    } catch {
      // The torn line is the last one of its part, and is left out when that is read.
      this.shut()
    }
  }

  /** Resolves when everything put in would survive a power failure. */
  sync(): Promise<void> {
    // One after the other: a descriptor must not be closed while another call flushes it.
    this.syncing = this.syncing.catch(() => undefined).then(() => this.flushAll())
    return this.syncing
  }

  /** Drops the oldest parts if there are too many bytes. @returns how many records, about */
  async shrink(): Promise<number> {
    let dropped = 0
    while (this.isTooLarge) {
      const oldest = this.parcels.find((parcel) => parcel !== this.sending && parcel !== this.open)
      if (!oldest) break
      dropped += (await this.recordsOf(oldest)).length
      await this.remove(oldest)
    }
    return dropped
  }

  /** The oldest part, from now on as one that may have arrived. */
  async take(): Promise<{ parcel: Parcel; records: LogRecord[]; mayHaveArrived: boolean } | undefined> {
    const [parcel] = this.parcels
    if (!parcel) return undefined
    this.sending = parcel
    if (parcel === this.open) this.shut()
    await this.sync()
    const records = await this.recordsOf(parcel)
    const { mayHaveArrived } = parcel
    await this.mark(parcel, true)
    return { parcel, records, mayHaveArrived }
  }

  /** It has certainly not arrived. */
  async giveBack(parcel: Parcel): Promise<void> {
    this.sending = undefined
    if (this.parcels.includes(parcel)) await this.mark(parcel, false)
  }

  /** It need not be sent any more. */
  async remove(parcel: Parcel): Promise<void> {
    const index = this.parcels.indexOf(parcel)
    if (index < 0) return
    if (parcel === this.open) this.shut()
    this.parcels.splice(index, 1)
    await rm(this.pathOf(parcel), { force: true })
    await syncFolder(this.folder)
  }

  async close(): Promise<void> {
    this.shut()
    await this.sync()
  }

  private async flushAll(): Promise<void> {
    const complete = this.unflushed
    this.unflushed = []
    try {
      for (const descriptor of complete) await flush(descriptor)
    } finally {
      for (const descriptor of complete) closeSync(descriptor)
    }
    if (this.open) await flush(this.open.descriptor)
    if (this.isNamed) return
    this.isNamed = true
    await syncFolder(this.folder)
  }

  private get bytes(): number {
    return this.parcels.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  private begin(): OpenParcel {
    const number = (this.parcels.at(-1)?.number ?? 0) + 1
    const parcel = { number, bytes: 0, records: 0, mayHaveArrived: false }
    const open = Object.assign(parcel, { descriptor: openSync(this.pathOf(parcel), 'a', 0o600) })
    this.parcels.push(open)
    this.isNamed = false
    return (this.open = open)
  }

  private shut(): void {
    if (this.open) this.unflushed.push(this.open.descriptor)
    this.open = undefined
    if (this.unflushed.length > mostOpen) this.sync().catch(() => undefined)
  }

  private async mark(parcel: Parcel, mayHaveArrived: boolean): Promise<void> {
    if (parcel.mayHaveArrived === mayHaveArrived) return
    const before = this.pathOf(parcel)
    parcel.mayHaveArrived = mayHaveArrived
    await rename(before, this.pathOf(parcel))
    await syncFolder(this.folder)
  }

  private pathOf({ number, mayHaveArrived }: Parcel): string {
    return join(this.folder, `${String(number).padStart(12, '0')}.${mayHaveArrived ? 'sending' : 'waiting'}`)
  }

  /** Without a line that a power failure has torn. */
  private async recordsOf(parcel: Parcel): Promise<LogRecord[]> {
    const text = await readFile(this.pathOf(parcel), 'utf8').catch(() => '')
    return text.split('\n').flatMap((line) => {
      try {
        return line ? [JSON.parse(line) as LogRecord] : []
      } catch {
        return []
      }
    })
  }
}
