import { once } from 'node:events'
import { connect, createServer, Socket, type AddressInfo, type Server } from 'node:net'
import { dial } from '../../lib/kernel/dial'
import { PersistentConnection, RetrySchedule, type LinkNotice } from '../../lib/kernel/connection'
import 'should'

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'none'

describe('the pauses between attempts', () => {
  it('are random up to a limit that doubles up to a maximum, and begin anew after a success', () => {
    const schedule = new RetrySchedule({ first: 100, longest: 1000, random: () => 1 })
    const pauses = () => Array.from({ length: 6 }, () => schedule.next())
    pauses().should.eql([100, 200, 400, 800, 1000, 1000])
    schedule.reset()
    pauses().should.eql([100, 200, 400, 800, 1000, 1000])
    new RetrySchedule({ first: 100, random: () => 0 }).next().should.equal(20)
    new RetrySchedule({ first: 100 }).next(5000).should.equal(5000)
  })
})

describe('a persistent connection', () => {
  let server: Server
  let port: number
  let accept: (socket: Socket) => void
  let accepted: number
  let kept: PersistentConnection<Socket, Error> | undefined
  const notices: string[] = []
  let told: () => void = () => undefined

  const keep = (options: object = {}) =>
    (kept = new PersistentConnection<Socket, Error>({
      open: async ({ signal, proven, ended }) => {
        const socket = await dial({ host: '127.0.0.1', port, timeout: 1000, signal })
        socket.on('data', proven)
        socket.on('error', ended)
        socket.on('close', () => ended(Object.assign(new Error('closed'), { code: 'FIN' })))
        return socket
      },
      release: async (socket) => {
        socket.destroy()
        if (!socket.closed) await once(socket, 'close')
      },
      failureOf: (error) => error as Error,
      causeOf: codeOf,
      provenBy: 'exchange',
      retry: { first: 1, longest: 1, shortest: 1 },
      onNotice: (notice: LinkNotice<Error>) => {
        notices.push(
          notice.is === 'up'
            ? `up after ${notice.failures}`
            : `${codeOf(notice.failure)}${notice.again ? ' again' : ''}`,
        )
        told()
      },
      ...options,
    }))
  const notice = () => new Promise<void>((resolve) => (told = resolve))

  beforeEach(async () => {
    notices.length = accepted = 0
    accept = () => undefined
    server = createServer((socket) => {
      accepted++
      socket.on('error', () => undefined)
      accept(socket)
    })
    port = await listening(server)
  })
  afterEach(async () => {
    await kept?.close()
    await new Promise((resolve) => server.close(resolve))
  })

  const acceptedTimes = async (times: number) => {
    while (accepted < times) await once(server, 'connection')
  }

  it('pauses ever longer, and reports once, while the peer accepts and closes at once', async () => {
    accept = (socket) => socket.destroy()
    const began = performance.now()
    keep({ retry: { first: 2, longest: 64, shortest: 0, random: () => 1 } })
    await acceptedTimes(8)
    // 2 + 4 + 8 + 16 + 32 + 64 + 64, less what timers are early by.
    ;(performance.now() - began).should.be.above(180)
    notices.length.should.be.belowOrEqual(2)
    new Set(notices).size.should.equal(notices.length)
    kept?.state.should.not.equal('up')
  })

  it('is up when something useful came, not when the peer accepted', async () => {
    let peer: Socket | undefined
    accept = (socket) => (peer = socket)
    let opened: () => void = () => undefined
    const isOpen = new Promise<void>((resolve) => (opened = resolve))
    keep({ onOpen: () => opened() })
    await isOpen
    await acceptedTimes(1)
    kept?.state.should.equal('open')
    notices.should.eql([])
    const up = notice()
    peer?.write('useful')
    await up
    kept?.state.should.equal('up')
    notices.should.eql(['up after 0'])
  })

  it('reports a peer that closes after each answer twice, and its return with what was left out once it has lasted', async () => {
    accept = (socket) => (accepted <= 50 ? socket.end('x') : socket.write('x'))
    keep({ stableAfter: 300 })
    await acceptedTimes(50)
    notices.should.eql(['up after 0', 'FIN', 'up after 1', 'FIN again'])
    await notice()
    notices.at(-1)?.should.equal('up after 50')
  })

  it('leaves nothing behind when it is closed, at whatever moment', async () => {
    for (const moment of ['connecting', 'open', 'waiting'] as const) {
      accept = (socket) => void (moment === 'waiting' && socket.destroy())
      let reached: () => void = () => undefined
      const isThere = new Promise<void>((resolve) => (reached = resolve))
      const stopped = keep({
        retry: { first: 60_000, longest: 60_000, random: () => 1 },
        onState: (state: string) => {
          if (state === moment) reached()
        },
      })
      if (stopped.state !== moment) await isThere
      await stopped.close()
      stopped.state.should.equal('closed')
      ;(stopped.connection === undefined).should.be.true()
      await stopped.close()
    }
    const abort = new AbortController()
    const aborted = keep({ signal: abort.signal })
    abort.abort()
    await aborted.close()
    aborted.state.should.equal('closed')
  })
})

