import should from 'should'
import type { firmware } from '../../lib'
import { eventually } from '../support/eventually'
import { useFirmware } from './firmware-bench'

describe('the wait for an image whose upload is not answered', () => {
  /** Seconds that the device's clock is ahead. */
  let ahead = 0
  const bench = useFirmware({
    clock: { now: () => Date.now() / 1000 + ahead },
    scenario: { update_seconds: 3600 },
  })

  it('ends in the first run too when the time for writing is over, and tells what is left of it', async () => {
    const { file } = await bench.artifact()
    const { done, progress } = bench.start({ source: file, timing: { write: 100 } })
    const ended = done.should.be.rejectedWith({
      code: 'BAD_REQUEST',
      message: /another update is in progress/,
    })
    await eventually(async () => {
      const [entry] = await bench.journal().open()
      should(entry?.writingSince).be.a.Number()
    })
    ahead += 60
    const wait = await eventually(() => {
      const found = progress.find(({ waitsFor }: firmware.Progress) => waitsFor === 'image')
      if (!found) throw new Error('nobody was told')
      return found
    })
    wait.should.containEql({ step: 'write' })
    should(wait.givesUpIn).be.within(25, 40)
    wait.text.should.match(/waits \d+ s more, then sends the image again/)
    ahead += 60
    // It is sent again then, which this device refuses: it is still writing.
    await ended
  })
})
