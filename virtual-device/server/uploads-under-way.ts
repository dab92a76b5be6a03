import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Connections on which a body comes in or its answer is waited for. */
export class UploadsUnderWay {
  readonly #sockets = new Set<Socket>()

  follow(request: FastifyRequest, reply: FastifyReply): void {
    const { socket } = request.raw
    this.#sockets.add(socket)
    reply.raw.once('close', () => this.#sockets.delete(socket))
  }

  /** Ends them in the middle, so that their other ends see a reset. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }
}
