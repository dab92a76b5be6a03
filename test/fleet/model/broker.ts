import type { World } from './world'

/** A message on its way. */
export interface Packet {
  topic: string
  payload: string
  retain: boolean
  /** Seconds. */
  expiry?: number | undefined
  responseTopic?: string | undefined
}

/** What arrives: the expiry is what is left of it. */
export type Delivery = Pick<Packet, 'topic' | 'payload' | 'expiry' | 'responseTopic'> & { retained: boolean }

interface Options {
  wants: (topic: string) => boolean
  receive: (delivery: Delivery) => void
  connected?: () => void
  /** Published some time after the connection was lost. */
  will?: string
}

/** A connection that Node-RED keeps: what is published while it is lost is lost. */
export class Connection {
  isUp = false
  isWanted = true

  constructor(
    private readonly broker: Broker,
    readonly options: Options,
  ) {}

  publish(packet: Packet): void {
    if (this.isUp) this.broker.take(packet)
  }

  /** Loses the connection for so many milliseconds. */
  lose(milliseconds: number): void {
    this.broker.drop(this)
    this.isWanted = false
    this.broker.world.later(() => {
      this.isWanted = true
      this.broker.accept(this)
    }, milliseconds)
  }

  /** Its program was killed. */
  end(): void {
    this.broker.drop(this)
    this.broker.leave(this)
  }
}

/** An MQTT broker that loses, delays and repeats while it storms, and is killed at times. */
export class Broker {
  #isUp = true
  readonly #connections = new Set<Connection>()
  readonly #retained = new Map<string, { packet: Packet; at: number }>()

  constructor(readonly world: World) {}

  connect(options: Options): Connection {
    const connection = new Connection(this, options)
    this.#connections.add(connection)
    this.world.later(() => this.accept(connection), this.world.within(2000))
    return connection
  }

  accept(connection: Connection): void {
    if (!this.#isUp || !connection.isWanted || connection.isUp || !this.#connections.has(connection)) return
    connection.isUp = true
    for (const { packet, at } of this.#retained.values())
      if (connection.options.wants(packet.topic)) this.#deliver(connection, packet, at, true)
    connection.options.connected?.()
  }

  drop(connection: Connection): void {
    if (!connection.isUp) return
    connection.isUp = false
    const { will } = connection.options
    // The broker notices late, perhaps after the client has come back.
    if (will !== undefined)
      this.world.later(
        () => this.take({ topic: will, payload: 'gone', retain: false }),
        this.world.within(20_000),
      )
  }

  leave(connection: Connection): void {
    this.#connections.delete(connection)
  }

  take(packet: Packet): void {
    if (!this.#isUp) return
    if (packet.retain) {
      if (packet.payload === '') this.#retained.delete(packet.topic)
      else this.#retained.set(packet.topic, { packet, at: this.world.now })
    }
    for (const connection of this.#connections)
      if (connection.isUp && connection.options.wants(packet.topic))
        this.#deliver(connection, packet, this.world.now, false)
  }

  /** Killed, and back after so many milliseconds; whether it has kept what was retained is up to its settings. */
  kill(milliseconds: number): void {
    if (!this.#isUp) return
    this.#isUp = false
    if (this.world.chance(0.5)) this.#retained.clear()
    for (const connection of this.#connections) connection.isUp = false
    this.world.later(() => {
      this.#isUp = true
      for (const connection of this.#connections)
        this.world.later(() => this.accept(connection), this.world.within(5000))
    }, milliseconds)
  }

  #deliver(connection: Connection, packet: Packet, at: number, retained: boolean): void {
    const { world } = this
    if (world.isStormy && world.chance(0.05)) return
    const arrive = () => {
      const left =
        packet.expiry === undefined ? undefined : Math.ceil(packet.expiry - (world.now - at) / 1000)
      if (!connection.isUp || (left !== undefined && left <= 0)) return
      const { topic, payload, responseTopic } = packet
      connection.options.receive({ topic, payload, responseTopic, expiry: left, retained })
    }
    const isLate = world.isStormy && world.chance(0.05)
    world.later(arrive, isLate ? world.within(90_000) : 1 + world.within(40))
    if (world.isStormy && world.chance(0.1)) world.later(arrive, world.within(20_000))
  }
}
