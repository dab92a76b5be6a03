import type { Socket } from 'node:net'
import { patientTimeout } from '../../timers/patient-timeout'
import { openSocket, type Place, urError } from '../place'

/** Milliseconds for an answer. */
const answerWithin = 2000
/** Longest line that is read. */
const longest = 4096

/** The dashboard server of a controller: a line out, a line in. Never switches on, releases or unlocks anything. */
export type DashboardCommand = 'is in remote control' | 'stop' | 'PolyscopeVersion'

/**
 * Asks once, over a connection of its own: one that was open before remote control was chosen stays refused.
 * @returns the answer, without its end
 * @throws RobotError UNREACHABLE, TIMEOUT, ABORTED, BAD_REPLY
 */
export async function askDashboard(
  place: Place,
  command: DashboardCommand,
  signal: AbortSignal,
): Promise<string> {
  const socket = await openSocket(place, signal)
  try {
    const [, answer = ''] = await lines(socket, { place, signal, count: 2, first: `${command}\n` })
    return answer
  } finally {
    socket.destroy()
  }
}

interface Reading {
  place: Place
  signal: AbortSignal
  count: number
  /** Sent behind the greeting, which is the first line. */
  first: string
}

/** Reads so many lines. */
function lines(socket: Socket, { place, signal, count, first }: Reading): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let text = ''
    let isAsked = false
    const end = () => {
      stop()
      signal.removeEventListener('abort', aborted)
    }
    const fail = (code: 'TIMEOUT' | 'UNREACHABLE' | 'BAD_REPLY' | 'ABORTED') => {
      end()
      const key = failures[code]
      reject(urError({ code, key, values: { ...place } }))
    }
    const aborted = () => fail('ABORTED')
    const stop = patientTimeout(() => fail('TIMEOUT'), answerWithin)
    signal.addEventListener('abort', aborted, { once: true })
    if (signal.aborted) aborted()
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
      if (text.length > longest) {
        fail('BAD_REPLY')
        return
      }
      const all = text.split('\n').map((line) => line.trimEnd())
      if (all.length > 1 && !isAsked) {
        isAsked = true
        socket.write(first, 'latin1')
      }
      if (all.length <= count) return
      end()
      resolve(all.slice(0, count))
    })
    socket.once('close', () => fail('UNREACHABLE'))
  })
}

const failures = {
  TIMEOUT: 'ur-no-answer',
  UNREACHABLE: 'ur-lost',
  BAD_REPLY: 'ur-not-dashboard',
  ABORTED: 'ur-closed',
} as const
