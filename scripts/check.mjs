// npm test: lint, types, tests. With --long the tests run their full counts.
import { spawnSync } from 'node:child_process'

const long = process.argv.includes('--long')
const chosen = process.argv.slice(2).filter((arg) => arg !== '--long')

// The build before this has checked the types of everything it compiled.
if (!chosen.length) {
  run('formatting', 'prettier', ['--check', '--log-level=warn', '.'])
  run('lint', 'eslint', ['--max-warnings=0', '.'])
  run('documents', 'node', ['scripts/api-table.mjs', '--check'])
}
run('tests', 'mocha', chosen.length ? ['--spec', ...chosen] : [], long ? { CELLSIGHT_LONG: '1' } : {})

function run(label, tool, args, env = {}) {
  const started = Date.now()
  const { status } = spawnSync('npx', ['--no-install', tool, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  })
  console.log(`${label}: ${status === 0 ? 'ok' : 'failed'} in ${Math.round((Date.now() - started) / 1000)} s`)
  if (status !== 0) process.exit(status ?? 1)
}
