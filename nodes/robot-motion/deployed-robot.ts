/** A robot that is read and moved, shared by its nodes, and its state in numbers. */
import type { Node, NodeAPI } from 'node-red'
import type {
  MotionLimits,
  PermitState,
  Robot,
  RobotError,
  RobotLinkState,
  RobotState,
} from '../../lib/robot-motion'
import type { Pose } from '../../lib/robotics'
import type { UniversalRobotOptions } from '../../lib/universal-robots/universal-robot'
import { loadRobotMotion, loadUniversalRobots } from '../shared/load-later'
import { type RobotFormat, type PoseShape, rounded, shapedPose } from '../shared/poses'
import { currentLanguage } from '../shared/node-error'
import { whenStarted } from '../shared/handle-input'
import { sentencesOf } from '../sentences'
import { degrees } from '../../lib/robotics/pose'

const { invalidInput, say } = sentencesOf('robot-motion')

const listening = new Set<() => void>()

const notifyAll = () => {
  for (const listener of [...listening]) listener()
}

/**
 * Called whenever flows have started, even if the deploy left this node alone. One shared listener: Node.js warns of a leak
 * from eleven on.
 * @returns ends it
 */
export function onEachDeploy({ events }: NodeAPI, listener: () => void): () => void {
  if (listening.size === 0) events.on('flows:started', notifyAll)
  listening.add(listener)
  return () => {
    listening.delete(listener)
    if (listening.size === 0) events.removeListener('flows:started', notifyAll)
  }
}

export interface MotionSettings {
  name: string
  numbers: RobotFormat
  home: Pose | undefined
  mayMove: boolean
  limits: MotionLimits
  universalRobot: UniversalRobotOptions
}

export interface RobotMember {
  linked: (link: RobotLinkState) => void
  permitted?: (permit: PermitState, because?: RobotError) => void
  seen?: (state: RobotState) => void
  /** Drops waiting motions after a stop. */
  dropped?: (because: RobotError) => void
}

/** Connects when the first node has joined and the flows have started. */
export class DeployedRobot {
  readonly #RED: NodeAPI
  readonly #node: Node
  readonly #settingsOf: () => MotionSettings
  readonly #members = new Set<RobotMember>()
  readonly #stopListening: () => void
  #settings: MotionSettings | undefined
  #robot: Robot | undefined
  #cancelStart: (() => void) | undefined
  #closed = false

  /** @param settings throws INVALID_INPUT */
  constructor(RED: NodeAPI, node: Node, settings: () => MotionSettings) {
    this.#RED = RED
    this.#node = node
    this.#settingsOf = settings
    // The operator has confirmed the previous flow.
    this.#stopListening = onEachDeploy(RED, () => this.#robot?.forgetConfirmation())
  }

  /** @throws INVALID_INPUT */
  get settings(): MotionSettings {
    return (this.#settings ??= this.#settingsOf())
  }

  /** Connected or not. @throws INVALID_INPUT for wrong settings, or after the close */
  get robot(): Robot {
    if (this.#closed) throw invalidInput('robot-missing')
    return (this.#robot ??= this.#open())
  }

  /** @returns leaves */
  join(member: RobotMember): () => void {
    this.#members.add(member)
    if (this.#robot) member.linked(this.#robot.link)
    else
      this.#cancelStart ??= whenStarted(this.#RED, () => {
        // The nodes themselves report wrong settings.
        if (!this.#closed && this.#members.size > 0) this.#connect()
      })
    return () => {
      this.#members.delete(member)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#stopListening()
    this.#cancelStart?.()
    await this.#robot?.close()
  }

  #connect(): void {
    try {
      this.#robot ??= this.#open()
    } catch (error) {
      this.#node.error(error)
    }
  }

  #open(): Robot {
    const { mayMove, limits, universalRobot, name } = this.settings
    const { Robot } = loadRobotMotion()
    return new Robot(
      loadUniversalRobots().universalRobot(universalRobot),
      { mayMove, limits },
      {
        onState: (state) => {
          for (const { seen } of this.#members) seen?.(state)
        },
        onLink: (link) => {
          // Changes only; the driver reports each reason once.
          if (link.is === 'down') this.#node.warn(link.error.inLanguage(currentLanguage()))
          else if (link.is === 'up')
            this.#node.log(say('robot-connected', { name, version: link.version ?? '' }))
          for (const { linked } of this.#members) linked(link)
        },
        onPermit: (permit, because) => {
          if (because) this.#node.warn(because.inLanguage(currentLanguage()))
          for (const { permitted } of this.#members) permitted?.(permit, because)
        },
        onDropped: (because) => {
          for (const { dropped } of this.#members) dropped?.(because)
        },
      },
    )
  }
}

/** Undefined if missing or disabled. */
export function robotOf(RED: NodeAPI, id: string): DeployedRobot | undefined {
  const node = RED.nodes.getNode(id) as (Node & { robot: DeployedRobot }) | null | undefined
  return node?.type === 'vision-robot-config' ? node.robot : undefined
}

/** Poses in the flow's format, joints in degrees, lengths in mm, payload in kg. */
export function stateInNumbers(state: RobotState, numbers: RobotFormat, shape: PoseShape) {
  const { flange, tcp, tcpOffset, joints, mode, safety, program, payload, speed, speedScaling } = state
  return {
    flange: shapedPose(numbers, flange, shape),
    tcp: shapedPose(numbers, tcp, shape),
    tcpOffset: shapedPose(numbers, tcpOffset, shape),
    format: numbers.format.id,
    unit: numbers.length,
    joints: joints.map((each) => rounded(degrees(each), 3)),
    mode,
    safety,
    program,
    speed: rounded(speed * 1000, 1),
    speedScaling: rounded(speedScaling, 3),
    ...(payload && {
      payload: {
        kilograms: rounded(payload.mass, 3),
        ...(payload.centre && {
          centre: [payload.centre.x, payload.centre.y, payload.centre.z].map((each) =>
            rounded(each * 1000, 1),
          ),
        }),
      },
    }),
  }
}

/** From mm to metres. @throws INVALID_INPUT */
export function boxOf(text: string): MotionLimits['box'] {
  if (text === '') return undefined
  const ranges = text.split(',').map((part): readonly [number, number] => {
    const [from = Number.NaN, to = Number.NaN, ...more] = part.split('..').map((each) => Number(each) / 1000)
    return more.length > 0 || part.trim() === '' ? [Number.NaN, Number.NaN] : [from, to]
  })
  const [x, y, z, ...more] = ranges
  if (!x || !y || !z || more.length > 0 || !ranges.every(([from, to]) => from < to))
    throw invalidInput('robot-bad-box', { value: text })
  return [x, y, z]
}
