import type { Node, NodeAPI } from 'node-red'
import { type CodeTable, type Failure, codeOf as plcCodeOf } from '../../lib/plc/codes'
import type { OpenMap, PlcMap } from '../../lib/plc/data'
import type { Family } from '../../lib/plc/families'
import type { Cycle, Phase } from '../../lib/plc/handshake'
import {
  type CellCounts,
  type EndedCycle,
  PlcCell,
  type Taken,
  type ReportedEvent,
} from '../../lib/plc/handshake/cell'
import type { HandshakeJournal } from '../../lib/plc/handshake/journal'
import type { PlcPort, PortEvents } from '../../lib/plc/handshake/ports'
import { MessageLink } from '../../lib/plc/messages'
import type { CellData, PlcInputs } from '../../lib/plc/rows'
import type { VirtualPlcOptions } from '../../lib/plc/virtual/virtual-plc'
import { Scope } from '../../lib/kernel/scope'
import { startTimeout } from '../../lib/kernel/timers'
import type { Device } from '../device/device'
import type { HandshakeMetrics } from '../metrics/families'
import type { Group } from '../metrics/measuring'
import { sentencesOf } from '../sentences'
import { whenStarted } from '../shared/handle-input'
import { detailOf, currentLanguage } from '../shared/node-error'
import { type CaughtError, linkOf, newToken } from './handshake-of'
import { failureOf, type FlowFailure, OpenCycles, Preparation } from './open-cycles'
import { loadMetrics } from '../metrics/load-metrics'

/** An event that is awaited for a limited time. */
class ShutdownMessage {
  #arrive: (() => void) | undefined

  /** The event has occurred. */
  arrived(): void {
    this.#arrive?.()
  }

  /** Resolves when it occurs, at the latest after so many milliseconds. */
  async within(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#arrive = resolve
      timer = startTimeout(resolve, milliseconds)
    })
    clearTimeout(timer)
    this.#arrive = undefined
  }
}

const { invalidInput, say } = sentencesOf('plc')

interface Options {
  RED: NodeAPI
  node: Node
  /** @throws INVALID_INPUT */
  settings: () => HandshakeSettings
  openJournal: () => Promise<HandshakeJournal>
  /** What is counted of it. */
  metrics: Group
  /** Where messages of other nodes come in and go out, for connections that consist of them. */
  messages: MessageLink
  usesMessages: boolean
}

/** A handshake as the nodes on it share it. It connects to nothing before a trigger node has joined. */
export class DeployedHandshake {
  readonly #options: Options
  #member: TriggerMember | undefined
  #cell: PlcCell | undefined
  #settings: HandshakeSettings | undefined
  #opening: Promise<void> | undefined
  #ended: Promise<void> = Promise.resolve()
  #closed = false
  #leaveDevice: (() => void) | undefined
  #preparation: Preparation | undefined
  #cycles: OpenCycles | undefined
  /** Why the cycle fails that is being ended. */
  #reason = ''
  #journal: HandshakeJournal | undefined
  #trouble: unknown
  readonly #work = new Scope({ failed: (error) => this.#member?.trouble(error) })
  readonly #shutdown = new ShutdownMessage()
  readonly #watchers = new Set<HandshakeWatcher>()
  readonly #metrics: HandshakeMetrics

