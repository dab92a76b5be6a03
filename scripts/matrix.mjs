// npm run test:matrix: installs the packed package into fresh copies of every supported Node-RED, and runs nodes, examples,
// browser tests and the library's tests there. npm run test:matrix -- 5.0-on-24 runs one; --second-look as in check.mjs.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runJobs } from './jobs.mjs'
import { installInto } from './scratch.mjs'
import { dealtOut, testFiles } from './stages.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const windows = process.platform === 'win32'

const supported = [
  { name: '4.1-on-20', nodeRed: '~4.1.0', node: '20' },
  { name: '5.0-on-22', nodeRed: '~5.0.0', node: '22' },
  { name: '5.0-on-24', nodeRed: '~5.0.0', node: '24' },
]

/** Start a Node-RED given by the environment. */
const inNodeRed = [
  ...dealtOut(testFiles('dist/test/editor'), 2),
  ...dealtOut(testFiles('dist/test/examples'), 3),
  [
    'dist/test/package/installed.test.js',
    'dist/test/plc/handshake-*.test.js',
    'dist/test/plc/copy-route.test.js',
  ],
]

/** Of the code itself, on that Node.js. */
const ofTheCode = [
  ...dealtOut(testFiles('dist/test/nodes'), 3),
  ['dist/test/client/*.test.js', 'dist/test/codec/*.test.js'],
]

/** As in check.mjs. */
const lanes = 2 * availableParallelism()

const twice = process.argv.includes('--second-look')
const chosen = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const unknown = chosen.filter((name) => !supported.some((version) => version.name === name))
if (unknown.length) {
  console.error(
    `There is no ${unknown.join(', ')}. There are: ${supported.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'cellsight-matrix-'))
try {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const { stdout } = spawnSync('npm', args, { encoding: 'utf8', shell: windows })
  const [packed] = JSON.parse(stdout)
  const archive = join(folder, packed.filename.replace(/^@/, '').replace('/', '-'))
  for (const version of supported)
    if (!chosen.length || chosen.includes(version.name)) await check(version, archive)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function check({ name, nodeRed, node }, archive) {
  const started = Date.now()
  const place = mkdtempSync(join(folder, `${name}-`))
  installInto(place, [`node@${node}`, `node-red@${nodeRed}`])
  installInto(place, [archive])

  const installed = (dependency) => join(place, 'node_modules', dependency)
  const version = (dependency) =>
    JSON.parse(readFileSync(join(installed(dependency), 'package.json'))).version
  const program = join(installed('node'), 'bin', windows ? 'node.exe' : 'node')
  console.log(`\n${name}: Node-RED ${version('node-red')} on Node.js ${version('node')}`)

  const env = {
    CELLSIGHT_TEST_NODE: program,
    CELLSIGHT_TEST_NODE_RED: join(installed('node-red'), 'red.js'),
    CELLSIGHT_TEST_PACKAGE: installed('@cellsight/node-red-vision'),
  }
  const jobOf = (command, files, more = {}) => ({
    name: `${name}: ${files[0].split('/')[2]}, ${files.length} files`,
    command,
    args: [join('node_modules', 'mocha', 'bin', 'mocha.js'), '--reporter', 'dot', ...files],
    env: more,
    isTest: true,
  })
  const jobs = [
    ...inNodeRed.map((files) => jobOf(process.execPath, files, env)),
    ...ofTheCode.map((files) => jobOf(program, files)),
  ]
  const { unstable, faulty } = await runJobs(jobs, { lanes, secondLook: twice })
  for (const job of unstable) console.log(`unstable, passed alone: ${job.name}\n${job.failures}\n`)
  if (faulty.length) throw new Error(`${name} has failed: ${faulty.join(', ')}`)
  rmSync(place, { recursive: true, force: true })
  console.log(`${name}: ok in ${Math.round((Date.now() - started) / 1000)} s`)
}
