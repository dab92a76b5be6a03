import { logs } from '../../lib'
import { filePositions } from '../../lib/logs/positions'
import { seededRandom } from '../../virtual-device/values'
import { Account } from './account'
import { SimulatedDevice, type Faults } from './simulated-device'
import { SimulatedDisk, type Death } from './simulated-disk'

export interface Outcome {
  /** What is wrong; empty if nothing is. */
  wrong: string[]
  written: number
  handedOn: number
  gaps: number
  restarts: number
  /** Most entries of a message. */
  batch: number
  /** Repeated entries, which were marked, and the most that could be after one death of each kind. */
  repeated: number
  mostOpen: Record<Death, number>
}

/** Milliseconds without anything new, after which everything must have been delivered. */
const quiet = 120_000

/** Follows a device through every possible event, until it has written this many entries. */
export async function simulate(
  seed: number,
  entries: number,
  faults: Faults,
  most: number,
): Promise<Outcome> {
  const random = seededRandom(seed)
  const names = random() < 0.5 ? ['one.log'] : ['one.log', random() < 0.5 ? 'two.log' : 'ONE.log']
  const device = new SimulatedDevice(names, random, faults)
  const accounts = new Map(device.logs.map(({ name, entries }) => [name, new Account(entries.length)]))
  const batch = random() < 0.5 ? 1 : 20
  const only = names.length === 1 && random() < 0.5 ? { log: 'one.log' } : {}
  const dies = () => !device.isQuiet && random() < 0.001
  const disk = new SimulatedDisk((file) => accounts.get(logOf(file))?.handedOn ?? 0)
  const mostOpen = { kill: 0, power: 0 }
  let quietFor = 0
  let restarts = -1

  const live = () =>
    new Promise<logs.Follower>((over) => {
      restarts++
      let isDead = false
      const mayDie = () => {
        if (isDead || !dies()) return
        isDead = true
        const how = random() < 0.5 ? 'kill' : 'power'
        for (const [file, noted] of disk.died(how, random)) {
          const open = accounts.get(logOf(file))?.died(noted) ?? 0
          mostOpen[how] = Math.max(mostOpen[how], open)
        }
        over(follower)
      }
      const mustLive = () => {
        if (isDead) throw new Error('dead')
      }
      const open = disk.logsFor(() => !isDead, mayDie)
      const follower: logs.Follower = logs.followLogs(
        {
          ...only,
          source: device,
          start: 'kept',
          positions: filePositions('simulated', 'device', { boot: String(disk.boot), open }),
          batch,
          most,
          pace: { random },
          now: () => 0,
          wait: (milliseconds) => {
            if (isDead) return Promise.resolve()
            device.begin()
            device.pass(milliseconds)
            quietFor = device.isQuiet ? quietFor + milliseconds : 0
            if (!device.isQuiet && device.writtenEntries >= entries) device.endTrouble()
            if (quietFor > quiet) over(follower)
            else mayDie()
            // Lets the other side of a promise run.
            return new Promise(setImmediate)
          },
        },
        {
          onEntries: (lines) => {
            mayDie()
            mustLive()
            accounts.get(lines[0]?.log ?? '')?.take(lines)
            device.arrived(lines)
            mayDie()
            mustLive()
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
    batch,
    repeated: all.reduce((sum, { repeated }) => sum + repeated, 0),
    mostOpen,
  }
}

const logOf = (file: string) => decodeURIComponent(file.replace('.position', ''))
