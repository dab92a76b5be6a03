import type { NodeAPI, NodeMessage } from 'node-red'
import type { Command } from '../../lib/fleet/messages'
import type { Ending } from '../../lib/fleet/agent/agent'
import { NotJson, plainJson } from '../../lib/kernel/json'
import { Replies } from '../../lib/kernel/replies'
import { commandedMessage, withinCommand, type CommandMark } from '../shared/permission'
import { isObject } from '../shared/is-object'
import { loadFleet } from '../shared/load-later'
import { currentLanguage } from '../shared/node-error'
import { sentencesOf } from '../sentences'

const { invalidInput, say } = sentencesOf('cell-agent')

/** Flows that commands have begun, until they hand back their results. */
export class FlowRuns {
  readonly #RED: NodeAPI
  readonly #send: (msg: NodeMessage) => void
  /** Milliseconds. */
  readonly #within: number
  readonly #replies = new Replies<Ending>()
  /** Flows by token. */
  readonly #flows = new Map<string, string>()
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
    const { token, reply, withdraw } = this.#replies.ask({ within: this.#within, signal })
    const mark: CommandMark = { command: id, flow, from, token }
    const msg = commandedMessage(mark, { topic: flow, payload: args['payload'] })
    this.#flows.set(token, flow)
    this.#ids.set(msg._msgid, token)
    try {
      const end = signal.aborted ? undefined : withinCommand(this.#RED, mark, () => this.#send(msg))
      try {
        return await reply
      } catch {
        const text = say('cell-flow-silent', { flow, seconds: this.#within / 1000 })
        return { state: 'unknown', code: 'NO_ANSWER', text }
      } finally {
        end?.()
      }
    } finally {
      // A flow that could not be begun leaves its question open.
      withdraw()
      this.#flows.delete(token)
      this.#ids.delete(msg._msgid)
    }
  }

  /**
   * @returns whether the message is the result of a flow that a command waits for
   * @throws INVALID_INPUT for a result that cannot be sent; the command has then failed
   */
  receive(msg: NodeMessage): boolean {
    const { fleet, _msgid, error, payload } = msg as Record<string, unknown>
    const token = (isObject(fleet) ? fleet['token'] : undefined) ?? this.#ids.get(_msgid)
    if (this.#replies.verdictOn(token) !== 'accepted') return false
    if (error !== undefined) this.#replies.reply(token, { state: 'failed', ...failureIn(error) })
    else this.#end(token as string, payload)
    return true
  }

  #end(token: string, payload: unknown): void {
    const { fleetSentences, partLimits } = loadFleet()
    try {
      const result = plainJson(payload ?? null, { name: 'payload', ...partLimits })
      this.#replies.reply(token, { state: 'done', result })
    } catch (error) {
      if (!(error instanceof NotJson)) throw error
      if (error.key === 'json-too-large') {
        const kilobytes = partLimits.bytes / 1024
        const text = fleetSentences.say('fleet-result-too-large', { kilobytes }, currentLanguage())
        this.#replies.reply(token, { state: 'done', code: 'RESULT_TOO_LARGE', text })
        return
      }
      const problem = error.inLanguage(currentLanguage())
      const flow = this.#flows.get(token)
      const invalid = invalidInput('cell-flow-result', { flow, problem })
      this.#replies.reply(token, { state: 'failed', code: invalid.code, text: invalid.message })
      throw invalid
    }
  }
}

/** The failure as Catch or the flow describes it. */
function failureIn(error: unknown): Pick<Ending, 'code' | 'text'> {
  if (!isObject(error)) return { code: 'FAILED', text: String(error).slice(0, 2000) }
  const { code, message } = error
  return {
    code: typeof code === 'string' ? code.slice(0, 40) : 'FAILED',
    text: typeof message === 'string' ? message.slice(0, 2000) : '',
  }
}
