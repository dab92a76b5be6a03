/** The persistent state of a device: one file in a folder, replaced as a whole, and the uploaded files beside it. */
import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Type, type Static, TypeCompiler } from '../../lib/typebox'
import { settled } from '../../lib/kernel/scope'
import { openValue, StorageError, type DurableValue } from '../../lib/kernel/storage'
import { writeDurably } from '../../lib/files/write-durably'
import type { Variant } from '../../lib/contract'
import { StartError } from '../start-error'
import { HandEyeConfiguration, RobotJob, UserSpaceProxy } from '../../lib/contract/schemas/system'
import { imageNaming } from '../firmware/artifact'
import type { ResolvedOptions } from '../options'

/** File name in the folder by collection and id. */
export const ShelfState = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()))

type ShelfState = Static<typeof ShelfState>

/**
 * Uploaded files of a device, in collections. A content is written under a name that is only known with the device's
 * state, so that a restart finds each file whole or not at all.
 */
export class FileShelf {
  private readonly collections: Map<string, Map<string, string>>
  private readonly contents = new Map<string, Buffer>() // without a folder

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
      // The content was replaced or removed in the meantime.
      if (this.of(collection).get(id) !== name) return this.read(collection, id)
      throw error
    }
  }

  /** @returns the name for `put` or `drop` */
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

  /** Removes a content that is no longer in use. */
  async drop(name: string | undefined): Promise<void> {
    if (name === undefined) return
    this.contents.delete(name)
    // Otherwise the next start removes it.
    if (this.folder !== undefined) await settled(rm(join(this.folder, name), { force: true }))
  }

  /** Removes contents without an entry, and entries without a content. @returns the ids of those entries */
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

const texts = Type.Array(Type.String())

export type SystemState = Static<typeof SystemState>

export const SystemState = Type.Object({
  dns: Type.Object({ manual: texts }),
  ntp: Type.Object({ manual: texts }),
  network: Type.Object({
    dhcp_enabled: Type.Boolean(),
    persistent_ip_enabled: Type.Boolean(),
    persistent_ip_address: Type.String(),
    persistent_subnet_mask: Type.String(),
    persistent_default_gateway: Type.String(),
  }),
  firmware: Type.Object({
    active: Type.String(),
    inactive: Type.String(),
    bootsInactive: Type.Boolean({ description: 'the inactive image is the next to boot' }),
    fallbackBooted: Type.Boolean(),
    inactiveStarts: Type.Boolean({ description: 'false: whoever boots the inactive image falls back' }),
  }),
  /** Hash of the password of the user interface; null without a lock. */
  uiLock: Type.Union([Type.String(), Type.Null()]),
  /** Components of the uploaded license file; effective from the next boot. */
  license: Type.Record(Type.String(), Type.Boolean()),
  /** Seconds by which the device's time is ahead of its clock. */
  clockOffset: Type.Number(),
  pipelines: Type.Record(Type.String(), Type.String()),
  userSpace: Type.Optional(Type.Object({ enabled: Type.Boolean(), proxy: UserSpaceProxy })),
  robotJobs: Type.Optional(Type.Record(Type.String(), RobotJob)),
  robotCalibrations: Type.Optional(Type.Record(Type.String(), HandEyeConfiguration)),
})

export const factorySettings = ({
  pipelines,
  imageVersion,
}: Pick<ResolvedOptions, 'pipelines' | 'imageVersion'>): SystemState => ({
  dns: { manual: [] },
  ntp: { manual: [] },
  network: {
    dhcp_enabled: true,
    persistent_ip_enabled: false,
    persistent_ip_address: '192.168.0.10',
    persistent_subnet_mask: '255.255.255.0',
    persistent_default_gateway: '',
  },
  firmware: {
    active: imageNaming(imageVersion)?.version ?? imageVersion,
    inactive: 'v1.0.0',
    bootsInactive: false,
    fallbackBooted: false,
    inactiveStarts: true,
  },
  uiLock: null,
  license: {},
  clockOffset: 0,
  pipelines: { ...pipelines },
})

/** The images after a boot: swapped if the inactive one was selected and boots successfully. */
export function bootedFirmware(images: SystemState['firmware']): SystemState['firmware'] {
  if (!images.bootsInactive) return { ...images, fallbackBooted: false }
  if (!images.inactiveStarts) return { ...images, bootsInactive: false, fallbackBooted: true }
  const { active: inactive, inactive: active } = images
  return { active, inactive, bootsInactive: false, fallbackBooted: false, inactiveStarts: true }
}

