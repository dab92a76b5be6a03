import { logs } from '../../lib'
import { seededRandom } from '../../virtual-device/random'
import { Account } from './account'
import { keptInMemory } from './kept-in-memory'
import { SimulatedDevice, type Faults } from './simulated-device'

export interface Outcome {
  /** What is wrong, empty where nothing is. */
  wrong: string[]
  written: number
  handedOn: number
  gaps: number
  restarts: number
}

/** Milliseconds without anything new, after which everything must have come. */
const quiet = 120_000

/** Follows a device through everything that can happen to it, until it has written so many entries. */
export async function simulate(
  seed: number,
  entries: number,
  faults: Faults,
  most: number,
): Promise<Outcome> {
  const random = seededRandom(seed)
  const names = random() < 0.5 ? ['one.log'] : ['one.log', 'two.log']
  const device = new SimulatedDevice(names, random, faults)
  const accounts = new Map(device.logs.map(({ name, entries }) => [name, new Account(entries.length)]))
  const batch = random() < 0.5 ? 1 : 20
  const only = names.length === 1 && random() < 0.5 ? { log: 'one.log' } : {}
  const dies = () => !device.isQuiet && random() < 0.002
  let stored = keptInMemory()
  let quietFor = 0
  let restarts = -1

  const live = () =>
    new Promise<logs.Follower>((over) => {
      const own = stored
      restarts++
      let isDead = false
      const die = () => {
        isDead = true
        stored = own.kill()
        over(follower)
      }
      const follower: logs.Follower = logs.followLogs(
        {
          ...only,
          source: device,
          start: 'kept',
          positions: own.positions,
          batch,
          most,
          pace: { random },
          now: () => 0,
          wait: (milliseconds) => {
            if (isDead) return Promise.resolve()
            device.pass(milliseconds)
            quietFor = device.isQuiet ? quietFor + milliseconds : 0
            if (!device.isQuiet && device.writtenEntries >= entries) device.endTrouble()
            if (quietFor > quiet) over(follower)
            else if (dies()) die()
            // Lets the other side of a promise run.
            return new Promise(setImmediate)
          },
        },
        {
          onEntries: (lines) => {
            const account = accounts.get(lines[0]?.log ?? '')
            if (isDead) throw new Error('dead')
            const isFatal = dies()
            const arrives = !isFatal || random() < 0.5
            if (arrives && isFatal) account?.diedAfter(lines)
            else if (arrives) account?.take(lines)
            if (arrives) device.arrived(lines)
            if (!isFatal) return
            die()
            throw new Error('dead')
          },
          onGap: ({ log }) => {
            if (!isDead) accounts.get(log)?.gap()
          },
        },
      )
    })

  do await (await live()).close()
  while (quietFor <= quiet)

  const all = [...accounts.values()]
  return {
    wrong: device.logs.flatMap(({ name, written }) => accounts.get(name)?.wrong(written) ?? []),
    written: device.writtenEntries,
    handedOn: all.reduce((sum, account) => sum + account.entries, 0),
    gaps: all.reduce((sum, { gaps }) => sum + gaps, 0),
    restarts,
  }
}
