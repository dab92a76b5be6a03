import { createServer } from 'node:net'
import should from 'should'
import { families } from '../../lib/plc/families'
import { type S7Server, startS7Server } from '../../lib/plc/s7'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { listening } from '../support/listening'
import { startNodeRed, type NodeRed } from '../support/node-red'

/** Words of the register map. */
const words = Math.max(...families.sequence.map.map(({ address }) => address)) + 2

interface Fault {
  what: string
  /** What the answer says. */
  en: RegExp
  de: RegExp
  faults?: Parameters<S7Server['fail']>[0]
  /** What listens instead of the CPU. */
  instead?: 'nothing' | 'web'
}

const provoked: readonly Fault[] = [
  {
    ...{ what: 'PUT/GET is not permitted', faults: { putGet: false } },
    ...{ en: /permit access with PUT\/GET/, de: /Erlauben Sie .*PUT\/GET/ },
  },
  {
    ...{ what: 'the access level permits reading only', faults: { access: 'read' } },
    ...{ en: /Choose full access/, de: /Wählen Sie .*Vollzugriff/ },
  },
  {
    ...{ what: 'there is no such data block', faults: { block: 'missing' } },
    ...{ en: /switch off optimized block access/, de: /optimierten Bausteinzugriff aus/ },
  },
  {
    ...{ what: 'the data block is too short', faults: { block: 'short' } },
    ...{ en: /ends before byte/, de: /endet .* vor Byte/ },
  },
  {
    ...{ what: 'all connections are in use', faults: { connections: 0 } },
    ...{ en: /all connections of the CPU/, de: /alle Verbindungen der CPU/ },
  },
  {
    ...{ what: 'a web server answers', instead: 'web' },
    ...{ en: /web server answers/, de: /antwortet ein Webserver/ },
  },
  {
    ...{ what: 'nothing listens', instead: 'nothing' },
    ...{ en: /nothing listens on port/, de: /auf Port \d+ antwortet nichts/ },
  },
]

describe('the test of a connection to an S7 controller', function () {
  this.timeout(120_000)
  let red: NodeRed
  const open: { close?: () => unknown; stop?: () => unknown }[] = []
  before(async () => {
    red = await startNodeRed()
    // The route comes with the first handshake.
    await red.deploy([{ id: 'plc', type: 'vision-plc-handshake', port: (await freePorts(1))[0] }])
  })
  afterEach(async () => {
    for (const each of open.splice(0)) await (each.close ?? each.stop)?.()
  })
  after(() => red.stop())

  async function faulty({ faults = {}, instead }: Partial<Fault>): Promise<{ port: number }> {
    if (instead === 'nothing') return { port: (await freePorts(1))[0] ?? 0 }
    const server = instead
      ? await listening(
          createServer((socket) => {
            socket.on('error', () => undefined)
            socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
          }),
        )
      : await startS7Server({ port: 0, blocks: { 1: words } })
    open.push(server)
    if ('fail' in server) server.fail(faults)
    return server
  }
  const asked = (port: number, language = 'en-US', host = '127.0.0.1') =>
    fetch(`${red.url}/vision-devices/plc-test`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': language },
      body: JSON.stringify({
        fields: { connection: 's7-client', host, s7Port: String(port) },
      }),
    })

  it('tells which CPU answers, and leaves no connection', async () => {
    const server = await startS7Server({ port: 0, blocks: { 1: words } })
    open.push(server)
    const answer = await asked(server.port)
    should(await answer.json()).match({
      type: 'virtual CPU',
      orderNumber: '6ES7 000-0AA00-0AA0',
      protection: 1,
    })
    // The server learns of the end a moment later.
    await eventually(() => server.clients.should.eql([]))
  })

  it('shows the address as it was typed, and no environment variable', async () => {
    const answer = await asked(102, 'en-US', '${HOME}')
    const { message } = (await answer.json()) as { message: string }
    message.should.containEql('${HOME}').and.not.containEql(process.env['HOME'] ?? '/root')
  })

  for (const fault of provoked)
    it(`says what to do if ${fault.what}, in English and German`, async () => {
      const { port } = await faulty(fault)
      for (const language of ['en-US', 'de'] as const) {
        const answer = await asked(port, language)
        should(answer.ok).be.false()
        const { message } = (await answer.json()) as { message: string }
        message.should.match(language === 'de' ? fault.de : fault.en)
      }
    })
})
