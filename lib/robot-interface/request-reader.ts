import { interfaceCodes, type InterfaceCode } from './error-codes'
import { at, headerBytes, magic, requestBytes, version } from './layout'
import { echoOf, readRequest, type Echo, type RobotRequest } from './request'

/** A request, or the code to answer with if it is not one. */
export type ReceivedRequest = { echo: Echo } & (
  | { request: RobotRequest }
  /** `outOfStep`: nothing that follows can be understood, so the connection ends with the answer. */
  | { code: InterfaceCode; outOfStep: boolean }
)

/**
 * Puts requests together from the pieces in which they arrive. Holds less than one request, plus the pieces that nobody
 * has taken yet.
 */
export class RequestReader {
  #pending: Buffer = Buffer.alloc(0)
  /** Bytes still to be skipped of a message that was refused. */
  #toSkip = 0
  #outOfStep = false

  /** Adds received bytes. */
  push(bytes: Buffer): void {
    if (this.#outOfStep) return
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes])
  }

  /** Whether part of a request is there, or part of a refused message is still missing. */
  get isWithinRequest(): boolean {
    return this.#pending.length > 0 || this.#toSkip > 0
  }

  /** The next request; undefined if it is not complete. */
  next(): ReceivedRequest | undefined {
    this.#skip()
    if (this.#outOfStep || this.#pending.length < headerBytes) return undefined
    if (!this.#pending.subarray(0, magic.length).equals(magic)) return this.#lostStep()
    const length = Math.max(headerBytes, this.#pending[at.length] ?? 0)
    // A refused length is answered without waiting for bytes that may never come, but with the job number.
    const needed = length === requestBytes ? requestBytes : Math.min(length, at.jobId + 2)
    if (this.#pending.length < needed) return undefined
    const message = Buffer.from(this.#pending.subarray(0, needed))
    this.#toSkip = length
    this.#skip()
    return { echo: echoOf(message), ...judged(message) }
  }

  #skip(): void {
    const skipped = Math.min(this.#toSkip, this.#pending.length)
    this.#pending = this.#pending.subarray(skipped)
    this.#toSkip -= skipped
  }

  #lostStep(): ReceivedRequest {
    const echo = { ...echoOf(this.#pending), jobId: 0 }
    this.#outOfStep = true
    this.#pending = Buffer.alloc(0)
    return { echo, code: interfaceCodes.INVALID_REQUEST_ERROR, outOfStep: true }
  }
}

function judged(message: Buffer): { request: RobotRequest } | { code: InterfaceCode; outOfStep: false } {
  const refused = (code: InterfaceCode) => ({ code, outOfStep: false }) as const
  if (message[at.version] !== version) return refused(interfaceCodes.UNKNOWN_PROTOCOL_VERSION)
  if (message[at.length] !== requestBytes) return refused(interfaceCodes.INVALID_REQUEST_LENGTH)
  const request = readRequest(message)
  return typeof request === 'number' ? refused(request) : { request }
}