describe('dialling a host', () => {
  const several =
    (...addresses: string[]) =>
    (
      _host: string,
      _options: unknown,
      callback: (error: null, found: { address: string; family: number }[]) => void,
    ) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      )

  /** A way of 400 ms to addresses that answer, none to 127.0.0.2. */
  const overSlowLink = ({ host, port }: { host: string; port: number }) => {
    const socket = new Socket()
    if (host !== '127.0.0.2') setTimeout(() => !socket.destroyed && socket.connect(port, host), 400).unref()
    return socket
  }

  let server: Server
  let port: number
  before(async () => {
    server = createServer((socket) => socket.on('error', () => undefined).resume())
    port = await listening(server)
  })
  after((done) => void server.close(done))

  for (const addresses of [
    ['127.0.0.2', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.2', '127.0.0.2'],
  ])
    it(`reaches one of ${addresses.join(', ')} over a link that needs 400 ms`, async () => {
      const lookup = several(...addresses) as never
      const socket = await dial({ host: 'plc', port, timeout: 3000, lookup, open: overSlowLink, stagger: 20 })
      socket.remoteAddress?.should.equal('127.0.0.1')
      socket.destroy()
    })

  it('goes on to the next address as soon as one refuses, and tells why all refused', async () => {
    const free = createServer()
    const closed = await listening(free)
    await new Promise((resolve) => free.close(resolve))
    const refused = {
      host: 'plc',
      port: closed,
      timeout: 3000,
      lookup: several('127.0.0.1', '127.0.0.3') as never,
    }
    await dial(refused).should.be.rejectedWith({ code: 'ECONNREFUSED' })
    const open = ({ host, port: to }: { host: string; port: number }) =>
      host === '127.0.0.3' ? connect(port, '127.0.0.1') : connect(to, host)
    ;(await dial({ ...refused, open })).destroy()
  })

  it('ends at its own deadline, and at once when it is aborted', async () => {
    const lookup = several('127.0.0.2', '127.0.0.2') as never
    const silent = { host: 'plc', port, lookup, open: overSlowLink }
    await dial({ ...silent, timeout: 50 }).should.be.rejectedWith({ code: 'ETIMEDOUT' })
    const abort = new AbortController()
    const dialled = dial({ ...silent, timeout: 60_000, signal: abort.signal })
    abort.abort()
    await dialled.should.be.rejectedWith({ code: 'ABORTED' })
    await dial({
      ...silent,
      timeout: 60_000,
      lookup: () => undefined,
      signal: abort.signal,
    }).should.be.rejectedWith({
      code: 'ABORTED',
    })
  })
})
