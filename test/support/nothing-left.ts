/** Seconds after the last test in which the process has to end by itself. */
const patience = 30

interface Handle {
  spawnargs?: readonly string[]
  remotePort?: number
  localPort?: number
}

/** What keeps the process alive: kinds of handles, with ports and commands. */
function remaining(): string[] {
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles: () => Handle[] }
  return handles.call(process).map((handle) => {
    const { spawnargs, remotePort, localPort } = handle
    return [handle.constructor.name, spawnargs?.slice(0, 4).join(' '), localPort, remotePort]
      .filter((part) => part !== undefined)
      .join(' ')
  })
}

export const mochaHooks = {
  /** Nothing may remain after the tests. What does would keep the run for half an hour: it fails, and says what it is. */
  afterAll(): void {
    setTimeout(() => {
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
