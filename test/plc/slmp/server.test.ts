import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import should from 'should'
import { endCodes } from '../../../lib/plc/slmp/frames'
import { SlmpMemory, type SlmpServer, startSlmpServer } from '../../../lib/plc/slmp/server'
import type { PlcError } from '../../../lib/plc/plc-error'
import { eventually } from '../../support/eventually'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

const frame3E = (data: string) => {
  const bytes = hex(`10 00 ${data}`)
  return Buffer.concat([hex('50 00 00 FF FF 03 00'), Buffer.of(bytes.length, 0), bytes])
}

/** Sends bytes that no code of ours made, and waits for the first answer. */
async function asked({ host, port }: SlmpServer, request: Buffer): Promise<string> {
  const socket = connect(port, host)
  try {
    socket.write(request)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    return answer.toString('hex')
  } finally {
    socket.destroy()
  }
}

describe('the SLMP server of the virtual PLC', () => {
  let server: SlmpServer
  let memory: SlmpMemory
  let errors: PlcError[]
  beforeEach(async () => {
    memory = new SlmpMemory({ D: 200, M: 64 })
    errors = []
    server = await startSlmpServer({ memory, port: 0 }, { onError: (error) => errors.push(error) })
  })
  afterEach(() => server.close())

  const readD100 = frame3E('01 04 00 00 64 00 00 A8 02 00')
  const writeD100 = frame3E('01 14 00 00 64 00 00 A8 01 00 34 12')

  it('reads and writes as the manual says', async () => {
    memory.write('D', 100, [0x56ab, 0x170f])
    ;(await asked(server, readD100)).should.equal('d00000ffff0300060000' + '00ab560f17')
    ;(await asked(server, writeD100)).should.equal('d00000ffff030002000000')
    memory.read('D', 100, 1).should.deepEqual([0x1234])
    // REAL 1.0 has its low word first.
    memory.write('D', 100, [0x0000, 0x3f80])
    ;(await asked(server, readD100)).should.endWith('0000803f')
  })

  it('has 16 bits of a bit device in each word', async () => {
    memory.write('M', 3, [1, 0, 1])
    memory.read('M', 0, 1, 'word').should.deepEqual([0b10_1000])
    ;(await asked(server, frame3E('01 14 00 00 00 00 00 90 01 00 03 80'))).should.endWith('0000')
    memory.read('M', 0, 16).should.deepEqual([1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  })

  const refused = [
    {
      what: 'devices that it does not have',
      request: frame3E('01 04 00 00 00 00 00 B4 01 00'),
      endCode: endCodes.noDevice,
    },
    {
      what: 'numbers beyond its devices',
      request: frame3E('01 04 00 00 C7 00 00 A8 02 00'),
      endCode: endCodes.beyondDevices,
    },
    { what: 'other commands', request: frame3E('02 10 00 00 01 00'), endCode: endCodes.unknownCommand },
  ]
  for (const { what, request, endCode } of refused)
    it(`refuses ${what}`, async () => {
      const code = Buffer.from([endCode & 255, endCode >> 8]).toString('hex')
      ;(await asked(server, request)).should.startWith(`d00000ffff03000b00${code}00ffff0300`)
      should(server.counts.refusals).equal(1)
    })

  it('refuses writes, and nothing else, while they are disabled in RUN', async () => {
    server.fail({ writesInRun: false })
    ;(await asked(server, writeD100)).should.startWith('d00000ffff03000b005500')
    memory.read('D', 100, 1).should.deepEqual([0])
    ;(await asked(server, readD100)).should.endWith('0000')
  })

  it('names its model', async () => {
    const answer = Buffer.from(await asked(server, frame3E('01 01 00 00')), 'hex')
    answer.subarray(11, 27).toString('latin1').should.equal('VIRTUAL-CPU     ')
  })

  it('closes the connection of a client that speaks another protocol', async () => {
    const socket = connect(server.port, server.host)
    socket.write('GET / HTTP/1.1\r\n\r\n')
    await once(socket, 'close')
    errors.map(({ key }) => key).should.deepEqual(['slmp-client-protocol'])
  })

  it('turns away a connection beyond its limit, and takes one again when another has gone', async () => {
    await server.close()
    server = await startSlmpServer({ memory, port: 0 })
    server.fail({ connections: 1 })
    const first = connect(server.port, server.host)
    await eventually(() => should(server.clients).have.length(1))
    const second = connect(server.port, server.host)
    await once(second, 'close')
    should(server.counts.turnedAway).equal(1)
    first.destroy()
    await eventually(() => should(server.clients).be.empty())
    ;(await asked(server, readD100)).should.endWith('00000000')
  })

  it('answers 4E frames over UDP with their serial number, and other datagrams not at all', async () => {
    await server.close()
    server = await startSlmpServer({ memory, port: 0, transport: 'udp' })
    const socket = createSocket('udp4')
    try {
      socket.send('nonsense', server.port, server.host)
      const request = Buffer.concat([hex('54 00 CD AB 00 00'), readD100.subarray(2)])
      socket.send(request, server.port, server.host)
      const [answer] = (await once(socket, 'message')) as [Buffer]
      answer.toString('hex').should.equal('d400cdab000000ffff0300060000' + '0000000000')
      should(server.clients).deepEqual(['127.0.0.1'])
    } finally {
      socket.close()
    }
  })
})
