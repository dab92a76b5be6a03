import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { delimiter, join } from 'node:path'

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Debian has servers in /usr/sbin. */
const found = (name) =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
    .map((place) => join(place, name))
    .find((path) => existsSync(path))

export const missingPrograms = () => ['mosquitto', 'prometheus'].filter((name) => !found(name))

/** Unused ports of 127.0.0.1. */
export async function freePorts(count) {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise((resolve) => {
          const server = createServer()
          server.listen(0, '127.0.0.1', () => resolve(server))
        }),
    ),
  )
  const ports = servers.map((server) => server.address().port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** A sentence for the user; a stack would not help. */
export class DemoEnded extends Error {}

/** Seconds to start Node-RED on an ordinary computer. */
const usualStart = 4
/** Slowness of this computer: as configured, otherwise by the first start of Node-RED. */
const given = Number(process.env.CELLSIGHT_DEMO_PATIENCE)
let slowness = given > 0 ? given : 1

function hasStartedIn(seconds) {
  if (!(given > 0)) slowness = Math.max(slowness, seconds / usualStart)
}

/** Repeats until successful. @param ordinary milliseconds on an ordinary computer @throws DemoEnded */
export async function until(work, what, ordinary = 120_000) {
  const began = Date.now()
  let last = ''
  for (;;) {
    last = ''
    const answer = await Promise.resolve()
      .then(work)
      .catch((error) => {
        if (error instanceof DemoEnded) throw error
        last = ` The last answer was: ${error.message}`
      })
    if (answer) return answer
    // Slowness may only become known while waiting.
    const within = ordinary * slowness
    if (Date.now() - began > within)
      throw new DemoEnded(
        `The demo gave up: ${what} took longer than ${Math.round(within / 1000)} s.${last}\n` +
          'Nothing is left running. On a slow or busy computer, close other programs, or give it more time: ' +
          `CELLSIGHT_DEMO_PATIENCE=${Math.ceil(3 * slowness)} npm run demo:fleet`,
      )
    await sleep(100)
  }
}

function started(name, command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], ...options })
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-1000)
  })
  const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve))
  const end = async (signal) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await ended
  }
  /** @throws DemoEnded if the program has ended by itself */
  const mustRun = () => {
    if (child.exitCode === null && child.signalCode === null) return
    const how = child.exitCode === null ? child.signalCode : `exit code ${child.exitCode}`
    throw new DemoEnded(`The demo cannot go on: ${name} has ended with ${how}.\n${said.trim()}`.trim())
  }
  return { child, ended, end, mustRun }
}

export async function startBroker(folder, port) {
  const file = join(folder, 'mosquitto.conf')
  // Otherwise it changes its user, who cannot read the configuration.
  const user = process.getuid?.() === 0 ? 'user root\n' : ''
  writeFileSync(file, `${user}listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\n`)
  const broker = started('Mosquitto', found('mosquitto'), ['-c', file])
  await until(() => {
    broker.mustRun()
    return answers(port)
  }, 'starting Mosquitto')
  return { stop: () => broker.end('SIGTERM') }
}

/** As in `docs/monitoring`. @returns reads the value of an expression */
export async function startPrometheus(folder, port, targets, configuration) {
  const place = join(folder, 'prometheus')
  mkdirSync(place)
  const text = configuration
    .replace(/ {4}authorization:\n.*\n/, '')
    .replace(/rule_files:[^]*/, '')
    .replace(/targets: .*/, `targets: ${JSON.stringify(targets)}`)
    .replace(/scrape_interval: .*/, 'scrape_interval: 1s')
  writeFileSync(join(place, 'prometheus.yml'), text)
  const url = `http://127.0.0.1:${port}`
  const prometheus = started('Prometheus', found('prometheus'), [
    `--config.file=${join(place, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(place, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ])
  await until(async () => {
    prometheus.mustRun()
    return (await fetch(`${url}/-/ready`)).ok
  }, 'starting Prometheus')
  return {
    url,
    value: async (expression) => {
      const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`)
      const { data } = await answer.json()
      return Number(data.result[0]?.value[1])
    },
    stop: () => prometheus.end('SIGTERM'),
  }
}

const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** With our package, on 127.0.0.1; can be killed and restarted. */
export async function startNodeRed({ root, folder, name, port, flows }) {
  const home = join(folder, name)
  const installed = join(home, 'node_modules', '@cellsight')
  mkdirSync(installed, { recursive: true })
  const { symlinkSync } = await import('node:fs')
  symlinkSync(root, join(installed, 'node-red-vision'), 'junction')
  writeFileSync(join(home, 'flows.json'), JSON.stringify(flows))
  writeFileSync(join(home, 'settings.js'), settingsOf(name, port))
  const url = `http://127.0.0.1:${port}`
  const program = join(root, 'node_modules', 'node-red', 'red.js')
  let running

  const start = async () => {
    const began = Date.now()
    running = started(`the Node-RED of ${name}`, process.execPath, [program, '--userDir', home], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, PORT: undefined, NODE_RED_HOME: undefined },
    })
    await until(async () => {
      running.mustRun()
      return (await fetch(`${url}/flows`)).ok
    }, `starting the Node-RED of ${name}`)
    hasStartedIn((Date.now() - began) / 1000)
  }
  await start()
  return {
    url,
    start,
    pid: () => running.child.pid,
    kill: () => running.end('SIGKILL'),
    stop: () => running.end('SIGTERM'),
  }
}

/** Must not outlive the demo. */
const settingsOf = (name, port) => `process.on('disconnect', () => process.exit())
module.exports = ${JSON.stringify({
  uiPort: port,
  uiHost: '127.0.0.1',
  flowFile: 'flows.json',
  credentialSecret: 'only on this machine',
  mqttReconnectTime: 1000,
  telemetry: { enabled: false, updateNotification: false },
  externalModules: { palette: { allowInstall: false }, modules: { allowInstall: false } },
  editorTheme: { page: { title: name }, header: { title: name }, tours: false, projects: {} },
  logging: { console: { level: 'fatal', metrics: false, audit: false } },
})}
`
