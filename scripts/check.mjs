// npm test: build with types, formatting, lint, documents, tests. With --long the tests run their full counts.
// Test files may be named, and then start at once, without types and lint: npm test -- test/contract.test.ts
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const windows = process.platform === 'win32'
const files = process.argv
  .slice(2)
  .filter((arg) => arg !== '--long')
  .map((file) => file.replace(/^test\/(.*)\.ts$/, 'dist/test/$1.js'))
const counts = process.argv.includes('--long') ? { CELLSIGHT_LONG: '1' } : {}

run('build', process.execPath, ['scripts/ensure.mjs', ...(files.length ? ['--quick'] : [])])
if (!files.length) {
  run('formatting', tool('prettier'), ['--check', '--log-level=warn', '.'])
  run('lint', tool('eslint'), ['--max-warnings=0', '.'])
  run('documents', process.execPath, ['scripts/api-table.mjs', '--check'])
}
run('tests', tool('mocha'), files.length ? files : ['dist/test/**/*.test.js'], counts)

function tool(name) {
  return join('node_modules', '.bin', windows ? `${name}.cmd` : name)
}

function run(label, command, args, env = {}) {
  const started = Date.now()
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: windows,
  })
  console.log(`${label}: ${status === 0 ? 'ok' : 'failed'} in ${Math.round((Date.now() - started) / 1000)} s`)
  if (status !== 0) process.exit(status ?? 1)
}
