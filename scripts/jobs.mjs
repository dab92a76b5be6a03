// Runs programs side by side: as many as the machine can handle, each with what it printed and the processor time it used.
import { spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { join } from 'node:path'

const windows = process.platform === 'win32'

/** Seconds after which a program that hangs is ended: three times what the slowest takes. */
const longest = 30 * 60
/** Seconds that it then has to end what it has started. */
const grace = 15
/** Milliseconds between two looks at the processor, and the share of it that must idle for a further job. */
const look = 2000
const idleEnough = 0.25

/** The program of a development dependency. */
export const tool = (name) => join('node_modules', '.bin', windows ? `${name}.cmd` : name)

const running = new Set()
// What has a group of processes of its own gets no signal of the terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => {
    for (const child of running) send(child, 'SIGTERM')
    process.exit(1)
  })

/**
 * Runs a program, and resolves with its status, all that it printed, the seconds it took, and those of the processor that it and
 * all its processes used. One that hangs is ended with all that it has started, has the status null, and says so at the end of
 * what it printed.
 */
export function captured(command, args, env = process.env, within = longest) {
  const started = Date.now()
  return new Promise((resolve) => {
    // A shell knows the times of all processes that have ended in it, and Node.js only its own.
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

/** The seconds in what `times` printed, of which the second line is that of the programs: `0m1.23s 0m0.45s`. */
function secondsIn(times) {
  const [, ofPrograms = ''] = times.split('\n')
  return [...ofPrograms.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  )
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

/**
 * Runs jobs, so many at a time, in their order; up to twice as many while the processor idles, because all of them wait for
 * something. Resolves when all have ended.
 *
 * @param count of jobs at a time
 * @param options.idle which share of the processor has idled since its last call
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

/** Returns which share of the processor has idled since the last call. */
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
 * Runs jobs in lanes, prints a line for each and the output of those that failed, and then runs again, one after the other,
 * those that failed beside others, if asked to. What passes alone is unstable: no failure of this run, but a fault to mend.
 *
 * @param jobs each with a `name`, `command`, `args` and maybe `env`
 * @param options.secondLook whether what failed runs again alone
 * @param options.run runs one; instead of {@link captured} @param options.print where the lines go
 * @returns the counts of tests, the processor's seconds, and which jobs were unstable, with what failed in them, or faulty
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

/** Text without the colours that programs print where FORCE_COLOR is set, as CI does. */
function plain(output) {
  return output.replace(/\x1b\[[0-9;]*m/g, '')
}

function countsIn(output) {
  const counts = { passing: 0, failing: 0, pending: 0 }
  for (const [, count, kind] of output.matchAll(/^ {2}(\d+) (passing|failing|pending)\b/gm))
    counts[kind] += Number(count)
  return counts
}

/** What mocha printed about each failure, at most thirty lines of all. */
function failuresIn(output) {
  const [, failures = ''] = output.split(/^ {2}\d+ failing\n/m)
  return failures.trimEnd().split('\n').slice(0, 30).join('\n')
}
