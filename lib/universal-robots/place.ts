import { isIP, type Socket } from 'node:net'
import { dial } from '../kernel/dial'
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

/** Milliseconds for a connection, all addresses of the host together. */
const connectWithin = 3000

/** @throws RobotError UNREACHABLE, ABORTED */
export async function openSocket({ host, port }: Place, signal: AbortSignal): Promise<Socket> {
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
