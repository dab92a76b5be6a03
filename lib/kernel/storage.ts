/**
 * Durable storage: a value in a file, and a log of entries that fold into a state.
 *
 * In: JSON values that match a schema, rejected by the call itself if they do not. Out: the same values after the next
 * start, however this program ends; damage, reported once, with what is used instead; failing writes, the first of a
 * row. An unusable file is renamed, never overwritten. One program at a time may use a file.
 */
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { link, lstat, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import {
  makeFolder,
  syncFolder,
  removeUnfinished,
  unfinishedName,
  writeDurably,
} from '../files/write-durably'
import { sentencesIn } from './sentences'
import { orUndefined, settled } from './scope'
import { sleep } from './timers'
import { TypeCompiler, type Static, type TSchema, type TypeCheck } from '../typebox'
import { CodedError } from './errors'
import { jsonText } from './json'
import type en from './locales/en-US/sentences.json'

const sentences = sentencesIn<typeof en>(__dirname)
const flush = promisify(fdatasync)

interface Reason {
  key: keyof typeof en & `reason-${string}`
  values?: Readonly<Record<string, string | number>>
}

/** A file that cannot be read or written, or a value that does not match its schema. */
export class StorageError extends CodedError<'DAMAGED' | 'NOT_WRITTEN' | 'INVALID_INPUT'> {
  override readonly name = 'StorageError'
  declare readonly key: keyof typeof en & `storage-${string}`
  declare readonly values: { readonly file: string; readonly aside?: string | undefined }

  constructor(
    /** DAMAGED: something else is used instead. */
    code: StorageError['code'],
    key: StorageError['key'],
    readonly reason: Reason,
    /** New path of an unusable file; undefined if it could not be renamed. */
    values: StorageError['values'],
    cause?: unknown,
  ) {
    const because = { inLanguage: (language?: string) => sentences.say(reason.key, reason.values, language) }
    super({ code, key, values, cause }, sentences, { further: { reason: because } })
  }

  /** Only the reason, for a sentence that names the file already. */
  because(language?: string): string {
    return sentences.say(this.reason.key, this.reason.values, language)
  }
}

export interface StorageOptions {
  file: string
  /** Called once for each unusable file, with what is used instead. */
  onDamage: (damage: StorageError) => void
  /** Called at the first write that fails after one that succeeded. */
  onFailure?: (failure: StorageError) => void
  /** Bytes of one value or entry. @default 4 MiB */
  bytes?: number
  /** Permissions of the file. @default 0o600 */
  mode?: number
  /**
   * If nothing in the file can be read: rename it and start anew, or reject with StorageError `DAMAGED` and leave it
   * where it is, because a person has to decide. @default 'begin'
   */
  unusable?: 'begin' | 'refuse'
}

export const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error)

/** Conditions of the system, not of the file. */
const passing = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR'])

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>()
function checkOf(schema: TSchema): TypeCheck<TSchema> {
  const check = checks.get(schema) ?? TypeCompiler.Compile(schema)
  checks.set(schema, check)
  return check
}

/** Why a value does not match; undefined if it does. */
function mismatch(schema: TSchema, value: unknown): Reason | undefined {
  const check = checkOf(schema)
  if (check.Check(value)) return undefined
  return { key: 'reason-shape', values: { place: check.Errors(value).First()?.path || '/' } }
}

const mostAside = 10 // renamed files that are kept beside one file

/** The file of a value or a log. */
class StoredFile {
  readonly file: string
  readonly #onDamage: StorageOptions['onDamage']
  readonly #onFailure: StorageOptions['onFailure']
  #blocked: Reason | undefined // set while the file can be neither used nor renamed
  readonly #refuses: boolean
  #isFailing = false
  readonly #reported = new Set<string>()

  constructor({ file, onDamage, onFailure, unusable }: StorageOptions) {
    this.file = resolve(file)
    this.#refuses = unusable === 'refuse'
    this.#onDamage = onDamage
    this.#onFailure = onFailure
  }

