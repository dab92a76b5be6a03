import should from 'should'
import { openMap } from '../../../lib/plc/data'
import { families, familyIds } from '../../../lib/plc/families'
import { PlcCell } from '../../../lib/plc/handshake/cell'
import { openClientPort } from '../../../lib/plc/handshake/ports'
import { s7Protocol } from '../../../lib/plc/s7'
import { s7Notation } from '../../../lib/plc/s7/addresses'
import { tryS7 } from '../../../lib/plc/s7/try-plc'
import { s7PlcServer, VirtualPlc } from '../../../lib/plc/virtual/virtual-plc'
import { freePorts } from '../../support/free-ports'
import { dissected, eavesdropper } from '../../support/tshark'

/** The port by which Wireshark knows the protocol. */
const port = 102

describe('handshakes over S7, dissected by Wireshark', function () {
  this.timeout(60_000)
  it('have no malformed telegram, and the requests that they should have', async () => {
    const [plcPort = 0] = await freePorts(1)
    const said: Parameters<typeof dissected>[0][number][] = []
    for (const [place, id] of familyIds.entries()) {
      const family = families[id]
      const map = openMap({ lines: family.map, notation: s7Notation(1) })
      const plc = new VirtualPlc({
        ...{ family, map, order: 'ABCD', cycle: 1, host: '127.0.0.1', port: plcPort, farewell: 1 },
        serve: s7PlcServer({ host: '127.0.0.1', port: plcPort, block: 1 }),
      })
      await plc.opened
      const between = await eavesdropper(plcPort)
      const address = { host: '127.0.0.1', port: between.port }
      await tryS7({}, address, map, new AbortController().signal)
      let tokens = 0
      const cell = await PlcCell.open(
        {
          family,
          newToken: () => `token-${++tokens}`,
          openPort: (events) =>
            openClientPort({ protocol: s7Protocol(), ...address, interval: 5, firstPause: 5 }, map, events),
        },
        { onStart: ({ token, job = 0 }) => void cell.answer(token, { count: job }) },
      )
      cell.hear({ type: 'device', ready: true })
      for (const job of [7, 8])
        should(await plc.trigger(job, AbortSignal.timeout(30_000))).containEql({ done: true })
      await cell.close()
      await plc.close()
      await between.stop()
      said.push(...between.messages.map((each) => ({ ...each, connection: each.connection + 100 * place })))
    }
    should(
      await dissected(said, port, '_ws.malformed || _ws.expert.severity >= 0x600000', [
        'frame.number',
        '_ws.expert.message',
      ]),
    ).eql([])
    const jobs = await dissected(said, port, 's7comm.header.rosctr == 1', ['s7comm.param.func'])
    const kinds = new Set(jobs.flatMap((line) => line.split(',')))
    should([...kinds].sort()).eql(['0x04', '0x05', '0xf0'])
    const answers = await dissected(said, port, 's7comm.header.rosctr == 3', ['s7comm.header.errcod'])
    // The last request of a connection that is closed may be without one.
    should(jobs.length - answers.length).be.within(0, 2 * familyIds.length)
    should(answers.length).be.above(100)
  })
})
