const place = Symbol.for('@cellsight/node-red-vision firmware updates')

/** Also where the library is loaded twice into one process. */
function underUpdate(): Set<string> {
  const shared = globalThis as { [place]?: Set<string> }
  return (shared[place] ??= new Set())
}

/**
 * Makes sure that a device is updated by one run at a time, whatever address it is known by.
 * @returns how to give it up; undefined where another run has it
 */
export function claimDevice(serial: string): (() => void) | undefined {
  const claimed = underUpdate()
  if (claimed.has(serial)) return undefined
  claimed.add(serial)
  return () => void claimed.delete(serial)
}
