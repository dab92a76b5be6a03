import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { HeapUse } from './collect-garbage'
import type { Resources } from './resources'

export interface Ends {
  outputs: number
  done: number
  errors: number
}

export interface Round {
  /** Part of the message ids. */
  round: string
  nodes: string[]
  /** Messages per node; some nodes get a share. */
  count: number
}

export interface RoundResult {
  /** By id `<round> <node> <index>`. */
  ends: [id: string, ends: Ends][]
  /** After garbage collection, bytes. */
  held: HeapUse
  resources: Resources
  /** Nodes without input, by id. */
  sent: Record<string, number>
}

/** In sequence. */
export interface Deploys {
  flows: object[][]
}

/** Node-RED without editor in a process, for thousands of messages. */
export interface Mill {
  grind: (round: Round) => Promise<RoundResult>
  /** @returns memory after the last deploy */
  deploy: (flows: object[][]) => Promise<HeapUse>
  stop: () => Promise<void>
}

export async function startMill(flow: object[]): Promise<Mill> {
  const child = fork(join(__dirname, 'mill-program.js'))
  const ended = once(child, 'exit')
  /** Rejects if the process ends. */
  const nextMessage = async <What>() => {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [What]
    if (child.exitCode !== null) throw new Error('the mill has ended')
    return message
  }
  child.send(flow)
  await nextMessage()
  return {
    grind: (round) => {
      child.send(round)
      return nextMessage<RoundResult>()
    },
    deploy: (flows) => {
      child.send({ flows } satisfies Deploys)
      return nextMessage<HeapUse>()
    },
    stop: async () => {
      child.disconnect()
      await ended
    },
  }
}
