import { Centre, defaultPace, type RolloutPlan, type RolloutStore } from '../../../lib/fleet/centre'
import type { Rollout } from '../../../lib/fleet/centre'
import type { Broker, Connection } from './broker'
import { root } from './cell'
import type { World } from './world'

type Stored = Awaited<ReturnType<RolloutStore['load']>>[number]

/** A centre that is killed and started again; its journals are what survives. */
export class ModelCentre {
  centre: Centre | undefined
  readonly #disk = new Map<string, Stored>()
  readonly #skew: number
  #connection: Connection | undefined
  #boots = 0
  /** Every rollout that was begun durably. */
  readonly begun: RolloutPlan[] = []

  constructor(
    private readonly world: World,
    private readonly broker: Broker,
    readonly name: string,
  ) {
    this.#skew = [0, 0, 3_600_000, -3_600_000][Math.floor(world.within(4))] ?? 0
    void this.#start()
  }

  get rollouts(): Rollout[] {
    return this.centre?.rollouts.all ?? []
  }

  kill(milliseconds: number): void {
    if (!this.centre) return
    this.centre = undefined
    this.#connection?.end()
    this.world.later(() => void this.#start(), milliseconds)
  }

  unplug(milliseconds: number): void {
    this.#connection?.lose(milliseconds)
  }

  async #start(): Promise<void> {
    const { world, name } = this
    const boot = `${name}-${++this.#boots}`
    const isAlive = () =>
      this.#boots === Number(boot.slice(name.length + 1)) && this.#connection === connection
    const durably = (work: () => void) =>
      new Promise<void>((resolve) =>
        world.later(() => {
          if (!isAlive()) return
          work()
          resolve()
        }, world.within(30)),
      )
    const store: RolloutStore = {
      load: () => Promise.resolve(structuredClone([...this.#disk.values()])),
      begin: (plan) =>
        durably(() => {
          this.begun.push(plan)
          this.#disk.set(plan.id, { plan: structuredClone(plan), entries: [] })
        }),
      append: (rollout, entries) => {
        // A power failure keeps a part of what was being written.
        const copy = structuredClone([...entries])
        if (world.isStormy && world.chance(0.05)) {
          world.later(() => {
            if (!isAlive()) return
            const part = copy.slice(0, Math.floor(world.within(copy.length)))
            this.#disk.get(rollout)?.entries.push(...part)
            this.kill(world.within(5000))
          }, world.within(300))
          return new Promise(() => undefined)
        }
        return durably(() => this.#disk.get(rollout)?.entries.push(...copy))
      },
      remove: (rollout) => Promise.resolve(void this.#disk.delete(rollout)),
      close: () => Promise.resolve(),
    }
    const connection: Connection = this.broker.connect({
      wants: (topic) =>
        topic === `${root}/centre` || topic.startsWith(`${root}/centre/${name}/`) || isOfCells(topic),
      receive: ({ topic, payload, expiry }) => {
        if (isAlive()) this.centre?.receive({ topic, payload, messageExpiryInterval: expiry })
      },
    })
    this.#connection = connection
    const centre = await Centre.open({
      ...{ root, centre: name, boot, store, mayOrder: true },
      answersTo: name === 'a' ? 'centre' : 'cell',
      clock: { steady: () => world.now, wall: () => Math.floor(1e12 + world.now + this.#skew) },
      pace: { ...defaultPace, ...{ reachWithin: 60, answerWithin: 240, endsWithin: 1500 } },
      send: ({ topic, payload, retain, messageExpiryInterval: expiry, responseTopic }) => {
        if (isAlive())
          connection.publish({ topic, payload: JSON.stringify(payload), retain, expiry, responseTopic })
      },
    })
    if (!isAlive()) return
    this.centre = centre
    const tick = () => {
      if (!isAlive() || this.centre !== centre) return
      centre.tick()
      world.later(tick, 1000)
    }
    tick()
  }
}

const isOfCells = (topic: string) => /^vision\/north\/[^/]+\/(state|gone|answer|event)$/.test(topic)
