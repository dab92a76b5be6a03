/** What the primary host says of itself; version 2.2 of the specification knows no time. */
export interface HostState {
  online: boolean
  /** Milliseconds since 1970, by the clock of the host. */
  timestamp?: number
}

/** Bytes of the longest message that is read. */
const mostBytes = 1000

/** Reads `{"online":true,"timestamp":…}` of version 3.0, or `ONLINE` and `OFFLINE` of version 2.2. */
export function readHostState(payload: unknown): HostState | undefined {
  const isText = typeof payload === 'string' || payload instanceof Uint8Array
  if (isText && payload.length > mostBytes) return undefined
  const text = isText ? Buffer.from(payload).toString('utf8').trim() : undefined
  if (text === 'ONLINE' || text === 'OFFLINE') return { online: text === 'ONLINE' }
  const value = text === undefined ? payload : parsed(text)
  if (typeof value !== 'object' || value === null) return undefined
  const { online, timestamp } = value as Record<string, unknown>
  if (typeof online !== 'boolean') return undefined
  return { online, ...(typeof timestamp === 'number' && { timestamp }) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