  constructor(options: Options) {
    this.#options = options
    this.#metrics = new (loadMetrics().HandshakeMetrics)(options.metrics, () => ({
      link: linkOf(this),
      counts: this.counts,
    }))
  }

  /** Begins when the flows have started. @returns leaves again @throws INVALID_INPUT where another has joined */
  join(member: TriggerMember): () => void {
    if (this.#member) throw invalidInput('plc-two-triggers')
    this.#member = member
    this.#trouble = undefined
    const cancel = whenStarted(this.#options.RED, () => {
      // The previous one may still be shutting down on the same port.
      this.#opening = this.#ended
        .then(() => this.#open(member))
        .catch((error: unknown) => {
          this.#trouble = error
          member.trouble(error)
          this.#changed()
        })
    })
    return () => {
      cancel()
      this.#leave()
      if (this.#member === member) this.#member = undefined
      // Without its trigger node, a handshake ends.
      this.#ended = this.#end().catch((error: unknown) => member.trouble(error))
    }
  }

  /** Reports events to a further watcher. @returns ends it */
  watch(watcher: HandshakeWatcher): () => void {
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  /** The device without which the cell is not ready; undefined: none. */
  get device(): Device | undefined {
    return this.#member?.device
  }

  get messages(): MessageLink {
    return this.#options.messages
  }

  /** Whether the connection consists of messages of other nodes. */
  get usesMessages(): boolean {
    return this.#options.usesMessages
  }

  /** The phase that the PLC sees; unknown if it has not taken part for some heartbeats. */
  get phase(): Phase {
    const { cell } = this
    return cell?.isHeard ? cell.phase : 'unknown'
  }

  get counts(): Readonly<CellCounts> {
    return this.#cell?.counts ?? { accepted: 0, done: 0, failed: 0, missed: 0, dropped: 0 }
  }

  /** For a node that simulates the PLC. @throws INVALID_INPUT */
  get virtualPlc(): VirtualPlcOptions {
    return this.#options.settings().virtualPlc()
  }

  get cell(): PlcCell | undefined {
    return this.#cell
  }

  /** As opened last; undefined before. */
  get settings(): HandshakeSettings | undefined {
    return this.#settings
  }

  /** Whether a trigger node works with it. */
  get isUsed(): boolean {
    return this.#member !== undefined
  }

  /** Why there is no connection, or why the PLC refuses; undefined while all is well, or if the reason is unknown. */
  get trouble(): unknown {
    return this.#trouble ?? this.#cell?.refusal
  }

  /**
   * Answers the trigger of that token.
   * @param given 0, and the code of done, are done; any other is an error
   * @param failed decides without a code: why the work was not done, though no node reported an error
   * @param caught decides without both: an error that a Catch took, where the message came here without another try
   * @returns how it was taken, the code that the PLC got, and whether there is a sign of the PLC
   */
  async answer(
    token: string,
    data: CellData,
    { given, failed, caught }: { given?: number; failed?: Failure; caught?: CaughtError } = {},
  ): Promise<{ taken: Taken; code: number; isHeard: boolean; fault?: string }> {
    const { cell } = this
    if (!cell || !this.#settings) return { taken: 'foreign', code: given ?? 0, isHeard: false }
    const { map, codes } = this.#settings
    const told = failed && { code: plcCodeOf(failed, codes), reason: undefined }
    const failure = told ?? (caught && this.#cycles?.failureIn(token, caught, codes))
    this.#cycles?.end(token)
    const code = given ?? failure?.code ?? 0
    const answered = async (taken: Promise<Taken>, answer: { code: number; fault?: string }) => ({
      taken: await taken,
      ...answer,
      isHeard: cell.isHeard,
    })
    if (code !== 0 && code !== codes.DONE) return answered(this.#fail(token, code, failure?.reason), { code })
    const misfit = map.misfit(data)
    if (!misfit) return answered(cell.answer(token, data), { code: codes.DONE })
    const fault = misfit.inLanguage(currentLanguage())
    return answered(this.#fail(token, codes.DOES_NOT_FIT, fault), { code: codes.DOES_NOT_FIT, fault })
  }

  /**
   * Ends the preparation of the device.
   * @param error what a Catch node took on the way
   * @returns false where the token is that of a trigger
   */
  prepared(token: string, error?: unknown): boolean {
    const codes = this.#settings?.codes
    const code = error === undefined ? 0 : plcCodeOf(failureOf(error), codes)
    return this.#preparation?.ended(token, code, error === undefined ? '' : detailOf(error)) ?? false
  }

  /** Shuts down, after the PLC has been informed. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#ended
    await this.#end()
    await this.#work.close()
  }

  async #open(member: TriggerMember): Promise<void> {
    const settings = (this.#settings = this.#options.settings())
    const { family, codes, deadline, minimumDone, release, plcLife, onDrop, whileBusy, openPort } = settings
    const cycles = (this.#cycles = new OpenCycles(this.#options.RED))
    const journal = (this.#journal = await this.#options.openJournal())
    const cell = await PlcCell.open(
      {
        family,
        codes,
        deadline,
        minimumDone,
        release,
        plcLife,
        onDrop,
        whileBusy,
        newToken,
        openPort,
        journal: journal.memory,
        keep: (entry) => journal.append(entry),
      },
      {
        onStart: (cycle, reaction) => {
          if (reaction !== undefined) this.#metrics.reacted(reaction)
          cycles.watch(cycle.token, (failure) => this.#failed(cycle.token, failure))
          member.started(cycle)
        },
        onAbort: (token, reason) => {
          cycles.abandon(token, () => this.#settled(token))
          // Later: the cell still writes what has just happened.
          if (reason === 'deadline') queueMicrotask(() => this.#preparation?.again())
        },
        onEnded: (ended) => {
          this.#metrics.ended(ended)
          member.ended(ended, codes, this.#reason)
          for (const watcher of this.#watchers) watcher.ended(ended, codes, this.#reason)
        },
        onTold: (told) => {
          if (told.what === 'never-ended' && told.token !== undefined) cycles.end(told.token)
          member.told(told)
          for (const watcher of this.#watchers) watcher.told(told)
        },
        onChange: () => {
          member.changed()
          this.#changed()
        },
        onLink: (up, reason) => {
          this.#trouble = up ? undefined : reason
          member.changed()
          this.#changed()
        },
        onTrouble: (error) => member.trouble(error),
      },
    )
    this.#cell = cell
    const { unsettled } = journal.memory
    // The flow may still end a cycle of the run before, and tell so by an error.
    if (unsettled) cycles.watch(unsettled.token, () => this.#settled(unsettled.token))
    // The closing member waits for this and closes it.
    if (this.#closed || this.#member !== member) return
    const preparation = (this.#preparation = new Preparation({
      codes,
      within: deadline,
      hear: (event) => cell.hear(event),
      send: (token) => member.prepare(token),
      watch: (token, failed) => cycles.watch(token, failed),
      warn: (text) => this.#options.node.warn(text),
    }))
    if (member.device)
      this.#leaveDevice = member.device.join(member.node, (state) => {
        preparation.linked(state)
        this.#changed()
      })
    else preparation.linked('ready')
    member.changed()
    this.#changed()
  }

  #changed(): void {
    for (const watcher of this.#watchers) watcher.changed()
  }

  #failed(token: string, { error, node }: FlowFailure): void {
    const { codes } = this.#settings ?? {}
    const code = plcCodeOf(failureOf(error), codes)
    this.#cycles?.end(token)
    const [name, message] = [node.name ?? node.type, detailOf(error)]
    this.#work.begin(() => this.#fail(token, code, `${name}: ${message}`))
    this.#preparation?.again()
    this.#options.node.warn(say('plc-failed-on-the-way', { code, node: name, message }))
  }

  /** The flow has ended a cycle that the PLC had its answer for: *ready* does not wait for it, nor does the next run. */
  #settled(token: string): void {
    if (this.#cell) this.#cell.settled(token)
    else if (this.#journal?.memory.unsettled?.token === token)
      this.#journal.append({ kind: 'settled', token })
    this.#shutdown.arrived()
  }

  /** @param reason for people; the cell tells within the call how the cycle ended */
  #fail(token: string, code: number, reason = ''): Promise<Taken> {
    this.#reason = reason
    const taken = this.#cell?.fail(token, code)
    this.#reason = ''
    return taken ?? Promise.resolve('foreign')
  }

  /** Leaves the device. */
  #leave(): void {
    this.#leaveDevice?.()
    this.#leaveDevice = undefined
    this.#preparation?.close()
    this.#preparation = undefined
  }

  async #end(): Promise<void> {
    const cell = this.#cell
    this.#cell = undefined
    this.#leave()
    await this.#opening
    await (cell ?? this.#cell)?.close()
    this.#cell = undefined
    // A deploy that closes the nodes of a cycle too makes them end it about now: so many milliseconds are enough.
    if (this.#journal?.memory.unsettled) await this.#shutdown.within(300)
    this.#cycles?.close()
    this.#cycles = undefined
    await this.#journal?.close()
    this.#journal = undefined
  }
}

/** A read-only observer of a handshake, besides the node that sends its triggers. */
interface HandshakeWatcher {
  /** Phase, counters, link or device have changed. */
  changed: () => void
  /** The PLC gets the end of a cycle. @param reason of a failure, where it is known; otherwise empty */
  ended: (ended: EndedCycle, codes: CodeTable, reason: string) => void
  /** An event that people should know. */
  told: (told: ReportedEvent) => void
}

/** The one node that sends the triggers of a handshake to its flow. */
export interface TriggerMember {
  node: Node
  /** The cell is ready only while this device is; undefined: always. */
  device: Device | undefined
  /** A cycle begins. */
  started: (cycle: Cycle) => void
  /** Sends the message that prepares the device for triggers. @returns false where no node receives it */
  prepare: (token: string) => boolean
  /** The PLC gets the end of a cycle. @param reason of a failure, where it is known; otherwise empty */
  ended: (ended: EndedCycle, codes: CodeTable, reason: string) => void
  /** An event that people should know. */
  told: (told: ReportedEvent) => void
  /** Phase, counters or link have changed. */
  changed: () => void
  /** The connection cannot be opened, or has failed. */
  trouble: (error: unknown) => void
}

/** A configuration, read and checked. */
export interface HandshakeSettings {
  family: Family
  map: OpenMap
  /** The same, as it was entered. */
  plcMap: PlcMap
  codes: CodeTable
  openPort: (events: PortEvents, known?: PlcInputs) => Promise<PlcPort> | PlcPort
  deadline: number
  minimumDone: number
  release: number
  plcLife: number
  onDrop: 'finish' | 'abort'
  whileBusy: 'refuse' | 'queue'
  /** How a virtual PLC on this computer plays the other side. @throws INVALID_INPUT where it cannot */
  virtualPlc: () => VirtualPlcOptions
}

/** By the id of the handshake: the last values of a PLC survive a deploy, after which readers do not repeat them. */
const links = new Map<string, MessageLink>()

export function messageLinkOf(id: string): MessageLink {
  const link = links.get(id) ?? new MessageLink()
  links.set(id, link)
  return link
}

export const forgetLink = (id: string): void => void links.delete(id)
