import { once } from 'node:events'
import { connect } from 'node:http2'
import should from 'should'
import { eventually } from '../../support/eventually'
import { setsMethod, there, useImages } from './image-client'

/** Asks for the disparity. */
const request = Buffer.from([0, 0, 0, 0, 2, 0x18, 1])
const headers = { ':method': 'POST', ':path': setsMethod, 'content-type': 'application/grpc', te: 'trailers' }

/** Whole messages of gRPC. */
function setsIn(bytes: Buffer): number {
  let [sets, at] = [0, 0]
  for (; at + 5 <= bytes.length; sets++) at += 5 + bytes.readUInt32BE(at + 1)
  return at === bytes.length ? sets : sets - 1
}

describe('an image stream whose request is late', () => {
  const images = useImages({ scenario: { image_client: true } })
  const trigger = async () => (await images.call('stereomatching', 'acquisition_trigger')).return_code.value
  /** Triggers as soon as the depth image of the trigger before is ready. */
  const triggered = () => eventually(async () => should(await trigger()).equal(0))
  /** A client that has connected, and not asked for anything yet. */
  const connected = async () => {
    const session = connect(`http://127.0.0.1:${there(images.device.ports.images).port}`)
    await once(session, 'remoteSettings')
    return session
  }

  for (const withEvents of [false, true])
    it(`gets what was triggered since its client connected${withEvents ? ', beside a client of events' : ''}`, async () => {
      await images.set('stereomatching', { acquisition_mode: 'SingleFrame', quality: 'Low' })
      if (withEvents) {
        const { messages } = images.events()
        // The device knows it once it gets an event.
        await eventually(async () => {
          await trigger()
          messages.length.should.be.above(0)
        })
        await triggered()
      }
      const session = await connected()
      await triggered()
      await triggered()
      const stream = session.request(headers)
      let bytes = Buffer.alloc(0)
      stream.on('data', (more: Buffer) => (bytes = Buffer.concat([bytes, more])))
      stream.end(request)
      await eventually(() => setsIn(bytes).should.be.aboveOrEqual(2))
      session.destroy()
    })

  it('gets nothing of what was ready before', async () => {
    await images.set('stereomatching', { acquisition_mode: 'SingleFrame', quality: 'Low' })
    for (let before = 0; before < 4; before++) await triggered()
    const { messages } = images.sets({ disparityEnabled: true })
    // The one that is pending while the client connects.
    let own = 1
    while (messages.length < 2) {
      await triggered()
      own++
    }
    messages.length.should.be.belowOrEqual(own)
  })
})
