import { randomUUID } from 'node:crypto'
import type { NodeAPI, NodeMessage } from 'node-red'
import type { Command } from '../../lib/fleet'
import type { Ending } from '../../lib/fleet/agent'
import { NotJson, plainJson } from '../../lib/kernel/json'
import { startTimeout } from '../../lib/timers/timers'
import { commandedMessage, withinCommand, type CommandMark } from '../shared/permission'
import { isObject } from '../shared/is-object'
import { loadFleet } from '../shared/load-later'
import { spoken } from '../shared/node-error'
import { sentencesOf } from '../sentences'

const { invalidInput, say } = sentencesOf('cell-agent')

interface OpenRun {
  flow: string
  resolve: (ending: Ending) => void
}

/** Flows that commands have begun, until they hand back their results. */
export class FlowRuns {
  readonly #RED: NodeAPI
  readonly #send: (msg: NodeMessage) => void
  /** Milliseconds. */
  readonly #within: number
  readonly #open = new Map<string, OpenRun>()
  /** Tokens by message: a function node that builds a new message keeps its id alone. */
  readonly #ids = new Map<unknown, string>()

  constructor(RED: NodeAPI, send: (msg: NodeMessage) => void, within: number) {
    this.#RED = RED
    this.#send = send
    this.#within = within
  }

  /** Sends a message to the flow, and resolves with what comes back. */
  async run({ id, from, args }: Command, signal: AbortSignal): Promise<Ending> {
    const flow = String(args['flow'])
    const mark: CommandMark = { command: id, flow, from, token: randomUUID() }
    let timer: NodeJS.Timeout | undefined
    let aborted: (() => void) | undefined
    let messageId: string | undefined
    let ended: (() => void) | undefined
    try {
      return await new Promise<Ending>((resolve) => {
        const unknown = () =>
          resolve({
            state: 'unknown',
            code: 'NO_ANSWER',
            text: say('cell-flow-silent', { flow, seconds: this.#within / 1000 }),
          })
        this.#open.set(mark.token, { flow, resolve })
        timer = startTimeout(unknown, this.#within)
        aborted = unknown
        signal.addEventListener('abort', aborted, { once: true })
        const msg = commandedMessage(mark, { topic: flow, payload: args['payload'] })
        messageId = msg._msgid
        this.#ids.set(messageId, mark.token)
        ended = withinCommand(this.#RED, mark, () => this.#send(msg))
      })
    } finally {
      ended?.()
      clearTimeout(timer)
      if (aborted) signal.removeEventListener('abort', aborted)
      this.#open.delete(mark.token)
      this.#ids.delete(messageId)
    }
  }

  /**
   * @returns whether the message is the result of a flow that somebody waits for
   * @throws INVALID_INPUT for a result that cannot be sent; the command has then failed
   */
  hear(msg: NodeMessage): boolean {
    const { fleet, _msgid, error, payload } = msg as Record<string, unknown>
    const token = (isObject(fleet) ? fleet['token'] : undefined) ?? this.#ids.get(_msgid)
    const open = typeof token === 'string' ? this.#open.get(token) : undefined
    if (!open) return false
    this.#open.delete(token as string)
    if (error !== undefined) open.resolve({ state: 'failed', ...failureIn(error) })
    else open.resolve(this.#endingWith(payload, open))
    return true
  }

  #endingWith(payload: unknown, { flow, resolve }: OpenRun): Ending {
    const { fleetSentences, partLimits } = loadFleet()
    try {
      return { state: 'done', result: plainJson(payload ?? null, { name: 'payload', ...partLimits }) }
    } catch (error) {
      if (!(error instanceof NotJson)) throw error
      const kilobytes = partLimits.bytes / 1024
      if (error.key === 'json-too-large')
        return {
          ...{ state: 'done', code: 'RESULT_TOO_LARGE' },
          text: fleetSentences.say('fleet-result-too-large', { kilobytes }, spoken()),
        }
      const problem = error.inLanguage(spoken()).message
      const invalid = invalidInput('cell-flow-result', { flow, problem })
      resolve({ state: 'failed', code: invalid.code, text: invalid.message })
      throw invalid
    }
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
