// npm test: builds with types, then checks formatting, lint and documents and runs the tests of each folder, as many at
// a time as the machine can handle. With --long the tests run their full counts, with --lanes=2 two folders run at a time, and
// up to twice as many while the processor idles.
// With --second-look, tests that failed beside others run once more, alone.
// Named test files start at once, without types and lint: npm test -- test/contract.test.ts
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { captured } from './captured.mjs'
import { dealtOut } from './dealt-out.mjs'
import { filesBelow } from './fingerprint.mjs'
import { inLanes } from './in-lanes.mjs'
import { secondLook } from './second-look.mjs'

const windows = process.platform === 'win32'
const options = process.argv.slice(2).filter((arg) => arg.startsWith('--'))
const lanesWanted = Number(options.find((option) => option.startsWith('--lanes='))?.slice('--lanes='.length))
const files = process.argv
  .slice(2)
  .filter((arg) => !arg.startsWith('--'))
  .map((file) => file.replace(/^test\/(.*)\.ts$/, 'dist/test/$1.js'))
const env = { ...process.env, ...(options.includes('--long') && { CELLSIGHT_LONG: '1' }) }

/** The slowest folders start first. */
const longest = [
  'lint',
  'test/examples',
  'test/editor',
  'test/nodes',
  'test/firmware',
  'test/virtual-device',
  'formatting',
  'test/fleet',
  'test/demo',
  'test/plc',
  'test/images',
  'test/client',
]

/**
 * Folders that take too long for one process, and in how many they run. Each process of browser tests starts a browser
 * and a Node-RED of its own, and loads its editors.
 */
const parts = { 'test/editor': 2, 'test/examples': 2, 'test/nodes': 3 }

const { status } = spawnSync(process.execPath, ['scripts/ensure.mjs', ...(files.length ? ['--quick'] : [])], {
  stdio: 'inherit',
})
if (status !== 0) process.exit(1)

if (files.length) {
  const { status } = spawnSync(tool('mocha'), files, { stdio: 'inherit', env, shell: windows })
  process.exit(status ?? 1)
}
await checkAll()

async function checkAll() {
  const started = Date.now()
  const waiting = [
    ['lint', tool('oxlint'), '--config=oxlint.config.mjs', '.'],
    ['formatting', tool('oxfmt'), '--check', '.'],
    ['documents', process.execPath, 'scripts/api-table.mjs', '--check'],
    ...folders().map(([name, files]) => [name, tool('mocha'), ...files]),
  ].sort(([one], [other]) => rank(one) - rank(other))
  const results = []

  const run = async ([name, command, ...args]) => {
    const { status, output, seconds } = await captured(command, args, env)
    const counts = { passing: 0, failing: 0, pending: 0 }
    for (const [, count, kind] of plain(output).matchAll(/^ {2}(\d+) (passing|failing|pending)\b/gm))
      counts[kind] += Number(count)
    if (status !== 0 || counts.pending) console.log(output)
    console.log(`${name}: ${status === 0 ? 'ok' : 'failed'} in ${seconds} s`)
    return { passed: status === 0, counts }
  }

  // Most tests wait most of the time.
  const lanes = lanesWanted || availableParallelism() * 2
  await inLanes(lanes, waiting, async (next) => {
    results.push({ next, ...(await run(next)) })
  })

  const alone = async (result) => {
    if (!result.next[0].startsWith('test/')) return false
    return Object.assign(result, await run(result.next)).passed
  }
  const failed = results.filter(({ passed }) => !passed)
  const { unstable, faulty } = await secondLook(failed, alone, options.includes('--second-look'))
  const named = (groups) => groups.map(({ next: [name] }) => name).join(', ')
  console.log(`all in ${Math.round((Date.now() - started) / 1000)} s`)
  if (unstable.length) console.log(`unstable, passed alone: ${named(unstable)}`)
  if (faulty.length) console.log(`failed: ${named(faulty)}`)
  const total = (kind) => results.reduce((sum, { counts }) => sum + counts[kind], 0)
  console.log(`${total('passing')} passed, ${total('failing')} failed, ${total('pending')} skipped`)
  process.exit(faulty.length ? 1 : 0)
}

/** The tests of each folder, for a process of its own: their shared fixtures are started once. */
function folders() {
  const entries = readdirSync('dist/test', { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const isTested = (name) => filesBelow(join('dist/test', name)).some((file) => file.endsWith('.test.js'))
  return [
    ['test/', ['dist/test/*.test.js']],
    ...folders.filter(isTested).flatMap((name) => inParts(`test/${name}`)),
  ]
}

/** A folder as one process, or its files dealt out to several. */
function inParts(name) {
  const count = parts[name]
  if (!count) return [[name, [`dist/${name}/**/*.test.js`]]]
  return dealtOut(`dist/${name}`, count).map((files, part) => [`${name} ${part + 1} of ${count}`, files])
}

/** Text without the colours that programs print where FORCE_COLOR is set, as CI does. */
function plain(output) {
  return output.replace(/\x1b\[[0-9;]*m/g, '')
}

function rank(name) {
  const place = longest.indexOf(name.replace(/ \d+ of \d+$/, ''))
  return place < 0 ? longest.length : place
}

function tool(name) {
  return join('node_modules', '.bin', windows ? `${name}.cmd` : name)
}
