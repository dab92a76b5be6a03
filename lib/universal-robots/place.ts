import { connect, isIP, type Socket } from 'node:net'
import { patientTimeout } from '../timers/patient-timeout'
import { sentencesIn } from '../kernel/sentences'
import { robotErrorsOf } from '../robot-motion'
import type en from './locales/en-US/sentences.json'

export const urError = robotErrorsOf(sentencesIn<typeof en>(__dirname))

/** Where an interface of the controller is. */
export interface Place {
  host: string
  port: number
}

const unknownHost: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NONAME'])

/** Milliseconds for a connection. */
const connectWithin = 3000

/** @throws RobotError UNREACHABLE, ABORTED */
export function openSocket({ host, port }: Place, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 5000 })
    const stop = patientTimeout(() => fail('ETIMEDOUT'), connectWithin)
    const end = () => {
      stop()
      signal.removeEventListener('abort', aborted)
      socket.off('connect', connected)
      socket.off('error', failed)
    }
    const connected = () => {
      end()
      // An error that nobody waits for ends the connection; `close` tells.
      socket.on('error', () => undefined)
      resolve(socket)
    }
    const fail = (reason: string) => {
      end()
      socket.on('error', () => undefined)
      socket.destroy()
      reject(
        reason === 'ABORTED'
          ? urError({ code: 'ABORTED', key: 'ur-closed' })
          : urError({
              code: 'UNREACHABLE',
              key: unknownHost.has(reason) ? 'ur-unknown-host' : 'ur-unreachable',
              values: { host: isIP(host) === 6 ? `[${host}]` : host, port, reason },
              cause: { reason },
            }),
      )
    }
    const failed = ({ code, message }: NodeJS.ErrnoException) => fail(code ?? message)
    const aborted = () => fail('ABORTED')
    socket.once('connect', connected)
    socket.once('error', failed)
    if (signal.aborted) aborted()
    else signal.addEventListener('abort', aborted, { once: true })
  })
}
