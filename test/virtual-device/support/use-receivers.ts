import type { StreamMessages, StreamMessageType, Time } from '../../../lib/codec/streams'
import { receiveStream, type Receiver } from '../../../lib/streams'
import { eventually } from '../../support/eventually'

/** A receiver and what it has received. */
export interface Received<Type extends StreamMessageType> {
  /** Destination for the device. */
  destination: string
  messages: StreamMessages[Type][]
  /** By the device's time, milliseconds. */
  times: number[]
  /** Resolves when this many messages have arrived. */
  atLeast: (count: number) => Promise<void>
  receiver: Receiver
}

/** Receivers of data streams for each test of a suite. */
export function useReceivers() {
  const open: Receiver[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()))
  })

  return async <Type extends StreamMessageType>(
    message: Type,
    device = '127.0.0.1',
  ): Promise<Received<Type>> => {
    const messages: StreamMessages[Type][] = []
    const times: number[] = []
    const receiver = await receiveStream(
      { device, message },
      {
        onMessage: (each, timestamp) => {
          messages.push(each)
          times.push(milliseconds(timestamp))
        },
        onError: (error) => {
          throw error
        },
      },
    )
    open.push(receiver)
    const atLeast = async (count: number) => {
      await eventually(() => messages.length.should.be.aboveOrEqual(count))
    }
    return { destination: receiver.destination, messages, times, atLeast, receiver }
  }
}

const milliseconds = ({ sec = 0, nsec = 0 }: Time) => Number(sec) * 1000 + nsec / 1e6

/** The intervals between consecutive times. */
export const steps = (times: readonly number[]): number[] =>
  times.slice(1).map((time, index) => time - (times[index] as number))
