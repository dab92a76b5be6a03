/** Reassembles requests from received pieces, and answers them one by one. */
import type { Socket } from 'node:net'
import { serveSocket } from '../kernel/serve-socket'
import { startInterval } from '../kernel/timers'
import {
  at,
  type Echo,
  echoOf,
  headerBytes,
  type InterfaceCode,
  interfaceCodes,
  magic,
  readRequest,
  requestBytes,
  type RobotAnswer,
  type RobotRequest,
  version,
  writeAnswer,
} from './messages'

/** A request, or the code to answer with if it is not one. */
export type ReceivedRequest = { echo: Echo } & (
  | { request: RobotRequest }
  /** `outOfStep`: nothing that follows can be parsed, so the connection ends with the answer. */
  | { code: InterfaceCode; outOfStep: boolean }
)

export class RequestReader {
  #pending: Buffer = Buffer.alloc(0)
  #toSkip = 0 // remaining bytes of a refused message
  #outOfStep = false

  push(bytes: Buffer): void {
    if (this.#outOfStep) return
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes])
  }

  /** Part of a request was received, or part of a refused message is missing. */
  get isWithinRequest(): boolean {
    return this.#pending.length > 0 || this.#toSkip > 0
  }

  /** Undefined if it is not complete. */
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

export interface AnswersRobots {
  /** @param gone aborted when the robot disconnects @returns undefined to send nothing: the connection is reset */
  answer: (
    request: RobotRequest,
    gone: AbortSignal,
  ) => RobotAnswer | undefined | Promise<RobotAnswer | undefined>
  readonly isGone: boolean
  /** Invalid bytes were answered with that code. */
  refused?: (received: ReceivedRequest, code: number) => void
}

/** Checks without a byte in the middle of a request before the connection is closed. */
const mostChecks = 5

const keepAlive = 30_000 // milliseconds of TCP keep-alive: it frees half-open connections

/**
 * Serves one robot: its requests in order, each answer in one write. Idle connections are never closed, because robots
 * do not reconnect by themselves. @param checkInterval ms between two checks of an incomplete request; checks are counted
 * instead of time, so that a process that was stopped does not lose its robots
 */
export function serveRobot(socket: Socket, robots: AnswersRobots, checkInterval = 1000): void {
  const reader = new RequestReader()
  const gone = new AbortController()
  let isLast = false
  let checks = 0
  let watch: NodeJS.Timeout | undefined

  const answerTo = async (received: ReceivedRequest): Promise<Buffer | undefined> => {
    if ('code' in received) {
      isLast ||= received.outOfStep
      robots.refused?.(received, received.code)
      return writeAnswer(received.echo, { code: received.code })
    }
    const answer = await robots.answer(received.request, gone.signal)
    return answer && writeAnswer(received.echo, answer)
  }

  /** Watches an incomplete request, and a robot after an answer with `outOfStep`. */
  const watchOver = () => {
    checks = 0
    if (!reader.isWithinRequest && !isLast) stopWatching()
    else
      watch ??= startInterval(() => {
        if (!served.isBusy && ++checks >= mostChecks) socket.destroy()
      }, checkInterval).unref()
  }
  const stopWatching = () => {
    clearInterval(watch)
    watch = undefined
  }

  socket.setNoDelay(true).setKeepAlive(true, keepAlive)
  const served = serveSocket<ReceivedRequest>(socket, {
    push: (bytes) => reader.push(bytes),
    next: () => reader.next(),
    answer: async (received) => {
      const bytes = robots.isGone ? undefined : await answerTo(received)
      if (bytes) socket.write(bytes)
      else socket.resetAndDestroy()
    },
    idle: () => {
      if (isLast) socket.end()
      watchOver()
    },
  })
  socket.on('end', () => {
    gone.abort()
    isLast = true
    if (!served.isBusy) socket.end()
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    gone.abort()
    stopWatching()
  })
}
