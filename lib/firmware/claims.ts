const place = Symbol.for('@cellsight/node-red-vision firmware updates')

/** Shared even if the library is loaded twice in one process. */
function underUpdate(): Set<string> {
  const shared = globalThis as { [place]?: Set<string> }
  return (shared[place] ??= new Set())
}

/**
 * Ensures that a device is updated by one run at a time, whatever its address.
 * @returns a function that releases the device; undefined if another run has it
 */
export function claimDevice(serial: string): (() => void) | undefined {
  const claimed = underUpdate()
  if (claimed.has(serial)) return undefined
  claimed.add(serial)
  return () => void claimed.delete(serial)
}
