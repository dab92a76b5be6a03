import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { HeapUse } from './collect-garbage'
import type { Resources } from './resources'

/** How one message ended. */
export interface Ends {
  outputs: number
  done: number
  errors: number
}

export interface Round {
  /** Part of the id of each message. */
  round: string
  nodes: string[]
  /** Messages for each node; some nodes get a share of it. */
  count: number
}

export interface RoundResult {
  /** By the id of the message: `<round> <node> <index>`. */
  ends: [id: string, ends: Ends][]
  /** Bytes in use after garbage collection. */
  held: HeapUse
  resources: Resources
  /** Messages of nodes that work without input, by their ids. */
  sent: Record<string, number>
}

/** Flows to be deployed one after the other. */
export interface Deploys {
  flows: object[][]
}

/** A Node-RED without editor in a process of its own, for sending thousands of messages. */
export interface Mill {
  grind: (round: Round) => Promise<RoundResult>
  /** @returns the memory in use after the last one */
  deploy: (flows: object[][]) => Promise<HeapUse>
  stop: () => Promise<void>
}

export async function startMill(flow: object[]): Promise<Mill> {
  const child = fork(join(__dirname, 'mill-program.js'))
  const ended = once(child, 'exit')
  /** Its next answer; it must not end before. */
  const told = async <What>() => {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [What]
    if (child.exitCode !== null) throw new Error('the mill has ended')
    return message
  }
  child.send(flow)
  await told()
  return {
    grind: (round) => {
      child.send(round)
      return told<RoundResult>()
    },
    deploy: (flows) => {
      child.send({ flows } satisfies Deploys)
      return told<HeapUse>()
    },
    stop: async () => {
      child.disconnect()
      await ended
    },
  }
}
