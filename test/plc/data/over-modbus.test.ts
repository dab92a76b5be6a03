import ModbusRTU from 'modbus-serial'
import 'should'
import { openMap } from '../../../lib/plc/data'
import { families } from '../../../lib/plc/families'
import { pollPlc } from '../../../lib/plc/client'
import { modbusProtocol, startModbusServer } from '../../../lib/plc/modbus'
import type { PlcInputs } from '../../../lib/plc/rows'
import { eventually } from '../../support/eventually'
import { cellOutputs } from '../support/cell-outputs'

const map = openMap({ lines: families.sequence.map })

describe('a map over Modbus TCP', () => {
  const open: { close: () => unknown }[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()))
  })

  it('is served to a PLC, which reads all of it at once and writes its own words alone', async () => {
    const samples: PlcInputs[] = []
    const server = await startModbusServer(
      { port: 0, blocks: map.blocks },
      {
        onWrite: () =>
          samples.push(
            map.readWords(
              (area, address) => server.read(area === 'coils' ? area : 'registers', address, 1)[0],
            ),
          ),
      },
    )
    const plc = new ModbusRTU()
    open.push({ close: () => plc.close(() => {}) }, server)
    await plc.connectTCP('127.0.0.1', { port: server.port })
    plc.setID(1)
    plc.setTimeout(10_000)
    server.set(map.words(cellOutputs({ ready: true, code: -8, sequenceEcho: 7 })))
    const { data } = await plc.readHoldingRegisters(0, 29)
    ;[data[8], data[27], data[28]].should.deepEqual([65_528, 1, 7])
    await plc.writeRegisters(0, [8, 3])
    samples[0]?.should.containEql({ sequence: 8, job: 3 })
    await plc.writeRegister(8, 1).should.be.rejectedWith({ modbusCode: 2 })
  })

  it('is polled in a PLC, and written there in one request', async () => {
    const plc = await startModbusServer(
      { port: 0, blocks: { registers: [{ address: 0, count: 40, writable: true }] } },
      { onWrite: () => {} },
    )
    const samples: PlcInputs[] = []
    const polled = pollPlc(
      { protocol: modbusProtocol(), host: '127.0.0.1', port: plc.port, interval: 5, reads: map.reads },
      { onSample: (words) => samples.push(map.readWords(words.value)) },
    )
    open.push(polled, plc)
    plc.set([{ area: 'registers', address: 0, value: 9 }])
    await eventually(
      () => samples.at(-1)?.sequence?.should.equal(9) ?? Promise.reject(new Error('nothing was read')),
    )
    await polled.write(map.words(cellOutputs({ done: true, sequenceEcho: 9 })))
    plc.counts.writes.should.equal(1)
    plc.read('registers', 27, 2).should.deepEqual([4, 9])
  })
})
