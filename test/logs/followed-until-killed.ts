import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { createClient, logs } from '../../lib'

/**
 * A program that follows a log of a device and writes the entries to a file, one per line. It kills itself at one of
 * the points of a read, or ends after a read without entries, and reports how many points it has passed.
 */
const [folder = '', output = '', address = '', log = '', dieAt = '0'] = process.argv.slice(2)
let points = 0
const point = () => {
  if (++points === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
}

/** The same object with a point before and after each call of a method. */
function withPoints<Thing extends object>(thing: Thing): Thing {
  return new Proxy(thing, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        point()
        const result: unknown = Reflect.apply(value, target, given)
        if (result instanceof Promise) return result.finally(point)
        point()
        return result
      }
    },
  })
}

// A kill can cut off what is being written between two pages of the file: those entries did not arrive.
if (existsSync(output)) truncateSync(output, readFileSync(output).lastIndexOf('\n') + 1)

const client = createClient({ address })
let looks = 0
let isEnding = false
let brought = 0
const follower = logs.followLogs(
  {
    source: withPoints({ listLogs: client.listLogs, getLog: client.getLog }),
    log,
    start: 'kept',
    positions: withPoints(logs.filePositions(folder, address)),
    batch: 2,
    wait: () => {
      if (++looks > 1 && brought === 0 && !isEnding) {
        isEnding = true
        void follower.close().then(async () => {
          process.send?.({ points })
          await client.close()
          if (process.connected) process.disconnect()
        })
      }
      brought = 0
      return turn()
    },
  },
  {
    onEntries: async (lines) => {
      brought += lines.length
      // Within one call, because a message either reaches the next node or does not.
      appendFileSync(output, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      point()
      await turn()
      point()
    },
    onGap: ({ reason }) => appendFileSync(output, `${JSON.stringify({ message: reason })}\n`),
  },
)
