import should from 'should'
import type { Client, firmware } from '../../lib'
import { ailingNodes, takeSnapshot } from '../../lib/firmware/snapshot'
import { useFirmware } from './firmware-bench'

describe('the nodes of a device that was updated', () => {
  const bench = useFirmware()
  const node = (status: string, state?: string): firmware.Snapshot => ({
    0: { dev_slam: { status, ...(state && { state }), parameters: {} } },
  })
  const ailing = (before: firmware.Snapshot, after: firmware.Snapshot) =>
    ailingNodes(before, after).map(({ status }) => status)

  it('do not work where their process runs and their module has failed', () => {
    ailing(node('running', 'IDLE'), node('running', 'FATAL')).should.eql(['FATAL'])
    ailing(node('running'), node('running', 'FATAL')).should.eql(['FATAL'])
    ailing(node('running', 'RUNNING'), node('down')).should.eql(['down'])
    ailing(node('running', 'RUNNING'), {}).should.eql(['missing'])
  })

  it('work where they wait to be started, and are no worse than before', () => {
    ailing(node('running', 'RUNNING'), node('running', 'IDLE')).should.be.empty()
    ailing(node('running', 'FATAL'), node('running', 'FATAL')).should.be.empty()
    ailing(node('running', 'FATAL'), node('down')).should.be.empty()
  })

  it('are asked only for what is needed', async () => {
    const count = async (what?: 'states' | 'parameters') => {
      const asked: Record<string, number> = {}
      const counting = new Proxy(bench.client, {
        get: (client, name: keyof Client) => {
          asked[name] = (asked[name] ?? 0) + 1
          return client[name]
        },
      })
      await takeSnapshot(counting, (read) => read(new AbortController().signal), what)
      const { getNodeStatus: states = 0, getParameters: parameters = 0 } = asked
      return { states, parameters }
    }
    const { states, parameters } = await count()
    Math.min(states, parameters).should.be.above(5)
    should(await count('states')).eql({ states, parameters: 0 })
    should(await count('parameters')).eql({ states: 0, parameters })
  })

  it('tell their inner state to whoever verifies the update', async () => {
    const { file } = await bench.artifact()
    const client = Object.create(bench.client) as Client
    client.getNodeStatus = async (input, options) => {
      const status = await bench.client.getNodeStatus(input, options)
      const isNew = (await bench.images()).active === 'v2.0.0'
      return isNew && input.node === 'dev_stereo_ins' ? { ...status, values: { state: 'FATAL' } } : status
    }
    const report = await bench.run({ source: file, client })
    report.should.containDeep({ outcome: 'unhealthy', active: 'v2.0.0' })
    report.problems.should.eql(['The node dev_stereo_ins in pipeline 0 is FATAL.'])
  })
})
