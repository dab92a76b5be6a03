import { appendFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { logs } from '../../lib'

/** A program that follows a log of so many entries, one message each, and writes what came to a file. */
const [folder = '', output = '', total = '0'] = process.argv.slice(2)
const all = Array.from({ length: Number(total) }, (_, index) => ({
  level: 'INFO',
  component: 'x',
  message: String(index),
  timestamp: Math.floor(index / 7),
}))
let shown = 0

const follower = logs.followLogs(
  {
    source: {
      listLogs: () => Promise.resolve([{ name: 'a.log', date: shown }]),
      getLog: ({ limit }) => {
        const log = all.slice(0, shown).slice(-limit)
        shown = all.length
        return Promise.resolve({ name: 'a.log', date: shown, log })
      },
    },
    log: 'a.log',
    start: 'kept',
    positions: logs.filePositions(folder, 'a'),
    pace: { shortest: 1, longest: 1 },
  },
  {
    onEntries: async ([line]) => {
      await wait(1)
      appendFileSync(
        output,
        `${JSON.stringify({ number: Number(line?.message), repeated: line?.repeated === true })}\n`,
      )
      if (line?.message === String(all.length - 1)) void follower.close()
    },
    onGap: () => process.exit(3),
  },
)
