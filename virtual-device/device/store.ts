import { Type, TypeCompiler } from '../../lib/typebox'
import { readFile, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Variant } from '../../lib/contract'
import { removeUnfinished, writeDurably } from '../../lib/files/write-durably'
import { DeviceState } from './device-state'
import { StartError } from '../start-error'

const format = 'virtual-vision-device state'
const version = 1
const envelope = TypeCompiler.Compile(
  Type.Object({ format: Type.Literal(format), version: Type.Integer({ minimum: 1 }) }),
)
const content = TypeCompiler.Compile(Type.Object({ device: DeviceState }))

/**
 * A device's state in a folder, as one file per variant. The file is replaced as a whole, so that readers find either
 * the old or the new state, whenever the writer is killed.
 */
export class Store {
  private readonly file: string
  private last: Promise<void> = Promise.resolve()
  private lastStamp: string | undefined
  private next: Promise<void> | undefined

  constructor(
    private readonly folder: string,
    private readonly variant: Variant,
  ) {
    this.file = join(resolve(folder), `device-${variant}.json`)
  }

  /** @returns undefined in a new folder. @throws StartError for an unusable file, which is left unchanged */
  async load(): Promise<DeviceState | undefined> {
    await removeUnfinished(this.file)
    this.lastStamp = await this.stamp()
    const text = await this.read()
    return text === undefined ? undefined : this.parse(text)
  }

  /**
   * Resolves when the present state, or a later one, is on the disk. Concurrent calls share a write.
   * @param snapshot called when the write starts
   */
  save(snapshot: () => DeviceState): Promise<void> {
    this.next ??= this.last
      .catch(() => undefined)
      .then(() => {
        this.next = undefined
        return this.write(snapshot())
      })
    this.last = this.next
    return this.next
  }

  /** Resolves when no write is in progress, whatever its outcome. */
  async idle(): Promise<void> {
    await this.last.catch(() => undefined)
  }

  damaged(reason: string, cause?: unknown): StartError {
    return new StartError('STATE_DAMAGED', 'state.damaged', { file: this.file, reason }, cause)
  }

  private async read(): Promise<string | undefined> {
    try {
      return await readFile(this.file, 'utf8')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
      throw new StartError('STATE_DAMAGED', 'state.notReadable', { file: this.file, reason: code }, error)
    }
  }

  private parse(text: string): DeviceState {
    let saved: unknown
    try {
      saved = JSON.parse(text)
    } catch (error) {
      throw this.damaged('not JSON', error)
    }
    if (!envelope.Check(saved)) throw this.damaged('not a state')
    if (saved.version > version) throw new StartError('STATE_DAMAGED', 'state.newer', { file: this.file })
    if (content.Check(saved)) return saved.device
    const { path, message } = content.Errors(saved).First() ?? {}
    throw this.damaged(`${path ?? ''}: ${message ?? ''}`)
  }

  /** @throws StartError if the folder cannot be created or written to */
  async check(): Promise<void> {
    const probe = `${this.file}.probe-${process.pid}`
    try {
      await writeDurably(probe, '')
      await rm(probe)
    } catch (error) {
      throw this.notWritable(error)
    }
  }

  private async write(device: DeviceState): Promise<void> {
    if ((await this.stamp()) !== this.lastStamp)
      throw new StartError('STATE_NOT_WRITABLE', 'state.shared', { file: this.file })
    try {
      await writeDurably(this.file, JSON.stringify({ format, version, variant: this.variant, device }))
    } catch (error) {
      throw this.notWritable(error)
    }
    this.lastStamp = await this.stamp()
  }

  /** Identifies a version of the file; undefined if there is none. */
  private async stamp(): Promise<string | undefined> {
    const found = await stat(this.file, { bigint: true }).catch(() => undefined)
    return found && `${found.ino} ${found.mtimeNs} ${found.size}`
  }

  private notWritable(error: unknown): StartError {
    const { code, message } = error as NodeJS.ErrnoException
    const values = { folder: this.folder, reason: code ?? message }
    return new StartError('STATE_NOT_WRITABLE', 'state.notWritable', values, error)
  }
}
