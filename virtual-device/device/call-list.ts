import type { OperationId } from '../../lib/contract'

/** An answered request: its input except for long bodies, and the HTTP status. */
export interface HandledCall {
  operation: OperationId
  input: object
  status: number
}

const most = 1000

/** The last thousand requests, newest last. */
export class CallList {
  private readonly calls: HandledCall[] = []

  /** @param call without long bodies in its input, so that a thousand of them need little memory */
  add(call: HandledCall): void {
    this.calls.push(call)
    if (this.calls.length >= 2 * most) this.calls.splice(0, most)
  }

  list(): readonly HandledCall[] {
    return this.calls.slice(-most)
  }
}
