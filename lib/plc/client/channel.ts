/** A TCP connection or a UDP socket to one PLC, as the client uses it. */
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { dial } from '../../kernel/dial'
import { unlessAborted } from '../../kernel/scope'

/** What arrives and how it ends. */
export interface ChannelEvents {
  /** Over UDP, one datagram. */
  onData: (chunk: Buffer) => void
  /** Closed by the other side or the network. @param reason `FIN`, or the code of the network */
  onEnd: (reason: string) => void
}

export interface Channel {
  send: (bytes: Uint8Array) => void
  /** Resolves when nothing is left. Nothing arrives any more. */
  close: () => Promise<void>
}

interface ChannelOptions extends ChannelEvents {
  transport: 'tcp' | 'udp'
  host: string
  port: number
  /** Milliseconds for a connection. */
  timeout: number
  signal: AbortSignal
}

/** @throws ErrnoException; the reason of the abort */
export const openChannel = ({ transport, ...options }: ChannelOptions): Promise<Channel> =>
  transport === 'tcp' ? openTcp(options) : openUdp(options)

type Options = Omit<ChannelOptions, 'transport'>

async function openTcp({ onData, onEnd, ...target }: Options): Promise<Channel> {
  const socket = await dial(target)
  let isClosing = false
  socket.setNoDelay(true).setKeepAlive(true, 10_000)
  socket.on('data', (chunk) => {
    if (!isClosing) onData(chunk)
  })
  socket.on('error', ({ code, message }: NodeJS.ErrnoException) => onEnd(code ?? message))
  // Without an error before it: the PLC has closed the connection.
  socket.once('close', () => onEnd('FIN'))
  return {
    send: (bytes) => void socket.write(bytes),
    close: () =>
      new Promise<void>((resolve) => {
        isClosing = true
        if (socket.closed) {
          resolve()
          return
        }
        socket.once('close', () => resolve())
        socket.destroy()
      }),
  }
}

/** Connected, so that only this PLC is received, and a closed port is reported. */
async function openUdp({ host, port, signal, onData, onEnd }: Options): Promise<Channel> {
  const { address, family } = await unlessAborted(signal, lookup(host))
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  let isClosing = false
  const closed = new Promise<void>((resolve) => socket.once('close', resolve))
  const close = () => {
    if (!isClosing) socket.close()
    isClosing = true
    return closed
  }
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.connect(port, address, () => {
      socket.off('error', reject)
      resolve()
    })
  }).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const failed = ({ code, message }: NodeJS.ErrnoException) => {
    if (!isClosing) onEnd(code ?? message)
  }
  socket.on('error', failed)
  socket.on('message', (datagram) => {
    if (!isClosing) onData(datagram)
  })
  return {
    send: (bytes) => {
      if (!isClosing) socket.send(bytes, (error) => error && failed(error))
    },
    close,
  }
}
