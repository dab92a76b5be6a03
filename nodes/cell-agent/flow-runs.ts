import { randomUUID } from 'node:crypto'
import type { NodeMessage } from 'node-red'
import type { Command } from '../../lib/fleet'
import type { Ending } from '../../lib/fleet/agent'
import { startTimeout } from '../../lib/timers/timers'
import { commandedMessage, type CommandMark } from '../shared/commanded'
import { isObject } from '../shared/is-object'
import { say } from './sentences'

/** Flows that commands have begun, until they hand back their results. */
export class FlowRuns {
  readonly #send: (msg: NodeMessage) => void
  /** Milliseconds. */
  readonly #within: number
  readonly #open = new Map<string, (ending: Ending) => void>()

  constructor(send: (msg: NodeMessage) => void, within: number) {
    this.#send = send
    this.#within = within
  }

  /** Sends a message to the flow, and resolves with what comes back. */
  async run({ id, from, args }: Command, signal: AbortSignal): Promise<Ending> {
    const flow = String(args['flow'])
    const mark: CommandMark = { command: id, flow, from, token: randomUUID() }
    let timer: NodeJS.Timeout | undefined
    let aborted: (() => void) | undefined
    try {
      return await new Promise<Ending>((resolve) => {
        const unknown = () =>
          resolve({
            state: 'unknown',
            code: 'NO_ANSWER',
            text: say('cell-flow-silent', { flow, seconds: this.#within / 1000 }),
          })
        this.#open.set(mark.token, resolve)
        timer = startTimeout(unknown, this.#within)
        aborted = unknown
        signal.addEventListener('abort', aborted, { once: true })
        this.#send(commandedMessage(mark, { topic: flow, payload: args['payload'] }))
      })
    } finally {
      clearTimeout(timer)
      if (aborted) signal.removeEventListener('abort', aborted)
      this.#open.delete(mark.token)
    }
  }

  /** @returns whether the message is the result of a flow that somebody waits for */
  hear(msg: NodeMessage): boolean {
    const { fleet, error, payload } = msg as { fleet?: unknown; error?: unknown; payload?: unknown }
    if (!isObject(fleet) || typeof fleet['token'] !== 'string') return false
    const resolve = this.#open.get(fleet['token'])
    if (!resolve) return false
    this.#open.delete(fleet['token'])
    if (error === undefined) resolve({ state: 'done', result: payload ?? null })
    else resolve({ state: 'failed', ...failureIn(error) })
    return true
  }
}

/** As Catch tells it, or as the flow says it. */
function failureIn(error: unknown): Pick<Ending, 'code' | 'text'> {
  if (!isObject(error)) return { code: 'FAILED', text: String(error).slice(0, 2000) }
  const { code, message } = error
  return {
    code: typeof code === 'string' ? code.slice(0, 40) : 'FAILED',
    text: typeof message === 'string' ? message.slice(0, 2000) : '',
  }
}
