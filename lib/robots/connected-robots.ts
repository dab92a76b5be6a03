import type { Reply } from './cycle'

/** How often what has happened since the start. */
export interface LinkCounts {
  requests: number
  /** Answers with code 0, and with another. */
  done: number
  failed: number
  /** Answers of a flow that were dropped. */
  late: number
  second: number
  foreign: number
  /** Requests that the same robot replaced by another. */
  replaced: number
  /** Robots that went while a request was open. */
  left: number
  /** Hosts that may not connect. */
  refused: number
}

export const noCounts = (): LinkCounts => ({
  ...{ requests: 0, done: 0, failed: 0, late: 0, second: 0, foreign: 0 },
  ...{ replaced: 0, left: 0, refused: 0 },
})

/** A robot as a panel shows it. */
export interface RobotSnapshot {
  robot: number
  address: string
  since: Date
  /** The last request, and how it was answered; a request without a code is open. */
  last?: { command: string; at: Date; code?: number; milliseconds?: number }
}

/** The robots of a port by the number of their connection, and what has happened there. */
export class ConnectedRobots<Connection> {
  readonly counts = noCounts()
  readonly #robots = new Map<number, RobotSnapshot & { connection: Connection }>()
  #number = 0

  /** @returns the number of the connection, which was never used before */
  add(address: string, connectionOf: (robot: number) => Connection): number {
    const robot = ++this.#number
    this.#robots.set(robot, { robot, address, since: new Date(), connection: connectionOf(robot) })
    return robot
  }

  find(robot: number): { address: string; connection: Connection } | undefined {
    return this.#robots.get(robot)
  }

  /** @returns its address */
  remove(robot: number): string {
    const address = this.#robots.get(robot)?.address ?? ''
    this.#robots.delete(robot)
    return address
  }

  get snapshots(): readonly RobotSnapshot[] {
    return Array.from(this.#robots.values(), ({ robot, address, since, last }) => ({
      robot,
      address,
      since,
      ...(last && { last }),
    }))
  }

  asked(robot: number, command: string): void {
    this.counts.requests++
    const known = this.#robots.get(robot)
    if (known) known.last = { command, at: new Date() }
  }

  /** @param isDone whether the robot got what it asked for */
  told({ robot, command, code, milliseconds }: Reply, isDone: boolean): void {
    this.counts[isDone ? 'done' : 'failed']++
    const known = this.#robots.get(robot)
    if (known) known.last = { command, at: known.last?.at ?? new Date(), code, milliseconds }
  }
}
