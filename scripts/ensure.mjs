// Installs and builds what is missing or out of date; otherwise only reads files. --quick builds without types.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { filesBelow, fingerprint } from './fingerprint.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const quick = process.argv.includes('--quick')

const sources = [
  'package.json',
  'tsconfig.json',
  'tsconfig.node.json',
  'lib',
  'virtual-device',
  'nodes',
  'editor',
  'icons',
  'test',
  'bench',
  'scripts',
]

step('installing', 'node_modules/.cellsight-installed', ['package-lock.json'], () =>
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']),
)
if (quick) run(process.execPath, ['scripts/build.mjs', '--quick'])
else
  step('building', 'dist/.cellsight-built', ['package-lock.json', ...sources], () =>
    run(process.execPath, ['scripts/build.mjs']),
  )

function step(label, stampFile, places, work) {
  // Builds read no prose, such as stored bench results.
  const files = filesBelow(...places).filter((file) => !file.endsWith('.md'))
  const stamp = `${process.platform} ${process.arch} ${fingerprint(files)}`
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  console.log(`${label} …`)
  work()
  writeFileSync(stampFile, stamp)
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}
