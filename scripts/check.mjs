// npm test: build with types, formatting, lint, documents, unit and integration tests, one smoke test each of browser and
// Node-RED; prints its processor time. npm test -- FILE… runs test files, without types and lint.
// npm run test:all runs everything, npm run test:all -- STAGE… some stages. Options: --long (full counts), --lanes=2
// (processes at a time, up to twice as many while the processor idles), --second-look (failed tests again, alone),
// --packages=FOLDER (keeps installed packages).
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runJobs, tool } from './jobs.mjs'
import { stagesWithPackages } from './stages-with-packages.mjs'
import { jobsOf, runnable, stagesOfTests } from './stages.mjs'

const windows = process.platform === 'win32'
const args = process.argv.slice(2)
const options = args.filter((arg) => arg.startsWith('--'))
const named = args.filter((arg) => !arg.startsWith('--'))
const optionOf = (name) => options.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3)
const env = { ...process.env, ...(options.includes('--long') && { CELLSIGHT_LONG: '1' }) }

const isAll = options.includes('--all')
const stages = ['checks', ...stagesOfTests, ...Object.keys(stagesWithPackages)]
const unknown = isAll ? named.filter((name) => !stages.includes(name)) : []
if (unknown.length) {
  console.error(`There is no stage ${unknown.join(', ')}. There are: ${stages.join(', ')}.`)
  process.exit(2)
}

const isOfFiles = named.length > 0 && !isAll
const { status } = spawnSync(process.execPath, ['scripts/ensure.mjs', ...(isOfFiles ? ['--quick'] : [])], {
  stdio: 'inherit',
})
if (status !== 0) process.exit(1)

const kept = optionOf('packages')
const folder = kept ? resolve(kept) : mkdtempSync(join(tmpdir(), 'cellsight-packages-'))
try {
  if (isOfFiles)
    process.exitCode = runFiles(named.map((file) => file.replace(/^test\/(.*)\.ts$/, 'dist/test/$1.js')))
  else
    process.exitCode = (await runStages(isAll ? (named.length ? named : stages) : ['checks', 'tests']))
      ? 0
      : 1
} finally {
  if (!kept) rmSync(folder, { recursive: true, force: true })
}

function runFiles(files) {
  const stage = Object.keys(stagesWithPackages).find((name) => files[0].startsWith(`dist/test/${name}/`))
  // On the stage's first version of Node-RED.
  if (stage) Object.assign(env, stagesWithPackages[stage](folder).jobs[0]?.env)
  const { files: there, skipped } = stage ? { files, skipped: [] } : runnable(files)
  for (const line of skipped) console.log(line)
  if (!there.length) return 0
  return spawnSync(tool('mocha'), there, { stdio: 'inherit', env, shell: windows }).status ?? 1
}

/** @returns whether all has passed */
async function runStages(chosen) {
  const started = Date.now()
  const skipped = []
  const jobsIn = (names, jobsOfOne) =>
    names
      .filter((name) => chosen.includes(name))
      .flatMap((name) => {
        const those = jobsOfOne(name)
        skipped.push(...those.skipped.map((line) => `${line} (stage ${name})`))
        return those.jobs
      })
  const settings = { env, secondLook: options.includes('--second-look') }
  const lanes = Number(optionOf('lanes')) || availableParallelism() * 2
  const ended = []
  const own = jobsIn(['checks', ...stagesOfTests], (name) => (name === 'checks' ? checks() : jobsOf(name)))
  // Most tests wait most of the time.
  ended.push(await runJobs(own, { ...settings, lanes }))
  // Each has its own browser and Node-RED.
  const withPackages = jobsIn(Object.keys(stagesWithPackages), (name) => stagesWithPackages[name](folder))
  ended.push(await runJobs(withPackages, { ...settings, lanes: availableParallelism() }))

  const sum = (kind) => ended.reduce((all, { total }) => all + total[kind], 0)
  const unstable = ended.flatMap((each) => each.unstable)
  const faulty = ended.flatMap((each) => each.faulty)
  console.log('')
  for (const { name, failures } of unstable) console.log(`unstable, passed alone: ${name}\n${failures}\n`)
  for (const line of skipped) console.log(line)
  if (faulty.length) console.log(`failed: ${faulty.join(', ')}`)
  console.log(`${sum('passing')} passed, ${sum('failing')} failed, ${sum('pending')} skipped`)
  console.log(
    `${chosen.join(', ')}: ${Math.round((Date.now() - started) / 1000)} s, processor ${Math.round(sum('cpu'))} s`,
  )
  return faulty.length === 0
}

function checks() {
  const jobs = [
    { name: 'lint', command: tool('oxlint'), args: ['--config=oxlint.config.mjs', '.'] },
    { name: 'formatting', command: tool('oxfmt'), args: ['--check', '.'] },
    { name: 'texts', command: process.execPath, args: ['dist/scripts/texts/index.js'] },
    { name: 'documents', command: process.execPath, args: ['scripts/reference.mjs', '--check'] },
  ]
  return { jobs, skipped: [] }
}
