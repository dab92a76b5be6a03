import type { Node } from 'node-red'
import { anyCodeOf } from './node-error'
import { say } from './sentences'

/**
 * The messages that end while their node closes. Node-RED has then closed Catch and the following nodes, or is about
 * to, so one line in the log reports all of them.
 */
export class EndedByClose {
  readonly #codes = new Map<string, number>()
  #all = 0
  #sent = 0

  /** @param sent whether the message has or may have changed something on a device */
  note(error: unknown, sent: boolean): void {
    const code = error === undefined ? say('close-done') : (anyCodeOf(error) ?? say('close-failed'))
    this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1)
    this.#all++
    if (sent) this.#sent++
  }

  tell(node: Node): void {
    if (this.#all === 0) return
    const codes = [...this.#codes].map(([code, count]) => `${code} ${count}`).join(', ')
    const key = this.#sent > 0 ? 'close-ended-sent' : 'close-ended'
    node.warn(say(key, { count: this.#all, codes, sent: this.#sent }))
  }
}
