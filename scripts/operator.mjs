// npm run test:operator: installs Dashboard into a scratch folder, and runs the operator's panels in a real Node-RED with a
// real Dashboard and a real browser, on Node-RED 4.1 and 5.0. Everything stays on 127.0.0.1.
// npm run test:operator -- operator-panel runs one of them, --node-red=4.1 only on that version, and
// --palette=/tmp/palette keeps what is installed there for the next run. With --second-look, a file that failed runs once more,
// as in check.mjs. With --long as many cycles run as 24 hours have.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dashboard } from './demo/dashboard.mjs'
import { installInto } from './scratch.mjs'

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

try {
  for (const name of version ? [version] : Object.keys(versions)) test(name)
} finally {
  tidy()
}

function test(name) {
  const started = Date.now()
  const palette = installed('dashboard', [dashboard])
  const own = versions[name].length ? installed(name, versions[name]) : undefined
  const program = (part) => join(own, 'node_modules', part)
  const files = readdirSync(join('dist', 'test', 'operator'))
    .filter((file) => file.endsWith('.js'))
    .filter((file) => !chosen.length || chosen.includes(file.replace(/\.js$/, '')))
    .map((file) => join('dist', 'test', 'operator', file))
  if (!files.length || files.length < chosen.length) {
    tidy()
    console.error(
      `Not all of these are in test/operator: ${chosen.join(', ')}. A name has no folder and no ending.`,
    )
    process.exit(2)
  }
  const mocha = join('node_modules', 'mocha', 'bin', 'mocha.js')
  console.log(`\noperator's panels on Node-RED ${name}`)
  const env = {
    CELLSIGHT_TEST_PALETTE: palette,
    ...(options.includes('--long') && { CELLSIGHT_LONG: '1' }),
    ...(own && {
      CELLSIGHT_TEST_NODE: join(program('node'), 'bin', windows ? 'node.exe' : 'node'),
      CELLSIGHT_TEST_NODE_RED: join(program('node-red'), 'red.js'),
    }),
  }
  for (const file of files) {
    const passes = () =>
      spawnSync(process.execPath, [mocha, file], { stdio: 'inherit', env: { ...process.env, ...env } })
        .status === 0
    if (passes()) continue
    if (!options.includes('--second-look') || !passes()) {
      tidy()
      console.error(`failed: ${file}`)
      process.exit(1)
    }
    console.log(`unstable, passed in a second look: ${file}`)
  }
  console.log(`operator's panels on Node-RED ${name}: ok in ${Math.round((Date.now() - started) / 1000)} s`)
}

function tidy() {
  if (!kept) rmSync(folder, { recursive: true, force: true })
}
