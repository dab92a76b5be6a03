import should from 'should'
import { eventually } from '../../support/eventually'
import { nanoseconds, useImages, there } from './image-client'

const depthOnly = { disparityEnabled: true }

describe('the acquisition modes of the image stream', () => {
  const images = useImages({ scenario: { image_client: false } })
  const trigger = async (node = 'stereomatching') =>
    (await images.call(node, 'acquisition_trigger')).return_code.value
  /** Triggers as soon as the device knows its client and no other trigger is pending. */
  const accepted = () =>
    eventually(async () => {
      should(await trigger()).equal(0)
    })

  it('SingleFrame gives one set for each trigger, taken after it', async () => {
    await images.set('stereomatching', { acquisition_mode: 'SingleFrame', quality: 'Low' })
    const { messages, atLeast } = images.sets({ leftEnabled: true, ...depthOnly })
    for (const count of [1, 2, 3]) {
      await accepted()
      await atLeast(count)
      messages.length.should.equal(count)
    }
    const [first, second, third] = messages.map(({ timestamp }) => nanoseconds(timestamp))
    should(there(second) > there(first) && there(third) > there(second)).be.true()
  })

  it('a trigger without a client of depth answers 102, with one it does not', async () => {
    await images.set('stereomatching', { acquisition_mode: 'SingleFrame', quality: 'Low' })
    should(await trigger()).equal(102)
    const left = images.sets({ leftEnabled: true })
    await left.atLeast(1)
    should(await trigger()).equal(102)
    const depth = images.sets(depthOnly)
    await accepted()
    await depth.atLeast(1)
    depth.cancel()
    await eventually(async () => should(await trigger()).equal(102))
  })

  it('camera images go on while depth waits for a trigger', async () => {
    await images.set('stereomatching', { acquisition_mode: 'SingleFrame' })
    const depth = images.sets({ leftEnabled: true, ...depthOnly })
    await images.sets({ leftEnabled: true }).atLeast(5)
    depth.messages.length.should.equal(0)
  })

  it('Continuous gives depth without triggers', async () => {
    await images.set('stereomatching', { quality: 'Low' })
    await images.sets(depthOnly).atLeast(3)
    should(await trigger()).equal(-8)
  })

  it('with a projector on every other image, camera images are one frame older than their depth', async () => {
    await images.set('iocontrol', { out1_mode: 'ExposureAlternateActive' })
    await images.set('stereomatching', { quality: 'Low' })
    const [set] = await images.sets({ leftEnabled: true, ...depthOnly }).atLeast(1)
    const { left, disparity, timestamp } = there(set)
    should(there(disparity).image.timestamp).eql(timestamp)
    String(nanoseconds(timestamp) - nanoseconds(there(left).timestamp)).should.equal('40000000')
  })

  it('the pictures are told to be taken before their set is there', async () => {
    await images.set('stereomatching', { acquisition_mode: 'SingleFrame', quality: 'High' })
    const order: string[] = []
    const events = images.events()
    const sets = images.sets(depthOnly)
    events.call.on('data', () => order.push('event'))
    sets.call.on('data', () => order.push('set'))
    await accepted()
    await Promise.all([events.atLeast(1), sets.atLeast(1)])
    order.should.eql(['event', 'set'])
    String(events.messages[0]?.imagesetTimestamp).should.equal(
      String(nanoseconds(there(sets.messages[0]).timestamp)),
    )
  })
})

describe('a camera in trigger mode', () => {
  const images = useImages({ variant: 'multi' })

  it('takes a picture for each trigger, its own or one of depth', async () => {
    await images.set('camera', { acquisition_mode: 'Trigger' })
    await images.set('stereomatching', { acquisition_mode: 'SingleFrame', quality: 'Low' })
    const { messages, atLeast } = images.sets({ leftEnabled: true })
    // Nothing tells that the subscription is in place.
    await eventually(async () => {
      await images.call('camera', 'acquisition_trigger')
      messages.length.should.be.above(0)
    })
    const before = messages.length
    const { return_code } = await images.call('stereomatching', 'acquisition_trigger')
    return_code.value.should.equal(0)
    await atLeast(before + 1)
  })
})
