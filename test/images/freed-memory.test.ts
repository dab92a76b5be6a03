import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import should from 'should'

const run = promisify(execFile)
/** Bytes of a large set. */
const set = 16_000_000

/** A process that takes memory for one set, and prints by how much that made its heap of freed memory larger. */
const program = (isKept: boolean) => `
  const { readFileSync } = require('node:fs')
  const { keepFreedMemory } = require(${JSON.stringify(join(__dirname, '../../lib/images/message-reader'))})
  const heap = () => {
    const [, from, to] = /^(\\w+)-(\\w+) .*\\[heap\\]$/m.exec(readFileSync('/proc/self/maps', 'latin1'))
    return parseInt(to, 16) - parseInt(from, 16)
  }
  if (${isKept}) keepFreedMemory()
  // A marking that had begun may spare the lesson in the first one; its memory is given back beside the program until the
  // next one.
  gc()
  gc()
  gc()
  const before = heap()
  globalThis.set = Buffer.allocUnsafeSlow(${set})
  process.stdout.write(String(heap() - before))`

const growth = async (isKept: boolean) =>
  Number((await run(process.execPath, ['--expose-gc', '--eval', program(isKept)])).stdout)

describe('memory for a set', () => {
  it('comes from what the process keeps', async () => {
    should(await growth(true)).be.aboveOrEqual(set)
  })

  it('comes from the system otherwise', async () => {
    should(await growth(false)).be.below(set / 10)
  })
})
