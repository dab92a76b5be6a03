import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import should from 'should'

const run = promisify(execFile)

/** A process that uses new memory for sets of 2.15 MB, eight between two garbage collections. */
const program = (isKept: boolean) => `
  const { keepFreedMemory } = require(${JSON.stringify(join(__dirname, '../../lib/images/freed-memory'))})
  if (${isKept}) keepFreedMemory()
  const round = () => {
    for (let set = 0; set < 8; set++) Buffer.allocUnsafeSlow(2150000).fill(set)
    gc()
  }
  for (let first = 0; first < 3; first++) round()
  const before = process.resourceUsage().minorPageFault
  for (let rounds = 0; rounds < 20; rounds++) round()
  process.stdout.write(String(process.resourceUsage().minorPageFault - before))`

/** How often the process had to ask the system for a page of memory. */
const pages = async (isKept: boolean) =>
  Number((await run(process.execPath, ['--expose-gc', '--eval', program(isKept)])).stdout)

describe('memory that was freed', () => {
  it('is used again for the next sets, and not asked for page by page', async () => {
    const usual = await pages(false)
    should(usual).be.above(1000)
    should(await pages(true)).be.below(usual / 2)
  })
})
