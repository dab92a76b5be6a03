import should from 'should'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { DyingDevice } from '../support/dying-device'
import { usePlcCell } from '../support/plc-cell'

describe('the cell of first-acquisition, whose device is killed after it has accepted a trigger', function () {
  this.timeout(120_000)
  const cell = usePlcCell()

  it('ends in an error: the PLC reads that the outcome is unknown, and nothing is counted', async () => {
    const { connect, deploy, red, device } = cell()
    const child = fork(join(__dirname, '..', 'support', 'dying-device.js'), { execArgv: [] })
    const died = once(child, 'exit') as Promise<[number | null, string | null]>
    try {
      const [dying] = (await once(child, 'message')) as [DyingDevice]
      await deploy('nodes', 'cell-device', dying)
      const plc = await connect()
      await plc.trigger(false)
      const before = await plc.until(({ ready }) => ready)
      await plc.trigger(true)
      const answer = await plc.until(({ done, error, busy }) => !busy && (done || error))
      should(answer).containEql({ done: false, error: true, code: 203, counter: before.counter })
      should(await died).eql([null, 'SIGKILL'])
      red.output().should.match(/take a picture reported: .*it is unknown whether a picture was taken/)
      await plc.trigger(false)

      // Another device in its place.
      await deploy('nodes', 'cell-device', {})
      const again = await connect()
      await again.until(({ ready }) => ready)
      should(await again.acquire()).containEql({ done: true, code: 0, counter: before.counter + 1 })
      const triggers = device.calls().filter(({ operation }) => operation === 'callService')
      should(triggers.length).equal(1)
    } finally {
      child.kill('SIGKILL')
    }
  })
})
