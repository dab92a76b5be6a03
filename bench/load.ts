import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { median, type BenchRow } from './row'

const rounds = 9

/** `require` of every node in a fresh process. Goal: 150 ms. */
export function run(): Promise<BenchRow[]> {
  const root = join(__dirname, '..', '..')
  const { 'node-red': packed } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    'node-red': { nodes: Record<string, string> }
  }
  const files = Object.values(packed.nodes).map((file) => join(root, file))
  const program = `const started = performance.now()
    for (const file of ${JSON.stringify(files)}) require(file)
    console.log(performance.now() - started)`
  const times = Array.from({ length: rounds }, () =>
    Number(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' })),
  )
  return Promise.resolve([{ what: `require of all ${files.length} nodes`, value: median(times), unit: 'ms' }])
}
