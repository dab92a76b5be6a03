// npm run test:operator: installs Dashboard into a scratch folder, and runs the operator's panels in a real Node-RED with a
// real Dashboard and a real browser, on Node-RED 4.1 and 5.0, as many files at a time as there are cores. Everything stays
// on 127.0.0.1.
// npm run test:operator -- operator-panel runs one of them, --node-red=4.1 only on that version, and
// --palette=/tmp/palette keeps what is installed there for the next run. With --second-look, a file that failed runs once more,
// as in check.mjs. With --long as many cycles run as 24 hours have.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { captured } from './captured.mjs'
import { dashboard } from './demo/dashboard.mjs'
import { inLanes } from './in-lanes.mjs'
import { installInto } from './scratch.mjs'
import { secondLook } from './second-look.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const windows = process.platform === 'win32'

/** Versions of Node-RED; the one among our development dependencies runs on the Node.js that runs this. */
const versions = { 4.1: [], '5.0': ['node@22', 'node-red@~5.0.0'] }

const options = process.argv.slice(2).filter((arg) => arg.startsWith('--'))
const optionOf = (name) => options.find((option) => option.startsWith(`--${name}=`))?.slice(name.length + 3)
const chosen = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const version = optionOf('node-red')
if (version !== undefined && !versions[version]) {
  console.error(`There is no ${version}. There are: ${Object.keys(versions).join(', ')}.`)
  process.exit(2)
}

const kept = optionOf('palette')
const folder = kept ? resolve(kept) : mkdtempSync(join(tmpdir(), 'cellsight-operator-'))
/** A folder with these packages. The package `node` fetches its program in a script of its own. */
const installed = (name, packages) =>
  installInto(
    join(folder, name),
    packages,
    packages.some((each) => each.startsWith('node@')) ? [] : ['--ignore-scripts'],
  )

const files = readdirSync(join('dist', 'test', 'operator'))
  .filter((file) => file.endsWith('.js'))
  .map((file) => file.replace(/\.js$/, ''))
  .filter((file) => !chosen.length || chosen.includes(file))
if (!files.length || files.length < chosen.length) {
  tidy()
  console.error(
    `Not all of these are in test/operator: ${chosen.join(', ')}. A name has no folder and no ending.`,
  )
  process.exit(2)
}

try {
  process.exitCode = (await testAll(version ? [version] : Object.keys(versions))) ? 0 : 1
} finally {
  tidy()
}

/** Resolves with whether all tests passed. */
async function testAll(names) {
  const started = Date.now()
  const environments = new Map(names.map((name) => [name, environmentOf(name)]))
  const jobs = names.flatMap((name) => files.map((file) => ({ name, file })))
  const passes = async ({ name, file }) => {
    const args = [
      join('node_modules', 'mocha', 'bin', 'mocha.js'),
      join('dist', 'test', 'operator', `${file}.js`),
    ]
    const env = { ...process.env, ...environments.get(name) }
    const { status, output, seconds } = await captured(process.execPath, args, env)
    console.log(
      `${output.trimEnd()}\n\n${file} on Node-RED ${name}: ${status === 0 ? 'ok' : 'failed'} in ${seconds} s`,
    )
    return status === 0
  }
  const failed = []
  const run = async (job) => {
    if (!(await passes(job))) failed.push(job)
  }
  await inLanes(availableParallelism(), jobs, run)
  const { unstable, faulty } = await secondLook(failed, passes, options.includes('--second-look'))
  const listed = (some) => some.map(({ name, file }) => `${file} on ${name}`).join(', ')
  console.log(
    `operator's panels on Node-RED ${names.join(' and ')}: ${Math.round((Date.now() - started) / 1000)} s`,
  )
  if (unstable.length) console.log(`unstable, passed alone: ${listed(unstable)}`)
  if (faulty.length) console.error(`failed: ${listed(faulty)}`)
  return !faulty.length
}

/** Installs what a version needs. */
function environmentOf(name) {
  const own = versions[name].length ? installed(name, versions[name]) : undefined
  const program = (part) => join(own, 'node_modules', part)
  return {
    CELLSIGHT_TEST_PALETTE: installed('dashboard', [dashboard]),
    ...(options.includes('--long') && { CELLSIGHT_LONG: '1' }),
    ...(own && {
      CELLSIGHT_TEST_NODE: join(program('node'), 'bin', windows ? 'node.exe' : 'node'),
      CELLSIGHT_TEST_NODE_RED: join(program('node-red'), 'red.js'),
    }),
  }
}

function tidy() {
  if (!kept) rmSync(folder, { recursive: true, force: true })
}
