import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { VisionError } from '../client/vision-error'
import { bootId } from '../files/boot-id'
import { settled } from '../kernel/scope'
import {
  openLog,
  StorageError,
  type DurableLog,
  type LogOptions,
  type StorageOptions,
} from '../kernel/storage'
import { Type, type Static } from '../typebox'
import { Memory, type RememberedEntries } from './memory'
import type { SeenEntry } from './read-new'
import { logsError } from './follow-options'

/** A position as it was saved. */
export interface SavedPosition {
  kept: RememberedEntries
  /** Milliseconds since following ended in good order; absent if it did not. */
  restedFor?: number
}

/** There is a saved position, but it cannot be read. */
export type DamagedPosition = 'damaged'

/**
 * Storage for positions in the logs of one device. Entries are announced, then delivered part by part, and then the
 * position moves: after a crash, this shows which entries may have been delivered without a record.
 */
export interface Positions {
  /** Path of the folder, for messages. */
  folder: string
  /** Undefined if none is saved. */
  load: (log: string) => Promise<SavedPosition | DamagedPosition | undefined>
  /** Replaces the saved position of a log. Resolves when it would survive a power failure. */
  replace: (log: string, kept: RememberedEntries) => Promise<void>
  /**
   * Announces that these entries, the next after the position `kept`, are about to be delivered. Resolves when the
   * announcement would survive a power failure.
   */
  announce: (log: string, kept: RememberedEntries, entries: readonly SeenEntry[]) => Promise<void>
  /**
   * Of the announced entries, `left` have been delivered; the next ones, up to number `leaving`, are being delivered.
   */
  leaving: (log: string, left: number, leaving: number) => void
  /**
   * The position has moved past `left` of the announced entries, and past `others`; no other entries were delivered.
   */
  moved: (log: string, left: number, others: readonly SeenEntry[]) => void
  /** A read has ended. Resolves when no delivered entry would be delivered again after a power failure. */
  end: (log: string) => Promise<void>
  /** Following ends here in good order: until now the log was read without interruption. */
  rest: (log: string) => void
  close: () => Promise<void>
}

/**
 * Wraps positions so that their failures do not end the following: each failure is reported once until saving works
 * again.
 * @param failed called with the reason why positions cannot be saved
 */
export function carefulPositions(
  positions: Positions,
  language: string | undefined,
  failed: (error: VisionError) => void,
): Positions {
  let isFailing = false
  const tell = (problem: unknown) => {
    if (isFailing) return undefined
    isFailing = true
    const reason = problem instanceof StorageError ? problem.because(language) : (problem as Error).message
    const values = { folder: positions.folder, reason }
    failed(logsError({ code: 'INVALID_INPUT', key: 'log-position', values }, { language }))
    return undefined
  }
  const works = () => {
    isFailing = false
  }
  const trying = (step: () => void) => {
    try {
      step()
    } catch (problem) {
      tell(problem)
    }
  }
  return {
    folder: positions.folder,
    load: (log) =>
      positions.load(log).catch((problem: unknown) => {
        tell(problem)
        return 'damaged'
      }),
    replace: (log, kept) => positions.replace(log, kept).then(works, tell),
    announce: (log, kept, entries) => positions.announce(log, kept, entries).then(works, tell),
    leaving: (log, left, leaving) => trying(() => positions.leaving(log, left, leaving)),
    moved: (log, left, others) => trying(() => positions.moved(log, left, others)),
    end: (log) => positions.end(log).then(works, tell),
    rest: (log) => trying(() => positions.rest(log)),
    close: () => positions.close().catch(tell),
  }
}

/** Mark and time of each entry. */
const Pairs = Type.Array(Type.Tuple([Type.Number(), Type.Number()]))
type Pairs = Static<typeof Pairs>

/** Run of the computer; absent if the system does not identify it. */
const Boot = Type.Optional(Type.String())

/** Entries that are about to be delivered: `left` of them have been, and those up to number `leaving` are being. */
const Announced = Type.Object({
  announced: Pairs,
  boot: Boot,
  left: Type.Optional(Type.Number()),
  leaving: Type.Optional(Type.Number()),
})
/** Milliseconds, by the computer's clock. */
const Rested = Type.Object({ rested: Type.Number(), boot: Boot })

