/** Ports that robots connect to, shared by their nodes, and the robots on them. */
import type { Node, NodeAPI } from 'node-red'
import { NotAHost } from '../../lib/hosts/allowed-hosts'
import { codeOf } from '../../lib/plc/codes'
import {
  type Answered,
  InterfaceLink,
  type InterfaceLinkOptions,
  type Link,
  type LinkCounts,
  type LinkEvents,
  type LinkOptions,
  type LinkTold,
  ListenFailure,
  noCounts,
  type Reply,
  type RobotCycle,
  RobotLink,
  type RobotResult,
  type RobotSnapshot,
} from '../../lib/robots'
import { deviceOf } from '../device/device'
import { newToken } from '../plc/handshake-of'
import { watchFlowErrors, failureOf, type FlowFailure } from '../plc/open-cycles'
import { sentencesOf } from '../sentences'
import { whenStarted } from '../shared/handle-input'
import { detailOf } from '../shared/node-error'
import { robotCodes, toInterface, meaningOf } from './codes'
import { answering, oncePerServer } from '../shared/admin'

const { invalidInput, say } = sentencesOf('robots')

/** Ports by the configuration node that opened them. */
const claims = new Map<Node, number>()

/** @returns releases the port @throws INVALID_INPUT naming both configurations */
function claimPort(node: Node, port: number): () => void {
  const [other] = [...claims].find(([{ id }, taken]) => id !== node.id && port !== 0 && taken === port) ?? []
  if (other) throw invalidInput('robots-same-port', { one: nameOf(node), other: nameOf(other), port })
  claims.set(node, port)
  return () => claims.delete(node)
}

const nameOf = ({ name, id }: Node) => name || id

type NotOfSettings = 'codes' | 'newToken' | 'connections' | 'toInterface' | 'isReady'

/** Text dialects, or the binary robot interface of a device. */
export type RobotSettings = Omit<LinkOptions, NotOfSettings> | InterfaceSettings

interface InterfaceSettings extends Omit<InterfaceLinkOptions, NotOfSettings> {
  /** Id of the device on which STATUS depends; empty: none. */
  device: string
}

export interface RequestMember {
  node: Node
  requested: (cycle: RobotCycle, address: string) => void
  replied: (reply: Reply, address: string) => void
  reported: (reported: LinkTold) => void
  changed: () => void
  trouble: (error: unknown) => void
}

export interface RobotsSnapshot {
  /** Undefined while closed. */
  port?: number
  robots: readonly RobotSnapshot[]
  counts: Readonly<LinkCounts>
}

/** At a time; more than any cell has robots. */
const connections = 64

const failures = {
  taken: 'robots-port-taken',
  reserved: 'robots-port-reserved',
  'not-ours': 'robots-own-address',
  other: 'robots-not-listening',
} as const

/** The port opens with the first request node. */
export class DeployedRobots {
  readonly #RED: NodeAPI
  readonly #node: Node
  readonly #settings: () => RobotSettings
  readonly #watches = new Map<string, () => void>()
  #member: RequestMember | undefined
  #link: Link | undefined
  #opening: Promise<void> | undefined
  #ended: Promise<void> = Promise.resolve()
  #leaveWay: (() => void) | undefined
  #leaveDevice: (() => void) | undefined
  #release: (() => void) | undefined

  /** @param settings throws INVALID_INPUT */
  constructor(RED: NodeAPI, node: Node, settings: () => RobotSettings) {
    this.#RED = RED
    this.#node = node
    this.#settings = settings
  }

