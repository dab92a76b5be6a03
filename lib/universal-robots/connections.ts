/** Connections to a Universal Robots controller: TCP with a sentence per failure, and dashboard requests. */
import { isIP, type Socket } from 'node:net'
import { dial } from '../kernel/dial'
import { sentencesIn } from '../kernel/sentences'
import { robotErrorsOf } from '../robot-motion'
import { patientTimeout } from '../kernel/timers'
import type en from './locales/en-US/sentences.json'

export const urError = robotErrorsOf(sentencesIn<typeof en>(__dirname))

export interface Endpoint {
  host: string
  port: number
}

const unknownHost: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NONAME'])

const connectWithin = 3000 // milliseconds for a connection, all addresses of the host together

/** @throws RobotError UNREACHABLE, ABORTED */
export async function openSocket({ host, port }: Endpoint, signal: AbortSignal): Promise<Socket> {
  try {
    const socket = await dial({ host, port, timeout: connectWithin, signal })
    // An error ends the connection; `close` follows.
    return socket
      .setNoDelay(true)
      .setKeepAlive(true, 5000)
      .on('error', () => undefined)
  } catch (error) {
    if (signal.aborted) throw urError({ code: 'ABORTED', key: 'ur-closed' })
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code ?? message
    throw urError({
      code: 'UNREACHABLE',
      key: unknownHost.has(reason) ? 'ur-unknown-host' : 'ur-unreachable',
      values: { host: isIP(host) === 6 ? `[${host}]` : host, port, reason },
      cause: { reason },
    })
  }
}

const answerWithin = 2000 // milliseconds for an answer

const longest = 4096 // bytes of a line

/** Line protocol of the dashboard server. Never powers on, releases or unlocks anything. */
export type DashboardCommand = 'is in remote control' | 'stop' | 'PolyscopeVersion'

/**
 * Sends one request over a connection of its own: one opened before remote control was chosen stays refused. @returns
 * the line, without its end @throws RobotError UNREACHABLE, TIMEOUT, ABORTED, BAD_REPLY
 */
export async function dashboardRequest(
  place: Endpoint,
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
  place: Endpoint
  signal: AbortSignal
  count: number
  /** Sent after the greeting, which is the first line. */
  first: string
}

function lines(socket: Socket, { place, signal, count, first }: Reading): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let text = ''
    let isSent = false
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
      if (all.length > 1 && !isSent) {
        isSent = true
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
