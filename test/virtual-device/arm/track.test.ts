import 'should'
import { distance, type Pose } from '../../../lib/robotics'
import { Track } from '../../../virtual-device/arm/arm'

const cycle = 0.002
const poseAt = (seconds: number): Pose => ({
  position: { x: 0.3 * Math.sin(seconds), y: 0, z: 0.1 * seconds },
  orientation: { w: Math.cos(seconds / 4), x: 0, y: 0, z: Math.sin(seconds / 4) },
})

describe('the track of the simulated arm', () => {
  /** Moves from 10 s to 20 s, then stands for a minute, then moves again for 10 s. */
  const moved = () => {
    const track = new Track(0, poseAt(10))
    for (let step = 1; step <= 5000; step++) track.note(10 + step * cycle, poseAt(10 + step * cycle), cycle)
    for (let step = 1; step <= 5000; step++) track.note(80 + step * cycle, poseAt(20 + step * cycle), cycle)
    return track
  }

  it('tells where the flange was, exactly in the last seconds and closely before', () => {
    const track = moved()
    for (let seconds = 88.5; seconds <= 90; seconds += 0.0137)
      distance(track.at(seconds).position, poseAt(seconds - 60).position).should.be.below(1e-6)
    for (let seconds = 10; seconds <= 20; seconds += 0.0137)
      distance(track.at(seconds).position, poseAt(seconds).position).should.be.below(1e-4)
  })

  it('stands still between two motions, before the first and after the last', () => {
    const track = moved()
    for (const seconds of [20.01, 30, 79.9])
      distance(track.at(seconds).position, poseAt(20).position).should.be.below(1e-4)
    track.at(-5).should.deepEqual(poseAt(10))
    track.at(9.9).should.deepEqual(poseAt(10))
    track.at(1000).should.deepEqual(poseAt(30))
  })

  it('forgets what comes after the present when the clock is set back', () => {
    const track = moved()
    track.note(15, poseAt(15), cycle)
    track.at(40).should.deepEqual(poseAt(15))
  })
})
