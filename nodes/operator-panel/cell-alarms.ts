import type { EndedCycle, ReportedEvent } from '../../lib/plc/handshake/cell'
import { AlarmList, Alarms, type Alarm } from '../../lib/alarms/alarms'
import { openValue, type DurableValue, type StorageError } from '../../lib/kernel/storage'
import { startTimeout } from '../../lib/kernel/timers'
import type { DeployedHandshake } from '../plc/deployed-handshake'
import { causeOf, deviceTrouble, failureOf, plcTrouble } from './cell-state'
import { sentencesOf } from '../sentences'

const { say: sayOfPlc } = sentencesOf('plc')

/** Events that the operator must know although no fault remains. */
const noted = [
  'missed',
  'already-set',
  'never-ended',
  'release-missing',
  'silence',
  'memory-lost',
  'request-unknown',
  'undelivered',
  'late',
  'second',
  'foreign',
] as const satisfies readonly ReportedEvent['what'][]
const isNoted = (what: ReportedEvent['what']): what is (typeof noted)[number] =>
  (noted as readonly string[]).includes(what)

/** Milliseconds without an alarm for a lost connection, as at each start. */
const settling = 3000

interface Options {
  file: string
  failed: (error: StorageError) => void
  inWords: <Text>(say: () => Text) => Text
  changed: () => void
}

export class CellAlarms {
  readonly #options: Options
  readonly #timers = new Map<'plc' | 'device', NodeJS.Timeout>()
  #alarms = new Alarms()
  #file: DurableValue<Alarm[]> | undefined

  private constructor(options: Options) {
    this.#options = options
  }

  static async open(options: Options): Promise<CellAlarms> {
    const alarms = new CellAlarms(options)
    const { file, failed } = options
    alarms.#file = await openValue({
      file,
      schema: AlarmList,
      initial: [],
      onDamage: failed,
      onFailure: failed,
    })
    alarms.#alarms = new Alarms(alarms.#file.value)
    return alarms
  }

  get sorted(): Alarm[] {
    return this.#alarms.sorted
  }

  get open(): number {
    return this.#alarms.open
  }

  checkConnections(handshake: DeployedHandshake): void {
    const { inWords } = this.#options
    // A connected PLC that is silent for a while is no alarm.
    const isKnown = handshake.cell !== undefined && handshake.cell.phase !== 'unknown'
    this.#connected('plc', isKnown, () => inWords(() => plcTrouble(handshake)))
    const trouble = () => inWords(() => deviceTrouble(handshake))
    this.#connected('device', trouble() === undefined, trouble)
  }

  ended({ code }: EndedCycle, reason: string, { settings }: DeployedHandshake): void {
    if (!settings) return
    const now = Date.now()
    if (code === settings.codes.DONE) {
      this.#keep(this.#alarms.clear('cycle', now), this.#clearOfNodes(now))
      return
    }
    const text = this.#options.inWords(() => failureOf({ code, reason }, settings))
    this.#keep(this.#alarms.raise('cycle', text, now))
  }

  told({ what, code }: ReportedEvent, { settings }: DeployedHandshake): void {
    const { inWords } = this.#options
    const text = (key: Parameters<typeof sayOfPlc>[0]) => inWords(() => sayOfPlc(key, { code }))
    const now = Date.now()
    if (what === 'plc-stopped') this.#keep(this.#alarms.raise('plc-life', text('plc-event-plc-stopped'), now))
    else if (what === 'plc-back') this.#keep(this.#alarms.clear('plc-life', now))
    else if (isNoted(what)) {
      const cause = code !== undefined && settings ? inWords(() => causeOf(code, settings.codes)) : ''
      this.#alarms.note(what, [text(`plc-event-${what}`), cause].filter(Boolean).join(' '), now)
      this.#keep(true)
    }
  }

  /** From a Catch node; lasts until a cycle succeeds. */
  caught(node: string, message: string): void {
    this.#keep(this.#alarms.raise(`node ${node}`, message, Date.now()))
  }

  /** @returns the number of acknowledged alarms */
  acknowledge(one?: Pick<Alarm, 'key' | 'text'>): number {
    const count = this.#alarms.acknowledge(Date.now(), one)
    this.#keep(count > 0)
    return count
  }

  async close(): Promise<void> {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    await this.#file?.close()
  }

  #connected(key: 'plc' | 'device', isUp: boolean, reason: () => string | undefined): void {
    if (isUp) {
      clearTimeout(this.#timers.get(key))
      this.#timers.delete(key)
      this.#keep(this.#alarms.clear(key, Date.now()))
      return
    }
    if (this.#timers.has(key)) return
    const raise = () => {
      const text = reason()
      if (text !== undefined) this.#keep(this.#alarms.raise(key, text, Date.now()))
    }
    this.#timers.set(key, startTimeout(raise, settling))
  }

  #clearOfNodes(now: number): boolean {
    const keys = this.#alarms.all.filter(({ key, gone }) => key.startsWith('node ') && gone === undefined)
    for (const { key } of keys) this.#alarms.clear(key, now)
    return keys.length > 0
  }

  #keep(...changes: readonly boolean[]): void {
    if (!changes.includes(true)) return
    this.#file?.keep([...this.#alarms.all])
    this.#options.changed()
  }
}
