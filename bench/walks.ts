import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BenchRow } from './row'

const execute = promisify(execFile)

/** Milliseconds per walk. */
const timeout = 300_000

const walks = {
  'set-parameter': 'one message through set-parameter',
  plc: 'one cycle of a PLC, from its write to the answer',
  images: 'one set of images',
  calibration: 'a hand-eye calibration that a robot drives',
}

/**
 * Files of `lib` and `nodes` with an executed function, from a message, write, picture or press to its last effect, by V8
 * coverage; where possible at the second run, so that loading does not count. The virtual device runs elsewhere. With
 * `WALK_FILES`, prints the files.
 */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const [name, what] of Object.entries(walks)) {
    const program = join(__dirname, 'support', 'walk.js')
    const { stdout } = await execute(process.execPath, [program, name], { timeout })
    const files = JSON.parse(stdout.slice(stdout.indexOf('[\"'))) as string[]
    if (process.env.WALK_FILES) console.log(`${what}\n  ${files.join('\n  ')}`)
    rows.push({ what, value: files.length, unit: 'files' })
  }
  return rows
}
