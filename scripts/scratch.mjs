// Packages of the registry in a folder outside the project, for tests.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const windows = process.platform === 'win32'

/** Once. @param options of npm @throws if it fails */
export function installInto(place, packages, options = []) {
  const done = join(place, `installed-${packages.map((name) => name.replaceAll(/[^\w.-]/g, '_')).join('+')}`)
  if (existsSync(done)) return place
  mkdirSync(place, { recursive: true })
  const manifest = join(place, 'package.json')
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }')
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  run('npm', ['install', ...quiet, ...options, ...packages], { cwd: place })
  writeFileSync(done, '')
  return place
}

/** With its output. @throws if it fails */
export function run(command, args, { cwd = '.', env = {} } = {}) {
  const options = { cwd, stdio: 'inherit', shell: windows, env: { ...process.env, ...env } }
  const { status } = spawnSync(command, args, options)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`)
}
