import { awaitedLater } from '../../../lib/kernel/scope'
import { pollPlc, type PolledPlc } from '../../../lib/plc/client'
import { modbusProtocol } from '../../../lib/plc/modbus'
import type { CellWord } from '../../../lib/plc/rows'
import { eventually } from '../../support/eventually'
import { obey, scriptedPlc, type RawRequest } from '../support/scripted-plc'
import 'should'

const words = (state: number, life: number): CellWord[] => [
  { area: 'registers', address: 0, value: state, group: 'state' },
  { area: 'registers', address: 1, value: life, group: 'life' },
]

describe('a PLC that answers slowly', () => {
  const came: RawRequest[] = []
  let plc: Awaited<ReturnType<typeof scriptedPlc>>
  let polled: PolledPlc

  beforeEach(async () => {
    came.length = 0
    plc = await scriptedPlc((request) => void came.push(request))
    polled = pollPlc(
      {
        ...{ protocol: modbusProtocol(), host: '127.0.0.1', port: plc.port, deadline: 600_000, interval: 5 },
        reads: [{ area: 'registers', address: 9 }],
      },
      { onSample: () => undefined },
    )
    await eventually(() => came.should.have.length(1))
  })
  afterEach(async () => {
    await polled.close()
    await plc.stop()
  })

  /** Answers what is under way, and waits for the next request. */
  const next = async (): Promise<Buffer> => {
    const count = came.length
    obey(came[count - 1] as RawRequest)
    await eventually(() => came.should.have.length(count + 1))
    return (came[count] as RawRequest).pdu
  }

  it('gets a change in the second request at the latest, with the newest beat, however many beats there were', async () => {
    const first = polled.write(words(1, 0))
    ;[...(await next())].should.eql([16, 0, 0, 0, 2, 4, 0, 1, 0, 0])
    const beats = Array.from({ length: 200 }, (_, index) => polled.write(words(1, index + 1)))
    const changed = polled.write(words(2, 201))
    ;[...(await next())].should.eql([16, 0, 0, 0, 2, 4, 0, 2, 0, 201])
    ;(await next())[0]?.should.equal(3)
    await Promise.all([first, changed, ...beats])
  })

  it('is read between two beats: they do not keep triggers from being seen', async () => {
    // The end of the test ends those that are still waiting.
    const writes = [awaitedLater(polled.write(words(1, 0)))]
    await next()
    const codes: (number | undefined)[] = []
    for (const life of [1, 2, 3, 4]) {
      writes.push(awaitedLater(polled.write(words(1, life))))
      codes.push((await next())[0])
    }
    writes.should.have.length(5)
    codes.filter((code) => code === 3).length.should.be.aboveOrEqual(1)
  })

  it('gets every state, in order: one that takes flags back is not left out', async () => {
    const writes = [words(1, 0), words(0, 0), words(3, 0)].map((each) => polled.write(each))
    const states: (number | undefined)[] = []
    for (let count = 0; count < 3; count++) {
      const pdu = await next()
      states.push(pdu[0] === 6 ? pdu[4] : pdu[7])
    }
    states.should.eql([1, 0, 3])
    await next()
    await Promise.all(writes)
  })
})
