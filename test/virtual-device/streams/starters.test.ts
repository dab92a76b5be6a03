import 'should'
import { startInWorker, startVirtualDevice } from '../../../virtual-device'
import { usePrograms } from '../support/program'
import { send } from '../support/use-device'
import { steps, useReceivers } from '../support/use-receivers'

interface Started {
  url: string
  stop: () => Promise<unknown>
}

describe('a virtual device sends its streams', () => {
  const programs = usePrograms()
  const receive = useReceivers()

  const ways: Record<string, (host: string) => Promise<Started>> = {
    'started from code': (host) => startVirtualDevice({ port: 0, host }),
    'in a thread of its own': (host) => startInWorker({ port: 0, host }),
    'as a program': async (host) => {
      const { url, kill } = await programs.start('--host', host)
      const stop = async () => (await kill('SIGTERM')).should.containEql({ code: 0, err: '' })
      return { url, stop }
    },
  }
  for (const [way, start] of Object.entries(ways))
    it(`${way}, from the address at which it is reached, and stops while it sends`, async () => {
      const { url, stop } = await start('127.0.0.7')
      // It accepts only datagrams of that address.
      const imu = await receive('Imu', '127.0.0.7')
      await send('PUT', `${url}/api/v2/datastreams/imu`, { json: { destination: imu.destination } })
      await imu.atLeast(60)
      imu.receiver.statistics().foreign.should.equal(0)
      // A pause of this machine may lose some.
      const even = steps(imu.times).filter((step) => step === 5)
      even.length.should.be.above(40)
      await stop()
    })
})