  /** Begins when the flows have started. @returns leaves @throws INVALID_INPUT if another node has joined */
  join(member: RequestMember): () => void {
    if (this.#member) throw invalidInput('robots-two-requests')
    this.#member = member
    const cancel = whenStarted(this.#RED, () => {
      this.#opening = this.#ended
        .then(() => this.#open(member))
        .catch((error: unknown) => member.trouble(error))
    })
    return () => {
      cancel()
      if (this.#member === member) this.#member = undefined
      this.#ended = this.#end()
    }
  }

  get isBinary(): boolean {
    return this.#link instanceof InterfaceLink
  }

  get snapshot(): RobotsSnapshot {
    const link = this.#link
    if (!link) return { robots: [], counts: noCounts() }
    return { port: link.port, robots: link.robots, counts: link.counts }
  }

  answer(token: string, result: RobotResult): Answered {
    this.#unwatch(token)
    return this.#link?.answer(token, result) ?? { dropped: 'foreign' }
  }

  close(): Promise<void> {
    this.#member = undefined
    return this.#ended.then(() => this.#end())
  }

  async #open(member: RequestMember): Promise<void> {
    const settings = this.#settings()
    const release = (this.#release = claimPort(this.#node, settings.port))
    const errors = watchFlowErrors(this.#RED)
    try {
      const isReady = this.#readiness(member.node, settings)
      const link = await openLink(settings, isReady, {
        onCycle: (cycle, address) => {
          this.#watches.set(
            cycle.token,
            errors.watch(cycle.token, (failure) => this.#failed(cycle.token, failure)),
          )
          member.requested(cycle, address)
        },
        onOver: ({ token }) => this.#unwatch(token),
        onReply: (reply, address) => member.replied(reply, address),
        onNotice: (reported) => member.reported(reported),
        onChange: () => member.changed(),
      })
      this.#link = link
      this.#leaveWay = errors.join()
    } catch (error) {
      release()
      this.#leaveDevice?.()
      throw asInvalid(error, settings)
    }
    // A caller that has left meanwhile awaits this and closes it.
    if (this.#member === member) member.changed()
  }

  /** A missing device is never ready. */
  #readiness(node: Node, settings: RobotSettings): () => boolean {
    const { device: id = '' } = settings as Partial<InterfaceSettings>
    if (id === '') return () => true
    const device = deviceOf(this.#RED, id)
    // Its state is current only while a node has joined.
    this.#leaveDevice = device?.join(node, () => undefined)
    return () => device?.state === 'ready'
  }

  #failed(token: string, { error, node }: FlowFailure): void {
    const failure = failureOf(error)
    const code = codeOf(failure, robotCodes)
    this.answer(token, { code, returnCode: failure.returnCode })
    this.#node.warn(
      say('robots-failed-on-the-way', { code, node: node.name ?? node.type, message: detailOf(error) }),
    )
  }

  #unwatch(token: string): void {
    this.#watches.get(token)?.()
    this.#watches.delete(token)
  }

  async #end(): Promise<void> {
    await this.#opening
    this.#opening = undefined
    const link = this.#link
    this.#link = undefined
    for (const end of this.#watches.values()) end()
    this.#watches.clear()
    this.#leaveWay?.()
    this.#leaveWay = undefined
    this.#leaveDevice?.()
    this.#leaveDevice = undefined
    await link?.close()
    this.#release?.()
    this.#release = undefined
  }
}

const openLink = (settings: RobotSettings, isReady: () => boolean, events: LinkEvents): Promise<Link> => {
  const own = { codes: robotCodes, newToken, connections }
  return 'dialect' in settings
    ? RobotLink.open({ ...settings, ...own }, events)
    : InterfaceLink.open({ ...settings, ...own, toInterface, isReady }, events)
}

function asInvalid(error: unknown, { host, port }: RobotSettings): unknown {
  if (error instanceof ListenFailure)
    return invalidInput(failures[error.reason], { host, port, reason: error.code }, error)
  if (error instanceof NotAHost) return invalidInput('robots-not-an-address', { value: error.entry }, error)
  return error
}

/** Undefined if missing or disabled. */
export function robotsOf(RED: NodeAPI, id: string): DeployedRobots | undefined {
  const node = RED.nodes.getNode(id) as (Node & { robots: DeployedRobots }) | null | undefined
  return node?.type === 'vision-robot-connection' ? node.robots : undefined
}

/** Milliseconds since 1970. */
interface RobotState {
  address: string
  since: number
  /** No code while open. */
  last?: { command: string; at: number; code?: number; meaning?: string; milliseconds?: number }
}

export interface RobotConnectionState {
  /** Missing while closed. */
  port?: number
  robots: RobotState[]
  counts: Readonly<LinkCounts>
}

export type RobotStates = Record<string, RobotConnectionState>

function robotStates(RED: NodeAPI): RobotStates {
  const states: RobotStates = {}
  RED.nodes.eachNode(({ id, type }) => {
    const deployed = type === 'vision-robot-connection' ? robotsOf(RED, id) : undefined
    if (!deployed) return
    const { port, robots, counts } = deployed.snapshot
    const stated = robots.map((robot) => stateOf(robot, deployed.isBinary))
    states[id] = { ...(port !== undefined && { port }), robots: stated, counts }
  })
  return states
}

function stateOf({ address, since, last }: RobotSnapshot, isBinary: boolean): RobotState {
  if (!last) return { address, since: since.getTime() }
  const { command, at, code, milliseconds } = last
  return {
    address,
    since: since.getTime(),
    last: {
      command,
      at: at.getTime(),
      ...(code !== undefined && { code, meaning: meaningOf(code, isBinary) }),
      ...(milliseconds !== undefined && { milliseconds: Math.round(milliseconds) }),
    },
  }
}

/** For the sidebar; needs the permission `vision.read`. */
export const robotRoutes = oncePerServer((RED) =>
  RED.httpAdmin.get(
    '/vision-devices/robots',
    RED.auth.needsPermission('vision.read'),
    answering(() => Promise.resolve(robotStates(RED))),
  ),
)
