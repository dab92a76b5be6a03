import type { Stream } from '../../lib/contract'
import { Refusal } from '../refusal'
import type { Moment } from './datagrams'
import type { StreamDefinition } from './definitions'
import { destinationOf } from './destination'
import { Outlet } from './outlet'
import { Pace } from './pace'

const mostDestinations = 10

/** One stream and its destinations. */
export class Channel {
  private outlets = new Map<string, Outlet>()
  private pace: Pace | undefined

  /** @param served the address at which the device is reached */
  constructor(
    private readonly definition: StreamDefinition,
    private readonly served: () => string | undefined,
  ) {}

  get idle(): boolean {
    return this.outlets.size === 0
  }

  record(): Stream {
    const { name, description, protobuf } = this.definition
    return { name, description, destinations: [...this.outlets.keys()], protobuf, protocol: 'UDP' }
  }

  /** @throws Refusal 400, 403; none of them is then added */
  add(destinations: readonly string[]): void {
    const read = destinations.map((text) => [text, destinationOf(text)] as const)
    const fresh = new Map(read.filter(([text]) => !this.outlets.has(text)))
    if (this.outlets.size + fresh.size > mostDestinations)
      throw new Refusal(
        403,
        `the stream ${this.definition.name} has at most ${mostDestinations} destinations: remove one first`,
      )
    for (const [text, destination] of fresh) this.outlets.set(text, new Outlet(destination, this.served))
  }

  /** @throws Refusal 400; none of them is then removed */
  remove(destinations: readonly string[]): void {
    destinations.forEach(destinationOf)
    for (const text of destinations) {
      this.outlets.get(text)?.close()
      this.outlets.delete(text)
    }
    if (this.idle) this.rest()
  }

  clear(): void {
    this.remove([...this.outlets.keys()])
  }

  /** Stops sending until the next call; the destinations stay. */
  rest(): void {
    this.pace = undefined
    for (const outlet of this.outlets.values()) outlet.close()
  }

  /**
   * Sends what is due.
   * @param now by the clock @param momentOf returns the moment this many periods after 1970
   * @returns seconds until more is due
   */
  send(now: number, momentOf: (index: number, rate: number) => Moment): number {
    const { rate, delay, datagram } = this.definition
    const pace = (this.pace ??= new Pace(rate, delay))
    for (const index of pace.due(now)) {
      const bytes = datagram(momentOf(index, rate))
      if (bytes) for (const outlet of this.outlets.values()) outlet.send(bytes)
    }
    return pace.wait(now)
  }
}
