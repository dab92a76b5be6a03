import type { Socket } from 'node:net'
import { startTimeout } from '../../timers/timers'
import type { PlcError } from '../plc-error'
import { answerOf } from './answers'
import type { ClientFailures } from './client-failures'
import { ModbusException } from './exceptions'
import { frameBytes, frameReader, type ModbusFrame } from './frames'
import { requestBytes, type ModbusRequest } from './requests'

/** How often what has happened since the start. */
export interface ClientCounts {
  requests: number
  exceptions: number
  timeouts: number
  /** Answers to no request, or to one that was given up. */
  strays: number
  /** Connections established so far. */
  connections: number
}

type Answered = (answer: number[] | PlcError) => void

interface Exchange {
  transaction: number
  request: ModbusRequest
  answered: Answered
  timer: NodeJS.Timeout
}

interface ConnectionOptions {
  socket: Socket
  unit: number
  /** Milliseconds. */
  deadline: number
  counts: ClientCounts
  failures: ClientFailures
  /** The PLC has answered a request. */
  proven: () => void
  /** The connection is of no use any more. */
  end: (error: PlcError) => void
}

/** Requests in a row without an answer, after which the connection counts as lost. */
const mostSilent = 2

/** One connection that has come about: one request at a time. */
export class ModbusConnection {
  private readonly framesIn = frameReader()
  private underWay: Exchange | undefined
  private transaction = 0
  private silent = 0

  constructor(private readonly options: ConnectionOptions) {
    options.socket.on('data', (chunk) => this.take(chunk))
  }

  /** Sends a request; the one before must have been answered. */
  exchange(request: ModbusRequest, answered: Answered): void {
    const { socket, unit, deadline } = this.options
    const transaction = (this.transaction = (this.transaction + 1) & 0xffff)
    const timer = startTimeout(() => this.miss(), deadline)
    this.underWay = { transaction, request, answered, timer }
    socket.write(frameBytes({ transaction, unit, pdu: requestBytes(request) }))
  }

  /** Ends the request under way. */
  abandon(error: PlcError): void {
    const { underWay } = this
    if (underWay) this.answer(this.options.failures.lostUnderWay(underWay.request, error))
  }

  private miss(): void {
    const { counts, failures, end } = this.options
    const { underWay } = this
    if (!underWay) return
    counts.timeouts++
    const isLost = ++this.silent >= mostSilent
    // First the end: the next request must not go out on this connection.
    if (isLost) end(failures.silent())
    else this.answer(failures.noAnswer(underWay.request))
  }

  private take(chunk: Buffer): void {
    for (const frame of this.framesIn(chunk)) {
      if (this.options.socket.destroyed) return
      if ('fault' in frame) {
        this.options.end(this.options.failures.notModbus(frame.fault, frame.found))
        return
      }
      this.read(frame)
    }
  }

  private read({ transaction, unit, pdu }: ModbusFrame): void {
    const { underWay, options } = this
    // A late answer, to a request that was given up, or one to nobody: the right one may still come.
    if (transaction !== underWay?.transaction) {
      options.counts.strays++
      return
    }
    this.silent = 0
    options.proven()
    if (unit !== options.unit) {
      this.answer(options.failures.otherUnit(unit))
      return
    }
    try {
      this.answer(answerOf(underWay.request, pdu) ?? options.failures.badAnswer())
    } catch (error) {
      if (!(error instanceof ModbusException)) throw error
      options.counts.exceptions++
      this.answer(options.failures.refused(underWay.request, error.exception))
    }
  }

  private answer(answer: number[] | PlcError): void {
    const { underWay } = this
    this.underWay = undefined
    clearTimeout(underWay?.timer)
    underWay?.answered(answer)
  }
}