const position = {
  /** Device that the log belongs to; empty in a new file. */
  device: Type.String(),
  complete: Type.Boolean(),
  emptySince: Type.Optional(Type.Number()),
  tail: Pairs,
  gone: Pairs,
  /** Marks of entries that may have been delivered. */
  doubtful: Type.Array(Type.Number()),
}

/** The first line: a complete position. */
const First = Type.Object({
  version: Type.Literal(2),
  ...position,
  pending: Type.Optional(Announced),
  rest: Type.Optional(Rested),
  isDamaged: Type.Optional(Type.Literal(true)),
})

/** A later change of the position, see `Positions`. */
const Change = Type.Union([
  Announced,
  Type.Object({ left: Type.Number(), leaving: Type.Number() }),
  Type.Object({ moved: Type.Number(), others: Pairs }),
  Rested,
  /** Another run has begun. */
  Type.Object({ begun: Type.Union([Type.String(), Type.Null()]), isDamaged: Type.Boolean() }),
  Type.Object({ replaced: Type.Object(position) }),
])
type Change = Static<typeof Change>

const pairs = (entries: readonly SeenEntry[]): Pairs =>
  entries.map(({ mark, timestamp }) => [mark, timestamp])
const entriesOf = (given: Pairs): SeenEntry[] => given.map(([mark, timestamp]) => ({ mark, timestamp }))

const positionOf = (device: string, { tail, gone, doubtful, ...others }: RememberedEntries) => ({
  ...{ device, ...others, tail: pairs(tail), gone: pairs(gone), doubtful: [...doubtful] },
})
const newPosition: Static<typeof First> = { version: 2, ...positionOf('', new Memory().kept()) }

/** What the changes amount to. */
class SavedLog {
  readonly device: string
  readonly memory: Memory
  readonly isDamaged: boolean
  #pending: Static<typeof Announced> | undefined
  #rest: Static<typeof Rested> | undefined

  constructor(first: Static<typeof First>) {
    const { device, tail, gone, isDamaged = false, pending, rest, ...others } = first
    this.device = device
    this.memory = new Memory({ ...others, tail: entriesOf(tail), gone: entriesOf(gone) })
    this.isDamaged = isDamaged
    this.#pending = pending
    this.#rest = rest
  }

