import should from 'should'
import { manualClock } from '../../virtual-device'
import { camera, depth, useDevice } from './support/use-device'

describe('the status of a node', () => {
  const clock = manualClock()
  const api = useDevice({ clock })
  const dynamics = '/pipelines/0/nodes/dev_dynamics'
  const word = async (node: string) => ((await api.get(node)).body as { status: string }).status

  it('is running with values as strings, which change', async () => {
    const first = await api.get(`${camera}/status`)
    clock.advance(10)
    const second = await api.get(`${camera}/status`)
    const values = ({ body }: typeof first) => (body as { values: Record<string, string> }).values
    should(first.body).have.property('status', 'running')
    for (const value of Object.values(values(first))) value.should.be.a.String()
    values(first).should.not.eql(values(second))
    first.text.should.match(/"timestamp":1700000\d+\.\d/)
  })

  it('is the same for the same seed at the same time', async () => {
    const { text } = await api.get(`${camera}/status`)
    ;(await api.get(`${camera}/status`)).text.should.equal(text)
  })

  it('is running in every inner state, which is one of the values', async () => {
    const state = async () => (await api.get(`${dynamics}/status`)).body
    should(await state()).containEql({ status: 'running', values: { state: 'IDLE' } })
    await api.put(`${dynamics}/services/start`)
    ;(await word(dynamics)).should.equal('running')
    await api.put(`${dynamics}/services/stop`)
    clock.advance(60)
    should(await state()).containEql({ status: 'running', values: { state: 'IDLE' } })
  })

  it('is idle, with no values, for a node at rest without a state', async () => {
    const calibration = '/pipelines/0/nodes/dev_stereocalib'
    should((await api.get(`${calibration}/status`)).body).containEql({ status: 'idle', values: [] })
    await api.put(`${calibration}/services/change_state`)
    ;(await word(calibration)).should.equal('running')
  })

  it('is stale and empty if the scenario says so, by the name with or without prefix', async () => {
    api.device.setScenario({ stale_nodes: ['dev_camera', 'stereomatching'] })
    for (const node of [camera, depth]) {
      ;(await word(node)).should.equal('stale')
      should((await api.get(`${node}/status`)).body).containEql({ status: 'stale', values: [] })
    }
  })
})
