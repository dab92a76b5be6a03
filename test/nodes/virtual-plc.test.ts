import 'should'
import { useBench } from '../support/bench'

describe('virtual-plc', () => {
  const handshake = { id: 'plc', type: 'vision-plc-handshake', name: '', family: 'sequence' }
  const bench = useBench({ type: 'vision-virtual-plc', handshake: 'plc' }, { flow: [handshake] })
  const logged = () => bench.logged('vision-virtual-plc').map(String).join('\n')

  const deploy = (fields: object) => {
    Object.assign(handshake, fields)
    return bench.deploy()
  }

  it('says at the deploy that it cannot be a PLC at another address', async () => {
    await deploy({ connection: 'client', host: '192.168.0.10' })
    await bench.send().should.be.rejectedWith({ code: 'INVALID_INPUT' })
    logged().should.match(/connects to 192\.168\.0\.10, where no virtual PLC can be\. Enter 127\.0\.0\.1/)
  })

  it('says that it does not take the place of messages of other nodes', async () => {
    await deploy({ connection: 'mqtt' })
    await bench.send().should.be.rejectedWith(/uses messages of other nodes/)
  })
})
