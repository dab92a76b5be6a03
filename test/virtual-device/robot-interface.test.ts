import should from 'should'
import { robotCalibration } from '../support/sample-records'
import { useDevice } from './support/use-device'

const jobs = '/generic_robot_interface/jobs'
const configs = '/generic_robot_interface/hec_configs'
const job = {
  name: 'find regions',
  job_type: 'CALL_GLOBAL_SERVICE',
  node: 'dev_roi_db',
  service: 'get_regions_of_interest',
  args: {},
}
const setting = { name: 'slow', pipeline: '1', node: 'dev_camera', parameters: { fps: 5 } }

describe('the robot interface of the virtual device', () => {
  const api = useDevice({ variant: 'multi' })
  const codeOf = async (path: string, json: unknown) => {
    const { status, body } = await api.put(path, { json })
    status.should.equal(200)
    return (body as { return_code: { value: number; message: string } }).return_code
  }

  it('stores jobs by number, as given', async () => {
    should(await codeOf(`${jobs}/7`, job)).eql({ value: 0, message: 'job 7 updated' })
    should((await api.get(`${jobs}/7`)).body).eql(job)
    should((await api.get(jobs)).body).eql({ 7: job })
    ;(await api.delete(`${jobs}/7`)).status.should.equal(200)
    should((await api.get(jobs)).body).eql({})
  })

  it('accepts each name of the job that sets parameters', async () => {
    for (const job_type of ['SET_PIPELINE_PARAMETERS', 'SET_PIPELINE_PARAMETER', 'SET_PARAMETERS_SERVICE'])
      should(await codeOf(`${jobs}/1`, { ...setting, job_type })).have.property('value', 0)
  })

  const impossible: Record<string, object> = {
    'job_type: "DANCE" is not known': { ...job, job_type: 'DANCE' },
    'there is no node dev_nothing': { ...job, node: 'dev_nothing' },
    'nothing: the node dev_roi_db has no such service': { ...job, service: 'nothing' },
    'pipeline: missing': { ...job, job_type: 'CALL_PIPELINE_SERVICE' },
    'pipeline 3 is not configured': { ...job, job_type: 'CALL_PIPELINE_SERVICE', pipeline: '3' },
    'parameters: missing': { ...setting, job_type: 'SET_PIPELINE_PARAMETERS', parameters: undefined },
    'speed: the node dev_camera has no such parameter': {
      ...setting,
      job_type: 'SET_PIPELINE_PARAMETERS',
      parameters: { speed: 1 },
    },
  }
  for (const [message, given] of Object.entries(impossible))
    it(`answers a negative return code to a job that cannot work: ${message}`, async () => {
      should(await codeOf(`${jobs}/1`, given)).eql({ value: -1, message })
      ;(await api.get(`${jobs}/1`)).status.should.equal(404)
    })

  it('accepts only numbers of 16 bits', async () => {
    for (const id of ['65536', '-1', 'one', '1.5'])
      (await api.put(`${jobs}/${id}`, { json: job })).status.should.equal(400)
  })

  it('stores a calibration for each pipeline, and has a license of its own', async () => {
    should(await codeOf(`${configs}/0`, robotCalibration)).eql({ value: 0, message: 'configuration saved' })
    ;(await api.get(`${configs}/0`)).text.should.containEql('"tcp_offset":0.0,"tcp_rotation_axis":-1')
    should((await api.get(configs)).body).eql({ 0: robotCalibration })
    should(await codeOf(`${configs}/3`, robotCalibration)).have.property('value', -1)
    api.device.setScenario({ license: { generic_robot_interface: false } })
    should(await codeOf(`${configs}/1`, robotCalibration)).have.property('value', -9)
    should(await codeOf(`${jobs}/1`, job)).have.property('value', -9)
  })
})

describe('the user space of the virtual device', () => {
  const api = useDevice({ variant: 'multi' })

  it('is disabled at first, and drops its proxies on a reset', async () => {
    should((await api.get('/userspace')).body).containEql({ apps: [], available: true, enabled: false })
    should((await api.put('/userspace/configure?action=enable')).body).containEql({ enabled: true })
    should((await api.get('/system')).body).containDeep({ userspace: { enabled: true } })
    const proxy = { http_proxy: 'http://proxy:3128', https_proxy: '' }
    should((await api.put('/userspace/proxy', { json: { http_proxy: proxy.http_proxy } })).body).eql(proxy)
    should((await api.get('/userspace')).body).containEql({ enabled: true, proxy })
    should((await api.put('/userspace/configure?action=reset')).body).containDeep({
      enabled: false,
      proxy: { http_proxy: '' },
    })
  })

  it('does not show a refused proxy, which may contain a password', async () => {
    const { status, text } = await api.put('/userspace/proxy', { json: { http_proxy: 'u:secret@proxy' } })
    status.should.equal(400)
    text.should.not.containEql('secret')
  })
})