const NodeState = Type.Object({
  parameters: Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.Number(), Type.String()])),
  /** Besides its parameters. */
  kept: Type.Optional(Type.Unknown()),
})

export type DeviceState = Static<typeof DeviceState>

export const DeviceState = Type.Object({
  serial: Type.Optional(Type.String()),
  system: SystemState,
  /** By `global` or the pipeline's name, then by the bare name of the module. */
  nodes: Type.Record(Type.String(), Type.Record(Type.String(), NodeState)),
  files: Type.Optional(ShelfState),
})

export class Saving {
  private unsaved = false

  /** @param store undefined saves nothing */
  constructor(
    private readonly store: Store | undefined,
    private readonly state: () => DeviceState,
  ) {}

  /** Something that must survive a restart has changed. */
  changed(): void {
    this.unsaved = true
  }

  /** Resolves when all changes are saved; undefined if there is nothing to wait for. */
  saved(): Promise<void> | undefined {
    if (!this.store || !this.unsaved) return undefined
    this.unsaved = false
    return this.store.save(this.state).catch((error: unknown) => {
      this.unsaved = true
      throw error
    })
  }
}

export const templatesOf = (module: string): string => `templates/${module}`

export const gripperElements = 'gripper_elements'

const format = 'virtual-vision-device state'
const version = 1

/** The modules check their parts of the state. */
const StoredDevice = Type.Object({
  format: Type.Literal(format),
  version: Type.Integer({ minimum: 1 }),
  variant: Type.Optional(Type.String()),
  device: Type.Unknown(),
})
const deviceCheck = TypeCompiler.Compile(DeviceState)

const mostBytes = 64 * 1024 * 1024 // of a state

/** One file per variant in a folder. An unusable file stays as it is: a person has to decide. */
export class Store {
  private readonly file: string
  private value: DurableValue<Static<typeof StoredDevice>> | undefined
  private last: Promise<void> = Promise.resolve()
  private next: Promise<void> | undefined

  constructor(
    private readonly folder: string,
    private readonly variant: Variant,
  ) {
    this.file = join(resolve(folder), `device-${variant}.json`)
  }

  /** @returns undefined in a new folder. @throws StartError for an unusable file, which is left unchanged */
  async load(): Promise<DeviceState | undefined> {
    const { file, variant } = this
    const initial = { format, version, variant, device: undefined } as const
    try {
      this.value = await openValue({
        ...{ file, schema: StoredDevice, initial, bytes: mostBytes, copy: false, mode: 0o666 },
        ...{ unusable: 'refuse', shared: 'refuse', onDamage: () => undefined },
      })
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      const isRead = error.reason.key !== 'reason-system'
      const values = { file, reason: error.because() }
      throw new StartError('STATE_DAMAGED', isRead ? 'state.damaged' : 'state.notReadable', values, error)
    }
    const { version: found, device } = this.value.value
    if (found > version) throw new StartError('STATE_DAMAGED', 'state.newer', { file })
    if (device === undefined || deviceCheck.Check(device)) return device
    const { path, message } = deviceCheck.Errors(device).First() ?? {}
    throw this.damaged(`${path ?? ''}: ${message ?? ''}`)
  }

  /** Resolves when the current state, or a later one, is saved. Concurrent calls share a write. */
  save(snapshot: () => DeviceState): Promise<void> {
    this.next ??= settled(this.last).then(() => {
      this.next = undefined
      return this.write(snapshot())
    })
    this.last = this.next
    return this.next
  }

  /** Resolves when no write is in progress, whatever its outcome. */
  async idle(): Promise<void> {
    await settled(this.last)
  }

  damaged(reason: string, cause?: unknown): StartError {
    return new StartError('STATE_DAMAGED', 'state.damaged', { file: this.file, reason }, cause)
  }

  /** @throws StartError if the folder cannot be created or written to */
  async check(): Promise<void> {
    const probe = `${this.file}.probe-${process.pid}`
    try {
      await writeDurably(probe, '')
      await rm(probe)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      throw this.notWritable(code ?? message, error)
    }
  }

  private async write(device: DeviceState): Promise<void> {
    try {
      await this.value?.set({ format, version, variant: this.variant, device })
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      throw error.key === 'storage-shared'
        ? new StartError('STATE_NOT_WRITABLE', 'state.shared', { file: this.file }, error)
        : this.notWritable(error.because(), error)
    }
  }

  private notWritable(reason: string, cause: unknown): StartError {
    return new StartError('STATE_NOT_WRITABLE', 'state.notWritable', { folder: this.folder, reason }, cause)
  }
}
