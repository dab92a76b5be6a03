/** Sockets of a program: it connects to a computer of the cell, sends text and numbers, and reads the answers. */
import type { Socket } from 'node:net'
import { dial } from '../../../lib/kernel/dial'
import type { Builtin, Machine } from './builtins'
import { numberIn, shown, textIn, ValueError, type Value } from './values'

/** Sockets of a program; unread and unsent bytes. */
const [mostSockets, mostUnread, mostUnsent] = [8, 64 * 1024, 256 * 1024]
const patience = 2000 // milliseconds for a connection

interface ScriptSocket {
  socket?: Socket
  /** One character per byte. */
  unread: string
  isOver: boolean
}

export class ScriptSockets {
  readonly #open = new Map<string, ScriptSocket>()
  readonly #end = new AbortController()

  /** @returns whether it is connected; undefined while that is unknown */
  open(name: string, host: string, port: number): () => boolean | undefined {
    this.close(name)
    if (this.#open.size >= mostSockets) throw new ValueError('too many open sockets')
    const opened: ScriptSocket = { unread: '', isOver: false }
    this.#open.set(name, opened)
    dial({ host, port, timeout: patience, signal: this.#end.signal }).then(
      (socket) => this.#connected(name, opened, socket),
      () => (opened.isOver = true),
    )
    return () => (opened.isOver ? false : opened.socket ? true : undefined)
  }

  find(name: string): ScriptSocket | undefined {
    return this.#open.get(name)
  }

  close(name: string): void {
    const closed = this.#open.get(name)
    if (!closed) return
    closed.isOver = true
    closed.socket?.end()
    this.#open.delete(name)
  }

  closeAll(): void {
    this.#end.abort()
    for (const name of this.#open.keys()) this.close(name)
  }

  #connected(name: string, opened: ScriptSocket, socket: Socket): void {
    socket.on('error', () => socket.destroy())
    if (this.#open.get(name) !== opened) {
      socket.destroy()
      return
    }
    opened.socket = socket.setNoDelay(true)
    socket.on('data', (bytes: Buffer) => {
      opened.unread += bytes.toString('latin1')
      if (opened.unread.length > mostUnread) socket.destroy()
    })
    socket.on('close', () => (opened.isOver = true))
  }
}

const usual = 'socket_0'
const nameIn = (value: Value) => (value === undefined ? usual : textIn(value))

function write({ sockets }: Machine, name: Value, bytes: Buffer): boolean {
  const found = sockets.find(nameIn(name))
  if (!found?.socket || found.isOver || found.socket.writableLength > mostUnsent) return false
  found.socket.write(bytes)
  return true
}

const sending = (parameter: string, bytesOf: (value: Value) => Buffer): Builtin => ({
  takes: [parameter, 'socket_name'],
  least: 1,
  call: (machine, [value, name]) => write(machine, name, bytesOf(value)),
})

function whole(value: Value, most: number): number {
  const number = numberIn(value)
  if (!Number.isInteger(number) || number < 0 || number > most)
    throw new ValueError(`number from 0 to ${most} expected, got ${shown(value)}`)
  return number
}

const integerBytes = (value: Value): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(Math.trunc(numberIn(value)) | 0)
  return bytes
}

/**
 * Waits for the requested data and consumes it. @param taken number of its characters; undefined if it is incomplete
 * @returns undefined after the timeout in seconds (0: none), or at the end of the connection
 */
function* reading(
  { controller, sockets }: Machine,
  [name, timeout]: readonly [Value, Value],
  taken: (unread: string) => number | undefined,
): Generator<void, string | undefined, void> {
  const seconds = timeout === undefined ? 2 : numberIn(timeout)
  const end = controller.time + seconds
  for (;;) {
    const found = sockets.find(nameIn(name))
    const length = found && taken(found.unread)
    if (found && length !== undefined) {
      const text = found.unread.slice(0, length)
      found.unread = found.unread.slice(length)
      return text
    }
    if (!found || found.isOver || (seconds > 0 && controller.time >= end)) return undefined
    yield
  }
}

const through = (end: string) => (unread: string) => {
  const at = unread.indexOf(end)
  return at < 0 ? undefined : at + end.length
}

const mostNumbers = 30 // of a received list

export const socketFunctions = {
  socket_open: {
    takes: ['address', 'port', 'socket_name'],
    least: 2,
    call: function* ({ sockets }, [address, port, name]) {
      const isOpen = sockets.open(nameIn(name), textIn(address), whole(port, 65_535))
      let open = isOpen()
      for (; open === undefined; open = isOpen()) yield
      return open
    },
  },
  socket_close: {
    takes: ['socket_name'],
    least: 0,
    call: ({ sockets }, [name]) => {
      sockets.close(nameIn(name))
      return true
    },
  },
  socket_send_string: sending('str', (value) => Buffer.from(shown(value), 'latin1')),
  socket_send_line: sending('str', (value) => Buffer.from(`${shown(value)}\n`, 'latin1')),
  socket_send_byte: sending('value', (value) => Buffer.from([whole(value, 255)])),
  socket_send_int: sending('value', integerBytes),
  socket_read_ascii_float: {
    takes: ['number', 'socket_name', 'timeout'],
    least: 1,
    call: function* (machine, [count, name, timeout]) {
      const limit = whole(count, mostNumbers)
      const text = yield* reading(machine, [name, timeout], through(')'))
      const inside = text?.slice(text.lastIndexOf('(') + 1, -1) ?? ''
      const numbers = inside.split(',').map((each) => (each.trim() === '' ? Number.NaN : Number(each)))
      const read = numbers.slice(0, limit).filter((each) => !Number.isNaN(each))
      const rest = Array<number>(Math.max(0, limit - read.length)).fill(Number.NaN)
      return [read.length, ...read, ...rest]
    },
  },
  socket_read_byte_list: {
    takes: ['number', 'socket_name', 'timeout'],
    least: 1,
    call: function* (machine, [count, name, timeout]) {
      const limit = whole(count, mostNumbers)
      const text = yield* reading(machine, [name, timeout], (unread) =>
        unread.length >= limit ? limit : undefined,
      )
      return [text === undefined ? 0 : limit, ...Buffer.from(text ?? '', 'latin1')]
    },
  },
  socket_read_line: {
    takes: ['socket_name', 'timeout'],
    least: 0,
    call: function* (machine, [name, timeout]) {
      return (yield* reading(machine, [name, timeout], through('\n')))?.trimEnd() ?? ''
    },
  },
  socket_read_string: {
    takes: ['socket_name', 'prefix', 'suffix', 'interpret_escape', 'timeout'],
    least: 0,
    call: function* (machine, [name, prefix, suffix, , timeout]) {
      const [before, behind] = [prefix, suffix].map((each) => (each === undefined ? '' : textIn(each)))
      const text = yield* reading(machine, [name, timeout], (unread) =>
        behind ? through(behind)(unread) : unread.length || undefined,
      )
      const from = before && text !== undefined ? text.indexOf(before) : 0
      if (text === undefined || from < 0) return ''
      return text.slice(from + (before?.length ?? 0), behind ? -behind.length : undefined).slice(0, 1023)
    },
  },
} as const satisfies Readonly<Record<string, Builtin>>
