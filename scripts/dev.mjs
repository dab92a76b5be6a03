// npm run dev: npm start, rebuilt and restarted on changes.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const watched = ['lib', 'virtual-device', 'nodes', 'editor', 'icons', 'examples', 'scripts']
/** Milliseconds: editors save several files at once, and in several steps. */
const settle = 300

let child
let timer
let restarting = Promise.resolve()

for (const folder of watched.filter((name) => existsSync(name)))
  watch(folder, { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      restarting = restarting.then(restart)
    }, settle)
  })
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => void restarting.then(stop).then(() => process.exit(0)))

start()

async function restart() {
  console.log('changed: building …')
  const { status } = spawnSync(process.execPath, ['scripts/ensure.mjs'], { stdio: 'inherit' })
  if (status !== 0) return console.log('not built; what runs is the last good build')
  await stop()
  start()
}

function start() {
  child = spawn(process.execPath, ['scripts/start.mjs'], { stdio: 'inherit' })
}

function stop() {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', resolve)
    child.kill('SIGTERM')
  })
}
