import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { median, type BenchRow } from './row'

const rounds = 9

/** Time for `require` of every node in a fresh process. The goal is 150 ms. */
export function run(): Promise<BenchRow[]> {
  const folder = join(__dirname, '..', 'nodes')
  const files = readdirSync(folder)
    .map((name) => join(folder, name, `${name}.js`))
    .filter((file) => existsSync(file))
  const program = `const started = performance.now()
    for (const file of ${JSON.stringify(files)}) require(file)
    console.log(performance.now() - started)`
  const times = Array.from({ length: rounds }, () =>
    Number(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' })),
  )
  return Promise.resolve([{ what: `require of all ${files.length} nodes`, value: median(times), unit: 'ms' }])
}