  /** The text; undefined if there is no file; the reason if it cannot be used. */
  async read(most: number, file = this.file, patience = 20): Promise<string | undefined | Reason> {
    try {
      const found = await stat(file)
      if (!found.isFile()) return { key: 'reason-not-a-file' }
      if (found.size > most)
        return { key: 'reason-too-large', values: { kilobytes: Math.round(most / 1024) } }
      if (found.size === 0) return { key: 'reason-empty' }
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file))
    } catch (error) {
      const code = codeOf(error)
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
      if (passing.has(code) && patience > 0) {
        await sleep(100)
        return this.read(most, file, patience - 1)
      }
      return code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? { key: 'reason-not-text' }
        : { key: 'reason-system', values: { detail: code } }
    }
  }

  /** @throws StorageError if a person has to decide about an unusable file */
  refuse(reason: Reason): void {
    if (this.#refuses) throw new StorageError('DAMAGED', 'storage-refused', reason, { file: this.file })
  }

  /**
   * Renames an unusable file and reports it.
   * @param isReplaced the next write replaces the file: until then it stays, so that a kill in between is no loss
   */
  async setAside(key: StorageError['key'], reason: Reason, isReplaced = false): Promise<void> {
    const aside = await this.#rename(isReplaced)
    this.#blocked = aside === undefined ? reason : undefined
    this.report(aside === undefined ? 'storage-blocked' : key, reason, aside)
  }

  report(key: StorageError['key'], reason: Reason, aside?: string): void {
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    this.#onDamage(new StorageError('DAMAGED', key, reason, { file: this.file, aside }))
  }

  async writing<Result>(write: () => Promise<Result>): Promise<Result> {
    try {
      if (this.#blocked) {
        const isThere = await isDone(lstat(this.file).then(() => undefined))
        if (isThere && (await this.#rename()) === undefined)
          throw new StorageError('NOT_WRITTEN', 'storage-blocked', this.#blocked, { file: this.file })
        this.#blocked = undefined
      }
      const result = await write()
      this.#isFailing = false
      return result
    } catch (error) {
      throw this.failed(error)
    }
  }

  /** The error of a write; reports the first of a row. */
  failed(error: unknown): StorageError {
    const failure = error instanceof StorageError ? error : this.#failureOf(error)
    if (!this.#isFailing) this.#onFailure?.(failure)
    this.#isFailing = true
    return failure
  }

  #failureOf(error: unknown): StorageError {
    const detail = codeOf(error)
    const reason: Reason =
      detail === 'ENOSPC' || detail === 'EDQUOT'
        ? { key: 'reason-disk-full' }
        : { key: 'reason-system', values: { detail } }
    return new StorageError('NOT_WRITTEN', 'storage-not-written', reason, { file: this.file }, error)
  }

  /** @returns undefined if it could not be renamed */
  async #rename(isReplaced = false): Promise<string | undefined> {
    const start = `${this.file}.damaged-`
    const time = new Date().toISOString().replaceAll(':', '-')
    try {
      const folder = dirname(this.file)
      const others = (await readdir(folder)).filter((name) => name.startsWith(basename(start))).sort()
      // The clock may have been set back: never reuse a name.
      let aside = `${start}${time}`
      for (let more = 2; others.includes(basename(aside)); more++) aside = `${start}${time}-${more}`
      // Folders and some file systems have no second names.
      if (!isReplaced || !(await isDone(link(this.file, aside)))) await rename(this.file, aside)
      for (const name of others.slice(0, Math.max(0, others.length + 1 - mostAside)))
        await rm(join(folder, name), { recursive: true, force: true })
      await syncFolder(folder)
      return aside
    } catch {
      return undefined
    }
  }
}

const isDone = (work: Promise<void>) =>
  work.then(
    () => true,
    () => false,
  )

/** Identifies a version of a file; undefined if there is none. */
async function stampOf(file: string): Promise<string | undefined> {
  const found = await orUndefined(stat(file, { bigint: true }))
  return found && `${found.ino} ${found.mtimeNs} ${found.size}`
}

export interface ValueOptions<Schema extends TSchema> extends StorageOptions {
  schema: Schema
  initial: Static<Schema>
  /** Keep a copy beside the file, used if the file is damaged. @default true */
  copy?: boolean
  /** If another program has changed or removed the file: rename its version, or refuse to write. @default 'aside' */
  shared?: 'aside' | 'refuse'
  /** Checks what the schema cannot express. */
  isValid?: (value: Static<Schema>) => boolean
}

export interface DurableValue<Value> {
  readonly value: Value
  /**
   * Resolves when this value, or a later one, would survive a power failure.
   * @throws NotJson or StorageError `INVALID_INPUT` at once; rejects with StorageError `NOT_WRITTEN`
   */
  set: (value: Value) => Promise<void>
  /** As `set`, without waiting: failures go only to `onFailure`. */
  keep: (value: Value) => void
  /** Resolves when everything possible is written. */
  close: () => Promise<void>
}

interface Write<Value> {
  value: Value
  text: string
  waiting: { resolve: () => void; reject: (error: unknown) => void }[]
}

const mostOfValue = 4 * 1024 * 1024 // bytes

type ValueShape<Schema extends TSchema> = Pick<ValueOptions<Schema>, 'schema' | 'isValid' | 'bytes'>

function parsed<Schema extends TSchema>(
  { schema, isValid = () => true }: ValueShape<Schema>,
  text: string,
): { value: Static<Schema> } | Reason {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { key: 'reason-not-json' }
  }
  const wrong = mismatch(schema, value)
  if (wrong) return wrong
  return isValid(value) ? { value } : { key: 'reason-shape', values: { place: '/' } }
}

async function valueIn<Schema extends TSchema>(
  place: StoredFile,
  options: ValueShape<Schema>,
  file?: string,
) {
  // The file may have been formatted, which makes it longer.
  const text = await place.read(4 * (options.bytes ?? mostOfValue), file)
  return typeof text === 'string' ? parsed(options, text) : text
}

/** Reads a value that another program may write. @returns undefined without a file @throws StorageError `DAMAGED` */
export async function readValue<Schema extends TSchema>(
  options: ValueShape<Schema> & Pick<ValueOptions<Schema>, 'file'>,
): Promise<Static<Schema> | undefined> {
  const { file } = options
  const found = await valueIn(new StoredFile({ file, onDamage: () => undefined }), options)
  if (found === undefined || 'value' in found) return found?.value
  throw new StorageError('DAMAGED', 'storage-refused', found, { file })
}

/**
 * Opens the value in a file. A file that is damaged or of an unknown version is renamed; its copy, as good as the last
 * write, is used instead, and without one the initial value. @throws StorageError `DAMAGED` instead of using the
 * initial value, if the options say so
 */
export async function openValue<Schema extends TSchema>(
  options: ValueOptions<Schema>,
): Promise<DurableValue<Static<Schema>>> {
  type Value = Static<Schema>
  const { initial, bytes = mostOfValue, mode = 0o600 } = options
  const { shared = 'aside' } = options
  const place = new StoredFile(options)
  const { file } = place
  const copy = options.copy === false ? undefined : `${file}.copy`
  const readBack = async (from: string | undefined) =>
    from === undefined ? undefined : valueIn(place, options, from)
  let stamp: string | undefined
  let next: Write<Value> | undefined
  let working: Promise<void> | undefined
  /** A value passed to `keep` that could not be written. */
  let unwritten: Write<Value> | undefined

  const write = async ({ text }: { text: string }) => {
    const found = await stampOf(file)
    if (shared === 'refuse' && found !== stamp)
      throw place.failed(
        new StorageError('NOT_WRITTEN', 'storage-shared', { key: 'reason-missing' }, { file }),
      )
    if (stamp !== undefined && found === undefined) place.report('storage-removed', { key: 'reason-missing' })
    else if (found !== stamp && stamp !== undefined)
      await place.setAside('storage-changed', { key: 'reason-missing' })
    await place.writing(() => writeDurably(file, text, mode))
    stamp = await stampOf(file)
  }
  const writeAll = async () => {
    for (let now = next; now; now = next) {
      next = undefined
      try {
        await write(now)
        current = now.value
        // The copy is only needed after damage; if it cannot be written, the next write tries again.
        if (copy !== undefined) await settled(writeDurably(copy, now.text, mode))
        for (const { resolve: written } of now.waiting) written()
        unwritten = undefined
      } catch (error) {
        for (const { reject } of now.waiting) reject(error)
        unwritten = now.waiting.length === 0 ? now : undefined
      }
    }
    working = undefined
  }
  const textOf = (value: Value) => {
    const text = `${jsonText(value, { name: 'value', bytes })}\n`
    const read = parsed(options, text)
    if ('value' in read) return { value: read.value, text }
    throw new StorageError('INVALID_INPUT', 'storage-wrong-value', read, { file })
  }
  const enqueue = (value: Value, waiting: Write<Value>['waiting']) => {
    next = { ...textOf(value), waiting: [...(next?.waiting ?? []), ...waiting] }
    working ??= Promise.resolve().then(writeAll)
  }

  await Promise.allSettled([file, ...(copy === undefined ? [] : [copy])].map(removeUnfinished))
  let current = initial
  const found = await readBack(file)
  const good = found && 'value' in found ? found : await readBack(copy)
  const isUsable = good !== undefined && 'value' in good
  if (isUsable) current = good.value
  else if (found && 'key' in found) place.refuse(found)
  if (found && 'key' in found) await place.setAside(isUsable ? 'storage-copy' : 'storage-initial', found)
  else if (!found && isUsable) place.report('storage-removed', { key: 'reason-missing' })
  if (good === found) stamp = await stampOf(file)
  else if (isUsable) await settled(write(textOf(current)))

  return {
    get value() {
      return current
    },
    set: (value) => {
      let settle: Write<Value>['waiting'][number] | undefined
      const written = new Promise<void>((resolve, reject) => (settle = { resolve, reject }))
      enqueue(value, settle ? [settle] : [])
      return written
    },
    keep: (value) => enqueue(value, []),
    close: async () => {
      await working
      const isMissing = stamp !== undefined && (await stampOf(file)) === undefined
      const last = unwritten ?? (isMissing ? textOf(current) : undefined)
      if (last) await settled(write(last))
    },
  }
}

export interface LogOptions<Entry extends TSchema, Snapshot extends TSchema, State> extends StorageOptions {
  /** Schema of an entry. No value may match both schemas. */
  entry: Entry
  snapshot: Snapshot
  /** The state of a snapshot; without one, that of a new log. */
  begin: (snapshot: Static<Snapshot> | undefined) => State
  /** The state after an entry; may modify the state passed. */
  fold: (state: State, entry: Static<Entry>) => State
  snapshotOf: (state: State) => Static<Snapshot>
  /** Appended bytes after which the log is compacted, at least. @default 256 KiB */
  compactAt?: number
  /**
   * What the file holds after a write has failed, until one succeeds: all entries before it, or nothing, where an older state is
   * worse than none. @default 'keep'
   */
  afterFailure?: 'keep' | 'empty'
}

export interface DurableLog<Entry, State> {
  readonly state: State
  /**
   * Appends an entry that survives the end of this program. If it cannot be written, this run still applies it, and the
   * next entry brings it along.
   * @throws NotJson or StorageError `INVALID_INPUT`: nothing has changed; StorageError `NOT_WRITTEN`
   */
  append: (...entries: Entry[]) => void
  /** Resolves when all entries appended so far would survive a power failure. @throws StorageError `NOT_WRITTEN` */
  flush: () => Promise<void>
  close: () => Promise<void>
}

/**
 * Opens a log. A last line that was cut off was never acknowledged and is ignored; if another line cannot be read, the
 * file is renamed and all others count. @throws StorageError `DAMAGED` if no line can be read and the options say so
 */
export async function openLog<Entry extends TSchema, Snapshot extends TSchema, State>(
  options: LogOptions<Entry, Snapshot, State>,
): Promise<DurableLog<Static<Entry>, State>> {
  const { bytes = 4 * 1024 * 1024, mode = 0o600, compactAt = 256 * 1024, begin, fold, snapshotOf } = options
  const isEmptied = options.afterFailure === 'empty'
  const place = new StoredFile(options)
  const { file } = place
  let state = begin(undefined)
  let descriptor: number | undefined
  let size = 0
  /** Bytes at which it is compacted. */
  let most = compactAt
  /** The file lacks something that this run knows. */
  let isBehind = false
  /** Lines appended during a compaction. */
  let since: string[] | undefined
  let work: Promise<unknown> = Promise.resolve()
  let nextFlush: Promise<void> | undefined

  const take = (line: string): Reason | undefined => {
    let content: unknown
    try {
      content = JSON.parse(line)
    } catch {
      return { key: 'reason-not-json' }
    }
    if (!mismatch(options.snapshot, content)) state = begin(content)
    else {
      const reason = mismatch(options.entry, content)
      if (reason) return reason
      state = fold(state, content)
    }
    return undefined
  }
  /** @returns the first problem */
  const readBack = (text: string): Reason | undefined => {
    const lines = withoutNuls(text).split('\n')
    let [wrong, read]: [Reason | undefined, number] = [undefined, 0]
    lines.forEach((line, at) => {
      if (line === '') return
      if (!take(line)) read++
      else if (at < lines.length - 1) wrong ??= { key: 'reason-line', values: { line: at + 1 } }
    })
    return read > 0 ? wrong : { key: 'reason-no-entry' }
  }
  const snapshotLine = () =>
    `${jsonText(snapshotOf(state), { name: 'snapshot', bytes: Infinity, depth: 256 })}\n`
  const put = (to: number, text: string) => {
    const content = Buffer.from(text)
    // A disk that is nearly full may take a part.
    for (let from = 0; from < content.length;) from += writeSync(to, content, from)
    return content.length
  }
  const opened = () => {
    if (descriptor !== undefined) return descriptor
    const fresh = openSync(file, 'a', mode)
    size = fstatSync(fresh).size
    return (descriptor = fresh)
  }
  const shut = () => {
    if (descriptor !== undefined) closeSync(descriptor)
    descriptor = undefined
  }
  /** Replaces the file by a snapshot and the lines appended meanwhile. */
  const rewrite = () =>
    place.writing(async () => {
      await makeFolder(dirname(file))
      const unfinished = unfinishedName(file)
      const lines = (since = [])
      let to: number | undefined
      try {
        const handle = await open(unfinished, 'wx', mode)
        const text = snapshotLine()
        lines.length = 0
        try {
          await handle.writeFile(text)
          await handle.sync()
        } finally {
          await handle.close()
        }
        // Synchronous from here, so that no entry goes into the old file after the last check.
        to = openSync(unfinished, 'a')
        const rest = put(to, lines.join(''))
        if (rest > 0) fdatasyncSync(to)
        renameSync(unfinished, file)
        shut()
        ;[descriptor, to] = [to, undefined]
        size = Buffer.byteLength(text) + rest
        most = Math.max(compactAt, 2 * size)
        isBehind = false
      } catch (error) {
        if (to !== undefined) closeSync(to)
        await settled(rm(unfinished, { force: true }))
        most = Math.max(most, 2 * size)
        throw error
      } finally {
        since = undefined
      }
      await syncFolder(dirname(file))
    })
  const inTurn = <Result>(act: () => Promise<Result>): Promise<Result> => {
    const turn = work.then(act)
    work = settled(turn)
    return turn
  }
  /** A write has failed: the next one has to bring everything along. */
  const behind = () => {
    isBehind = true
    if (!isEmptied) return
    try {
      if (descriptor === undefined) truncateSync(file)
      else ftruncateSync(descriptor)
      size = 0
    } catch {
      // A file that cannot be written usually cannot be emptied either.
    }
  }
  const flushNow = async () => {
    const now = await orUndefined(stat(file, { bigint: true }))
    const openedFile = descriptor === undefined ? undefined : fstatSync(descriptor, { bigint: true })
    const isOurs = openedFile !== undefined && now?.ino === openedFile.ino && openedFile.size === BigInt(size)
    if (openedFile && !now) place.report('storage-removed', { key: 'reason-missing' })
    else if (openedFile && !isOurs) await place.setAside('storage-changed', { key: 'reason-missing' })
    try {
      if (isBehind || !isOurs) await rewrite()
      else await place.writing(() => flush(opened()))
    } catch (error) {
      behind()
      throw error
    }
  }
  const writeLines = (lines: string) => {
    const to = opened()
    const before = size
    try {
      size += put(to, isBehind ? `\n${snapshotLine()}` : lines)
      since?.push(lines)
      isBehind = false
    } catch (error) {
      since?.push(lines)
      // The rest of a line must not swallow the next one.
      ftruncateSync(to, before)
      throw error
    }
  }

  await settled(removeUnfinished(file))
  const text = await place.read(Infinity)
  const wrong = typeof text === 'string' ? readBack(text) : text
  // Without its first line, the log cannot be interpreted.
  if (wrong && (wrong.key !== 'reason-line' || wrong.values?.['line'] === 1)) place.refuse(wrong)
  if (wrong)
    await place.setAside(wrong.key === 'reason-line' ? 'storage-entries' : 'storage-initial', wrong, true)
  await rewrite().catch(() => (isBehind = true))

  return {
    get state() {
      return state
    },
    append: (...entries) => {
      const lines = entries.map((entry) => jsonText(entry, { name: 'entry', bytes }))
      // Parsed copies: callers cannot change them any more.
      const plain = lines.map((line) => JSON.parse(line) as unknown)
      for (const entry of plain) {
        const reason = mismatch(options.entry, entry)
        if (reason) throw new StorageError('INVALID_INPUT', 'storage-wrong-value', reason, { file })
      }
      for (const entry of plain) state = fold(state, entry)
      try {
        writeLines(lines.map((line) => `${line}\n`).join(''))
      } catch (error) {
        behind()
        throw place.failed(error)
      }
      if (size > most && !since) {
        most = Infinity
        inTurn(rewrite).catch((error: unknown) => void place.failed(error))
      }
    },
    flush: () =>
      (nextFlush ??= inTurn(() => {
        nextFlush = undefined
        return flushNow()
      })),
    close: async () => {
      await settled(inTurn(flushNow))
      await work
      shut()
    },
  }
}

/** A power failure leaves zeros in place of unflushed bytes. */
function withoutNuls(text: string): string {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 0) end--
  return text.slice(0, end)
}
