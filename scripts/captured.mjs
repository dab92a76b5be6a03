import { spawn } from 'node:child_process'

const windows = process.platform === 'win32'

/** Seconds after which a program that hangs is ended: three times what the slowest takes. */
const longest = 30 * 60
/** Seconds that it then has to end what it has started. */
const grace = 15

const running = new Set()
// What has a group of processes of its own gets no signal of the terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => {
    for (const child of running) send(child, 'SIGTERM')
    process.exit(1)
  })

/**
 * Runs a program, and resolves with its status, all that it printed, and the seconds it took. One that hangs is ended with
 * all that it has started, has the status null, and says so at the end of what it printed.
 */
export function captured(command, args, env = process.env, within = longest) {
  const started = Date.now()
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
      shell: windows,
      detached: !windows,
    })
    running.add(child)
    let output = ''
    let killing
    const hung = setTimeout(() => {
      output += `\nstill running after ${within} s: it was ended.\n`
      send(child, 'SIGTERM')
      killing = setTimeout(() => {
        send(child, 'SIGKILL')
        // A program that left the group may hold them open.
        for (const stream of [child.stdout, child.stderr]) stream.destroy()
      }, 1000 * grace)
    }, 1000 * within)
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.once('error', (error) => (output += `\n${error.message}\n`))
    child.once('close', (status) => {
      clearTimeout(hung)
      clearTimeout(killing)
      running.delete(child)
      resolve({ status: killing ? null : status, output, seconds: Math.round((Date.now() - started) / 1000) })
    })
  })
}

/** Sends a signal to a program and all that it has started. */
function send(child, signal) {
  try {
    if (windows) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
