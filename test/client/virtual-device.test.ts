import should from 'should'
import { createClient, type Client, type OperationId } from '../../lib'
import { operation, operationIds } from '../../lib/contract'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { networkSettings, robotCalibration } from '../support/sample-records'
import { failureOf } from './use-server'

const camera = { pipeline: '0', node: 'dev_camera' }
const regions = { node: 'dev_roi_db' }
const reading = { ...regions, service: 'get_regions_of_interest' }

const boxes = { node: 'dev_boxpick' }
const first = { job_id: '1' }
const job = {
  name: 'fast',
  job_type: 'SET_PIPELINE_PARAMETERS',
  pipeline: '0',
  node: 'dev_camera',
  parameters: { fps: 25 },
}
const palm = { id: 'palm' }

/** Inputs of the operations on a fresh device. */
const inputs: Partial<Record<OperationId, object>> = {
  getGlobalNode: regions,
  listGlobalServices: regions,
  getGlobalService: reading,
  callGlobalService: { ...reading, args: { region_of_interest_ids: [] } },
  getGlobalNodeStatus: regions,
  listNodes: { pipeline: '0' },
  getNode: camera,
  getParameters: { ...camera, name: ['fps', 'exp_auto'] },
  setParameters: { ...camera, parameters: [{ name: 'fps', value: 12.5 }] },
  getParameter: { ...camera, param: 'fps' },
  setParameter: { ...camera, param: 'fps', value: 10 },
  listServices: camera,
  getService: { ...camera, service: 'reset_defaults' },
  callService: { ...camera, service: 'reset_defaults' },
  getNodeStatus: camera,
  getPipeline: { pipeline: '0' },
  getPipelineType: { pipeline: '0' },
  setPipelineType: { pipeline: '1', type: 'stereo_a' },
  deletePipeline: { pipeline: '1' },
  getLog: { log: 'api.log', limit: 5 },
  restoreBackup: { backup: {} },
  setDns: { manual_dns_servers: ['10.0.0.1'] },
  uploadLicense: { file: Buffer.from('no license') },
  setNetworkSettings: networkSettings,
  setNtp: { manual_ntp_servers: ['10.0.0.1'] },
  setTime: { utc: '2025-01-17 12:00:00' },
  setUiLock: { hash: 'abc', set: true },
  uploadFirmware: { file: Buffer.from('no artifact') },
  getStream: { stream: 'pose' },
  addDestination: { stream: 'pose', destination: '127.0.0.1:30000' },
  removeDestination: { stream: 'pose' },
  listTemplates: boxes,
  getTemplate: { ...boxes, id: 'carton' },
  putTemplate: { ...boxes, id: 'carton', file: Buffer.from('a template'), object_height: 0.1, units: 'mm' },
  deleteTemplate: { ...boxes, id: 'carton' },
  configureUserSpace: { action: 'enable' },
  setUserSpaceProxy: { http_proxy: 'http://proxy:3128' },
  getRobotJob: first,
  putRobotJob: { ...first, job },
  deleteRobotJob: first,
  getRobotCalibration: { pipeline: '0' },
  putRobotCalibration: { pipeline: '0', ...robotCalibration },
  deleteRobotCalibration: { pipeline: '0' },
  getGripperElement: palm,
  putGripperElement: { ...palm, file: Buffer.from('ply\n') },
  deleteGripperElement: palm,
}

/** What a fresh device refuses, with the status: an invalid file, and what does not exist yet. */
const never: Partial<Record<OperationId, number[]>> = {
  uploadLicense: [400],
  uploadFirmware: [400],
  getTemplate: [404],
  getGripperElement: [404],
  getRobotJob: [404],
  getRobotCalibration: [404],
}
/** The same by variant; the pipeline that one of them lacks. */
const refused: Record<VirtualDevice['variant'], Partial<Record<OperationId, number[]>>> = {
  single: { ...never, setPipelineType: [400], deletePipeline: [400] },
  multi: never,
}

for (const [variant, format] of [
  ['single', 'json'],
  ['multi', 'ubjson'],
] as const) {
  describe(`the client and the virtual device, ${variant}, in ${format}`, () => {
    let device: VirtualDevice
    let client: Client

    before(async () => {
      device = await startVirtualDevice({ port: 0, variant, scenario: { boot_seconds: 0 } })
      client = createClient({ address: device.url, format })
    })
    after(async () => {
      await client.close()
      await device.stop()
    })

    for (const id of operationIds) {
      const { variants } = operation(id)
      const lacks = variants && !variants.includes(variant)
      const statuses = lacks ? [404] : refused[variant][id]

      it(`agree on ${id}${statuses ? `: ${statuses.join(' or ')}` : ''}`, async () => {
        const call = client.request(id, inputs[id] ?? {})
        if (statuses) statuses.should.containEql((await failureOf(call)).cause?.status)
        else await call
      })
    }

    it('agree on text', async () => {
      ;(await client.getLog({ log: 'api.log', format: 'raw' })).should.be.a.String()
    })

    it('agree on a refused value', async () => {
      const failure = await failureOf(client.setParameter({ ...camera, param: 'fps', value: 99 }))
      failure.code.should.equal('BAD_REQUEST')
      failure.message.should.match(/fps.*25/)
      should(failure.cause?.returnCode?.value).be.below(0)
    })
  })
}

describe('the client on a faulty device', () => {
  let device: VirtualDevice
  let client: Client
  const fps = { ...camera, param: 'fps' }

  beforeEach(async () => {
    device = await startVirtualDevice({ port: 0, scenario: { drop_answers: 1 } })
    client = createClient({ address: device.url, random: () => 0 })
  })
  afterEach(async () => {
    await client.close()
    await device.stop()
  })
  const count = (id: OperationId) => device.calls().filter((call) => call.operation === id).length

  it('executes a service once if its answer is lost', async () => {
    const failure = await failureOf(client.callService({ ...camera, service: 'reset_defaults' }))
    failure.code.should.equal('OUTCOME_UNKNOWN')
    count('callService').should.equal(1)
  })

  it('does not know the outcome of a write that it cannot read back', async () => {
    ;(await failureOf(client.setParameter({ ...fps, value: 10 }))).code.should.equal('OUTCOME_UNKNOWN')
    count('setParameter').should.equal(1)
    should(device.parameter('camera', 'fps')).equal(10)
  })

  it('loses neither reads nor parameter writes if half of the answers are dropped', async () => {
    device.setScenario({ drop_answers: 0.5 })
    const patient = createClient({ address: device.url, random: () => 0, retries: 100, concurrency: 1 })
    for (const value of [5, 6, 7]) {
      const { value: kept } = await patient.setParameter({ ...fps, value })
      should(kept).equal(value)
      should((await patient.getParameter(fps)).value).equal(value)
    }
    await patient.close()
  })
})
