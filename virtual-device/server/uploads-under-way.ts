import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

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
