/** Seconds after the last test in which the process has to end by itself: an abandoned `eventually` ends after 60 s. */
const patience = 90
/** Milliseconds from which on a timer is remembered with the place that started it. */
const long = 10_000

interface Handle {
  spawnargs?: readonly string[]
  remotePort?: number
  localPort?: number
}

/** Ended timers that are remembered, so that the memory of what they held is free soon. */
const most = 50

const timers = new Map<NodeJS.Timeout, string>()
const { setTimeout: startTimer } = globalThis

/** Remembers timers that would keep the process alive for long. */
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

/** What keeps the process alive: kinds of handles, with ports and commands, and timers, with the places that started them. */
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
  /** Nothing may remain after the tests. What does would keep the run for half an hour: it fails, and says what it is. */
  afterAll(): void {
    startTimer(() => {
      process.stderr.write(
        `\nThe tests have ended, but the process is still alive after ${patience} s. It has:\n` +
          `${process.getActiveResourcesInfo().join(', ')}\n${remaining().join('\n')}\n`,
      )
      // Mocha sets the code of its failures at the exit.
      process.once('exit', () => (process.exitCode = 1))
      process.exit()
    }, 1000 * patience).unref()
  },
}
