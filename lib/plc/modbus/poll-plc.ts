import { checkOption, isWholeWithin, isWithin } from '../option-check'
import { PlcError } from '../plc-error'
import type { CellWord } from '../words'
import { startModbusClient, type ModbusClient } from './client'
import type { ModbusClientOptions } from './client-options'
import type { ClientCounts } from './connection'
import { planReads, type ReadItem } from './plan-reads'
import { startPolling, type MeasuredInterval } from './polling'
import type { ModbusArea, ReadRequest } from './requests'
import { wordWriter, type WordWriter } from './writer'
import { modbusError } from './modbus-error'

/** Which words of which PLC are polled, and how often. */
export interface PolledPlcOptions extends ModbusClientOptions {
  /** The PLC's words; those that ask for something `first`. The cell's own are read back, where they are listed. */
  reads: readonly ReadItem[]
  /** Milliseconds from one poll to the next. @default 50 */
  interval?: number
  /** Most addresses between two wanted ones that are read along. @default 16 */
  gap?: number
}

/** What one poll has read. */
export interface PolledWords {
  /** Missing for what was not polled. */
  value: (area: ModbusArea, address: number) => number | undefined
  /**
   * The cell's own words at the PLC: as they were written, all 0 although they were not written so, or different in
   * another way; unknown where none is read back, or none has been confirmed yet.
   */
  own: 'written' | 'zero' | 'different' | 'unknown'
}

export interface PolledPlcEvents {
  onSample: (words: PolledWords) => void
  /** The connection has come about; nothing is known of what stands in the PLC. */
  onUp?: () => void
  onDown?: (error: PlcError) => void
  /** The PLC refuses a poll, or leaves one unanswered; again only where the reason is another. */
  onFault?: (error: PlcError) => void
}

/** A PLC whose words are polled and written over Modbus TCP. */
export interface PolledPlc {
  readonly isUp: boolean
  readonly counts: Readonly<ClientCounts>
  readonly measured: MeasuredInterval
  write: WordWriter['write']
  forget: WordWriter['forget']
  close: () => Promise<void>
}

/** Begins to poll, and goes on after each loss of the connection. @throws PlcError `INVALID_INPUT` */
export function pollPlc(
  { reads, interval = 50, gap = 16, ...options }: PolledPlcOptions,
  { onSample, onUp, onDown, onFault }: PolledPlcEvents,
): PolledPlc {
  checkOption('interval', interval, isWithin(interval, 1, 3_600_000), '1 ms to 1 h')
  checkOption('gap', gap, isWholeWithin(gap, 0, 120), '0 to 120')
  const requests = planReads(reads, gap)
  let fault: string | undefined
  const client = startModbusClient(options, {
    onUp: () => {
      writer.forget()
      onUp?.()
    },
    onDown: (error) => {
      fault = undefined
      onDown?.(error)
    },
  })
  const writer = wordWriter(client)
  const isUp = () => client.isUp

  const polling = startPolling(async () => {
    if (!isUp()) return
    try {
      const words = await readAll(client, writer, requests)
      fault = undefined
      onSample(words)
    } catch (error) {
      const failure = error instanceof PlcError ? error : internal(error)
      // The loss of the connection is told by the client itself.
      if (!isUp() || fault === failure.key) return
      fault = failure.key
      onFault?.(failure)
    }
  }, interval)

  return {
    get isUp() {
      return client.isUp
    },
    counts: client.counts,
    get measured() {
      return polling.measured
    },
    write: (words: readonly CellWord[]) => writer.write(words),
    forget: () => writer.forget(),
    close: () => {
      polling.stop()
      return client.close()
    },
  }
}

/** One after the other, in the order of the plan. */
async function readAll(
  client: ModbusClient,
  writer: WordWriter,
  requests: readonly ReadRequest[],
): Promise<PolledWords> {
  const words = new Map<string, number>()
  let compared = 0
  let different = 0
  let zeros = 0
  for (const request of requests) {
    const values = await client.request(request)
    values.forEach((value, index) => {
      const { area } = request
      const address = request.address + index
      words.set(`${area} ${address}`, value)
      // Compared at once: no write can have been confirmed since the reading was sent.
      const written = area === 'registers' || area === 'coils' ? writer.known(area, address) : undefined
      if (written === undefined) return
      compared++
      if (written !== value) different++
      if (value === 0) zeros++
    })
  }
  return {
    value: (area, address) => words.get(`${area} ${address}`),
    own: ownWords(compared, different, zeros),
  }
}

function ownWords(compared: number, different: number, zeros: number): PolledWords['own'] {
  if (compared === 0) return 'unknown'
  if (different === 0) return 'written'
  return zeros === compared ? 'zero' : 'different'
}

const internal = (error: unknown): PlcError => {
  const reason = error instanceof Error ? error.message : String(error)
  return modbusError({ code: 'INTERNAL', key: 'modbus-internal', values: { reason } })
}