  with(change: Change): SavedLog {
    if ('replaced' in change) return new SavedLog({ version: 2, ...change.replaced })
    this.#rest = 'rested' in change ? change : undefined
    if ('begun' in change) return this.#afterRun(change.begun, change.isDamaged)
    if ('announced' in change) this.#pending = change
    else if ('moved' in change) {
      this.memory.add([...this.#announced().slice(0, change.moved), ...entriesOf(change.others)])
      this.#pending = undefined
    } else if ('leaving' in change && this.#pending) this.#pending = { ...this.#pending, ...change }
    return this
  }

  first(): Static<typeof First> {
    return {
      version: 2,
      ...positionOf(this.device, this.memory.kept()),
      ...(this.#pending && { pending: this.#pending }),
      ...(this.#rest && { rest: this.#rest }),
      ...(this.isDamaged && { isDamaged: true }),
    }
  }

  /** Milliseconds since following ended in good order; it is unknown how long the computer was off. */
  restedFor(boot: string | null): number | undefined {
    return this.#rest && boot !== null && this.#rest.boot === boot
      ? Date.now() - this.#rest.rested
      : undefined
  }

  #announced(): SeenEntry[] {
    return entriesOf(this.#pending?.announced ?? [])
  }

  /** Nothing is pending after the end of a run: either it has been delivered, or it may have been. */
  #afterRun(boot: string | null, isDamaged: boolean): SavedLog {
    const { left = 0, leaving = 0, ...pending } = this.#pending ?? { announced: [] }
    const entries = entriesOf(pending.announced)
    this.memory.add(entries.slice(0, left))
    // Entries delivered before a power failure may not have been recorded.
    const others = entries.slice(left, boot !== null && pending.boot === boot ? leaving : undefined)
    const kept = this.memory.kept()
    const doubtful = [...kept.doubtful, ...others.map(({ mark }) => mark)]
    return new SavedLog({
      version: 2,
      ...positionOf(this.device, { ...kept, doubtful }),
      ...((isDamaged || this.isDamaged) && { isDamaged: true }),
    })
  }
}

/** File names of this length are allowed everywhere. */
const longestName = 150

/** A unique file name for a log, even if the system ignores upper and lower case. */
function nameOf(log: string): string {
  const plain = /[a-z0-9_-]/
  const name = Array.from(Buffer.from(log), (byte) => {
    const character = String.fromCharCode(byte)
    return plain.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`
  }).join('')
  const short = name.length > longestName ? createHash('sha256').update(log).digest('hex') : name
  return `${short}.position`
}

/** Bytes after which a file is rewritten. */
const compactAt = 128 * 1024

/** What the storage of a position has to know. What a failed write leaves must not state an old position. */
const savedLog = {
  ...{ compactAt, bytes: 64 * 1024 * 1024, afterFailure: 'empty' as const },
  ...{ entry: Change, snapshot: First },
  begin: (first: Static<typeof First> = newPosition) => new SavedLog(first),
  fold: (log: SavedLog, change: Change) => log.with(change),
}

/** A position on disk. */
type SavedFile = DurableLog<Change, SavedLog>
export type OpenPosition = (options: LogOptions<typeof Change, typeof First, SavedLog>) => Promise<SavedFile>

export interface PositionsOptions {
  /** Receives each file that could not be used, once. */
  onDamage?: StorageOptions['onDamage']
  /** The present run of the computer; null if the system does not identify it. */
  boot?: string | null
  open?: OpenPosition
}

/**
 * Saves positions in a folder, one file per log.
 * @param device whose logs they are; positions of another device are ignored
 */
export function filePositions(
  folder: string,
  device: string,
  { onDamage = () => undefined, boot = bootId() ?? null, open = openLog }: PositionsOptions = {},
): Positions {
  const files = new Map<string, { file: SavedFile; isSynced: boolean }>()
  const ofBoot = boot === null ? {} : { boot }

  const append = (log: string, change: Change, mayWait = false) => {
    const saving = files.get(log)
    if (!saving) return
    saving.isSynced &&= mayWait
    saving.file.append(change)
  }
  const sync = async (log: string) => {
    const saving = files.get(log)
    if (!saving || saving.isSynced) return
    await saving.file.flush()
    saving.isSynced = true
  }
  const load = async (log: string) => {
    let [isOpening, isDamaged] = [true, false]
    const file = await open({
      ...savedLog,
      file: join(folder, nameOf(log)),
      onDamage: (damage) => {
        isDamaged ||= isOpening
        onDamage(damage)
      },
      snapshotOf: (state) => ({ ...state.first(), ...(isOpening && isDamaged && { isDamaged: true }) }),
    })
    isOpening = false
    files.set(log, { file, isSynced: false })
    const restedFor = file.state.restedFor(boot)
    // What cannot be written is written and reported with the next change.
    await settled(
      Promise.resolve()
        .then(() => append(log, { begun: boot, isDamaged }))
        .then(() => sync(log)),
    )
    if (file.state.isDamaged) return 'damaged'
    if (file.state.device !== device) return undefined
    return { kept: file.state.memory.kept(), ...(restedFor !== undefined && { restedFor }) }
  }
  const replace = async (log: string, kept: RememberedEntries) => {
    if (!files.has(log)) await load(log)
    append(log, { replaced: positionOf(device, kept) })
    await sync(log)
  }

  return {
    folder,
    load,
    replace,
    announce: async (log, kept, entries) => {
      if (!files.has(log)) await replace(log, kept)
      append(log, { announced: pairs(entries), ...ofBoot })
      await sync(log)
    },
    leaving: (log, left, leaving) => append(log, { left, leaving }),
    // If this record is lost, nothing is delivered again.
    moved: (log, left, others) => append(log, { moved: left, others: pairs(others) }, true),
    end: sync,
    rest: (log) => append(log, { rested: Date.now(), ...ofBoot }),
    close: async () => {
      for (const { file } of files.values()) await file.close()
      files.clear()
    },
  }
}
