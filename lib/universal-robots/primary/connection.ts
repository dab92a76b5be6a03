import { patientTimeout } from '../../timers/patient-timeout'
import { openSocket, type Place, urError } from '../place'
import { PrimaryReader, type PrimaryMessage } from './package'

/** A connection to the primary interface, which takes programs. */
export interface PrimaryConnection {
  /** Sends a program. */
  send: (script: string) => void
  close: () => void
}

/** Bytes to be read before a program is safe to send (the version message and the beginning of a state). */
const enough = 79
/** Milliseconds for them: states come ten times a second. */
const readyWithin = 2000

/**
 * Connects, and waits until the controller sends. It has to be in remote control before: a connection that is open in local
 * mode stays read-only without saying so.
 * @throws RobotError UNREACHABLE, TIMEOUT, ABORTED
 */
export async function openPrimary(
  place: Place,
  { onMessage, onEnd }: { onMessage: (message: PrimaryMessage) => void; onEnd: () => void },
  signal: AbortSignal,
): Promise<PrimaryConnection> {
  const socket = await openSocket(place, signal)
  const reader = new PrimaryReader()
  let isOpen = true
  const end = () => {
    if (!isOpen) return
    isOpen = false
    socket.destroy()
    onEnd()
  }
  const ready = new Promise<void>((resolve, reject) => {
    const stop = patientTimeout(() => {
      end()
      reject(urError({ code: 'TIMEOUT', key: 'ur-no-answer', values: { ...place } }))
    }, readyWithin)
    socket.on('data', (chunk) => {
      try {
        for (const message of reader.push(chunk)) onMessage(message)
      } catch {
        end()
      }
      if (reader.read < enough) return
      stop()
      resolve()
    })
    socket.once('close', () => {
      end()
      stop()
      reject(urError({ code: 'UNREACHABLE', key: 'ur-lost', values: { ...place } }))
    })
  })
  const aborted = () => socket.destroy()
  signal.addEventListener('abort', aborted, { once: true })
  if (signal.aborted) aborted()
  try {
    await ready
  } finally {
    signal.removeEventListener('abort', aborted)
  }
  return {
    send: (script) => {
      if (isOpen) socket.write(script, 'ascii')
    },
    close: end,
  }
}
