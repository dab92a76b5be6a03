import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { startInterval } from '../../lib/timers/timers'
import type { Device } from '../device/device'
import { Refusal } from '../values'
import { type Answers, type Faults, ofApi, resetConnection } from './answering'

/** Handles a request before its operation is considered. */
export function frontDoor(
  device: Device,
  faults: Faults,
  answers: Answers,
  uploads: UploadsUnderWay,
): onRequestHookHandler {
  return (request, reply, done) => {
    const { raw } = request
    const { 'content-length': length = '0', 'transfer-encoding': chunked } = raw.headers
    if (length !== '0' || chunked !== undefined) {
      onStalledBody(raw, device.options.bodyTimeout, () => {
        answers.refuse(request, reply, new Refusal(408, 'the body did not arrive'))
        raw.socket.destroySoon()
      })
      if (ofApi(request.url)) uploads.follow(request, reply)
    }
    const reception = ofApi(request.url) ? faults.receive() : 'handle'
    if (reception === 'handle') done()
    else if (reception === 'reset') resetConnection(request, reply)
    else if (reception === 'starting')
      answers.refuse(request, reply, new Refusal(502, 'the device is starting'))
    else {
      reply.header('retry-after', reception.retryAfter)
      answers.refuse(request, reply, new Refusal(429, 'request frequency too high'))
    }
  }
}

/**
 * Calls back if the body of a request stops arriving, so that a slow sender does not hold resources for ever.
 * @param seconds without a byte
 */
function onStalledBody(request: IncomingMessage, seconds: number, stalled: () => void): void {
  const { socket } = request
  let received = socket.bytesRead
  const timer = startInterval(() => {
    if (request.complete) stop()
    else if (socket.bytesRead > received) received = socket.bytesRead
    else {
      stop()
      stalled()
    }
  }, seconds * 1000).unref()
  const stop = () => clearInterval(timer)
  request.once('end', stop).once('close', stop)
}

/** Connections with an incoming body, or waiting for its answer. */
export class UploadsUnderWay {
  readonly #sockets = new Set<Socket>()

  follow(request: FastifyRequest, reply: FastifyReply): void {
    const { socket } = request.raw
    this.#sockets.add(socket)
    reply.raw.once('close', () => this.#sockets.delete(socket))
  }

  /** Closes them in the middle, so that the clients see a reset. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }
}
