/** Seconds for the process to end after the last test; an abandoned `eventually` takes 60 s. */
const patience = 90
/** Milliseconds from which a timer is remembered with its origin. */
const long = 10_000

interface Handle {
  spawnargs?: readonly string[]
  remotePort?: number
  localPort?: number
}

/** Ended timers kept; more would hold memory. */
const most = 50

const timers = new Map<NodeJS.Timeout, string>()
const { setTimeout: startTimer } = globalThis

function rememberLongTimers(): void {
  const remembering = (callback: () => void, milliseconds?: number, ...given: []) => {
    const timer = startTimer(callback, milliseconds, ...given)
    if (Number(milliseconds) < long) return timer
    if (timers.size > most) forgetEnded()
    timers.set(timer, `${milliseconds} ms ${new Error('').stack?.split('\n').slice(2, 9).join('\n') ?? ''}`)
    return timer
  }
  globalThis.setTimeout = Object.assign(remembering, startTimer)
}

function forgetEnded(): void {
  for (const timer of timers.keys()) {
    const { _destroyed: isOver } = timer as unknown as { _destroyed: boolean }
    if (isOver) timers.delete(timer)
  }
}

/** Handles with ports and commands, and timers with their origins. */
function remaining(): string[] {
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles: () => Handle[] }
  const open = handles.call(process).map((handle) => {
    const { spawnargs, remotePort, localPort } = handle
    return [handle.constructor.name, spawnargs?.slice(0, 4).join(' '), localPort, remotePort]
      .filter((part) => part !== undefined)
      .join(' ')
  })
  forgetEnded()
  const waiting = [...timers].filter(([timer]) => timer.hasRef())
  return [...open, ...waiting.map(([, place]) => place)]
}

rememberLongTimers()

export const mochaHooks = {
  /** What remains would block the run for half an hour: fail and report it. */
  afterAll(): void {
    startTimer(() => {
      process.stderr.write(
        `\nThe tests have ended, but the process is still alive after ${patience} s. It has:\n` +
          `${process.getActiveResourcesInfo().join(', ')}\n${remaining().join('\n')}\n`,
      )
      // Mocha sets the exit code of failures at the exit.
      process.once('exit', () => (process.exitCode = 1))
      process.exit()
    }, 1000 * patience).unref()
  },
}
