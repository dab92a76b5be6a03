import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** How one message ended. */
export interface Ends {
  outputs: number
  done: number
  errors: number
}

export interface Round {
  /** Stands in the id of each message. */
  round: string
  nodes: string[]
  /** Messages for each node. */
  count: number
}

export interface RoundResult {
  /** By the id of the message: `<round> <node> <index>`. */
  ends: [id: string, ends: Ends][]
  /** Bytes in use after everything that nobody holds has been collected. */
  heap: number
}

/** A Node-RED without editor in a process of its own, through which messages are sent by the thousand. */
export interface Mill {
  grind: (round: Round) => Promise<RoundResult>
  stop: () => Promise<void>
}

export async function startMill(flow: object[]): Promise<Mill> {
  const child = fork(join(__dirname, 'mill-program.js'), { execArgv: ['--expose-gc'] })
  child.send(flow)
  await told(child)
  return {
    grind: async (round) => {
      child.send(round)
      return told<RoundResult>(child)
    },
    stop: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

async function told<What>(child: ChildProcess): Promise<What> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('the mill has ended')
  })
  ended.catch(() => undefined)
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [What]
  return message
}
