// Runs programs in parallel, with their output and processor time.
import { spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { join } from 'node:path'

const windows = process.platform === 'win32'

/** Seconds: three times the slowest program. */
const longest = 30 * 60
/** Seconds to end child processes. */
const grace = 15
/** Milliseconds between processor samples, and the idle share for a further job. */
const look = 2000
const idleEnough = 0.25

export const tool = (name) => join('node_modules', '.bin', windows ? `${name}.cmd` : name)

const running = new Set()
// Own process groups get no signals from the terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => {
    for (const child of running) send(child, 'SIGTERM')
    process.exit(1)
  })

/**
 * Resolves with status, output, elapsed seconds, and processor seconds of the program with all its processes. A hanging one is
 * ended with everything that it started; its status is null, its output says so.
 */
export function captured(command, args, env = process.env, within = longest) {
  const started = Date.now()
  return new Promise((resolve) => {
    // A shell knows the times of all its ended processes; Node.js only its own.
    const timed = ['-c', '"$@" 3>&-; status=$?; times >&3; exit $status', 'sh', command, ...args]
    const child = spawn(windows ? command : '/bin/sh', windows ? args : timed, {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env,
      shell: windows,
      detached: !windows,
    })
    running.add(child)
    let output = ''
    let times = ''
    let killing
    const hung = setTimeout(() => {
      output += `\nstill running after ${within} s: it was ended.\n`
      send(child, 'SIGTERM')
      killing = setTimeout(() => {
        send(child, 'SIGKILL')
        // A program that left the group may hold them open.
        for (const stream of child.stdio.slice(1)) stream.destroy()
      }, 1000 * grace)
    }, 1000 * within)
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.stdio[3].setEncoding('utf8').on('data', (text) => (times += text))
    child.once('error', (error) => (output += `\n${error.message}\n`))
    child.once('close', (status) => {
      clearTimeout(hung)
      clearTimeout(killing)
      running.delete(child)
      const seconds = Math.round((Date.now() - started) / 1000)
      resolve({ status: killing ? null : status, output, seconds, cpu: secondsIn(times) })
    })
  })
}

/** `0m1.23s 0m0.45s`: second line of `times`, for the programs. */
function secondsIn(times) {
  const [, ofPrograms = ''] = times.split('\n')
  return [...ofPrograms.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  )
}

/** To a program and its children. */
function send(child, signal) {
  try {
    if (windows) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/**
 * In order, `count` at a time; up to twice as many while the processor idles, because most jobs wait.
 * @param options.idle idle share of the processor since the last call
 */
export async function inLanes(count, jobs, run, { idle = idleSince() } = {}) {
  const waiting = [...jobs]
  const started = new Set()
  const start = () => {
    const job = run(waiting.shift()).then(() => started.delete(job))
    started.add(job)
    return job
  }
  const lane = async () => {
    while (waiting.length) await start()
  }
  const timer = setInterval(() => {
    if (idle() > idleEnough && started.size < 2 * count && waiting.length) void start()
  }, look)
  try {
    await Promise.all(Array.from({ length: count }, lane))
    await Promise.all(started)
  } finally {
    clearInterval(timer)
  }
}

/** Share since the last call. */
function idleSince() {
  let before = times()
  return () => {
    const now = times()
    const share = (now.idle - before.idle) / (now.all - before.all)
    before = now
    return share
  }
}

function times() {
  const sum = { idle: 0, all: 0 }
  for (const { times } of cpus()) {
    sum.idle += times.idle
    for (const time of Object.values(times)) sum.all += time
  }
  return sum
}

/**
 * Runs jobs in lanes, prints a line each and the output of failures; on request, repeats failures alone: what then passes is
 * unstable, a fault but no failure of this run.
 *
 * @param jobs with `name`, `command`, `args` and optionally `env`
 * @param options.run instead of {@link captured}
 * @returns counts of tests, processor seconds, unstable jobs with their failures, failed jobs
 */
export async function runJobs(
  jobs,
  { lanes, secondLook = false, env = process.env, run = captured, print = console.log },
) {
  const total = { passing: 0, failing: 0, pending: 0, cpu: 0 }
  const attempt = async (job) => {
    const { status, output, seconds, cpu } = await run(job.command, job.args, { ...env, ...job.env })
    const counts = countsIn(plain(output))
    if (status !== 0) print(output)
    const skipped = counts.pending ? `, ${counts.pending} skipped` : ''
    print(
      `${job.name}: ${status === 0 ? 'ok' : 'failed'} in ${seconds} s, processor ${cpu.toFixed(1)} s${skipped}`,
    )
    total.cpu += cpu
    return { job, passed: status === 0, counts, failures: failuresIn(plain(output)) }
  }
  const results = []
  await inLanes(lanes, jobs, async (job) => {
    results.push(await attempt(job))
  })
  const unstable = []
  const faulty = []
  for (const failed of results.filter(({ passed }) => !passed)) {
    const again = secondLook && failed.job.isTest ? await attempt(failed.job) : failed
    if (again.passed) unstable.push({ name: failed.job.name, failures: failed.failures })
    else faulty.push(failed.job.name)
    failed.counts = again.counts
  }
  for (const { counts } of results) for (const kind of Object.keys(counts)) total[kind] += counts[kind]
  return { total, unstable, faulty }
}

/** Without the colours of FORCE_COLOR, as in CI. */
function plain(output) {
  return output.replace(/\x1b\[[0-9;]*m/g, '')
}

function countsIn(output) {
  const counts = { passing: 0, failing: 0, pending: 0 }
  for (const [, count, kind] of output.matchAll(/^ {2}(\d+) (passing|failing|pending)\b/gm))
    counts[kind] += Number(count)
  return counts
}

/** From mocha, at most thirty lines. */
function failuresIn(output) {
  const [, failures = ''] = output.split(/^ {2}\d+ failing\n/m)
  return failures.trimEnd().split('\n').slice(0, 30).join('\n')
}
