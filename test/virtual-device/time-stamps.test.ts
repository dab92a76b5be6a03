import should from 'should'
import type { NodeStatus, ServiceAnswer } from '../../lib/contract'
import { manualClock } from '../../virtual-device'
import { useDevice } from './support/use-device'

interface Stamp {
  sec: number
  nsec: number
}
const seconds = ({ sec, nsec }: Stamp) => sec + nsec / 1e9

describe('time stamps of the virtual device', () => {
  const clock = manualClock()
  const api = useDevice({ clock, variant: 'single' })
  const node = (name: string) => `/pipelines/0/nodes/dev_${name}`
  const call = async (name: string, service: string, args = {}) => {
    const { body } = await api.put(`${node(name)}/services/${service}`, { json: { args } })
    return (body as ServiceAnswer).response as Record<string, unknown> & { timestamp: Stamp }
  }
  const set = 1_900_000_000
  const setTime = async () => {
    const utc = new Date(set * 1000).toISOString().slice(0, 19).replace('T', ' ')
    should((await api.put(`/system/time?utc=${encodeURIComponent(utc)}`)).status).equal(200)
  }
  const trajectory = async (args: object) => {
    const zero = { sec: 0, nsec: 0 }
    const all = { start_time: zero, end_time: zero, start_time_relative: false, end_time_relative: false }
    const answer = await call('slam', 'get_trajectory', { ...all, ...args })
    return answer.trajectory as { timestamp: Stamp; poses: { timestamp: Stamp }[] }
  }

  it('use the time that it was set to', async () => {
    await setTime()
    clock.advance(5)
    seconds((await call('iocontrol', 'get_io_values')).timestamp).should.be.approximately(set + 5, 1)
    const { pose } = await call('dynamics', 'get_cam2imu_transform')
    seconds((pose as { timestamp: Stamp }).timestamp).should.be.approximately(set + 5, 1)
    await call('april_tag_detect', 'start')
    clock.advance(2)
    const found = await call('april_tag_detect', 'detect', { tags: [] })
    seconds(found.timestamp).should.be.approximately(set + 7, 1)
    const { values } = (await api.get(`${node('april_tag_detect')}/status`)).body as NodeStatus
    Number((values as Record<string, string>).last_timestamp_processed).should.be.approximately(set + 7, 1)
  })

  it('do so for the trajectory of SLAM too, which is also requested by them', async () => {
    await setTime()
    await call('dynamics', 'start_slam')
    clock.advance(12)
    const whole = await trajectory({})
    seconds(whole.timestamp).should.be.approximately(set + 12, 1)
    const times = whole.poses.map(({ timestamp }) => seconds(timestamp))
    should(times[0]).be.approximately(set + 2, 1)
    should(times.at(-1)).be.approximately(set + 12, 1)
    const late = await trajectory({ start_time: { sec: set + 8, nsec: 0 } })
    late.poses.length.should.be.within(30, 50)
    seconds(late.poses[0]?.timestamp as Stamp).should.be.approximately(set + 8, 0.11)
  })
})
