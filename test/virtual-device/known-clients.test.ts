import should from 'should'
import type { Parameter, SysInfo } from '../../lib/contract'
import { manualClock, startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { raw, type RawAnswer } from './support/raw-http'

type Headers = Record<string, string>
const json: Headers = { 'Content-Type': 'application/json' }
const withLength = (body: string, headers: Headers): Headers => ({
  ...headers,
  'Content-Length': String(Buffer.byteLength(body)),
})

/** What programs written for real devices send, in their own form. */
describe('a program written for a real device', () => {
  const clock = manualClock()
  let device: VirtualDevice
  beforeEach(async () => {
    device = await startVirtualDevice({ port: 0, clock })
  })
  afterEach(() => device.stop())

  const get = (path: string, headers: Headers = {}) => raw(device.url, `GET /api${path}`, headers)
  const put = (path: string, body = '', headers: Headers = json) =>
    raw(device.url, `PUT /api${path}`, withLength(body, headers), body)
  const remove = (path: string, body = '') =>
    raw(device.url, `DELETE /api${path}`, body ? withLength(body, json) : {}, body)

  describe('a typed middleware client in C++, a connection for each call', () => {
    const depth = '/v2/pipelines/0/nodes/dev_stereomatching'

    it('reads the version of the firmware and that the device is ready', async () => {
      const { firmware, ready } = (await get('/v2/system', { Accept: '*/*' })).json as SysInfo
      const [version = ''] = firmware.active_image.image_version.split('-')
      version.should.match(/v\d+\.\d+\.\d+$/)
      ready.should.be.true()
    })

    it('distinguishes the types of numbers by the decimal point', async () => {
      const nodes = (await get('/v2/pipelines/0/nodes')).json as { name: string; parameters: string[] }[]
      let floats = 0
      for (const { name, parameters } of nodes.filter((node) => node.parameters.length)) {
        const { text } = await get(`/v2/pipelines/0/nodes/${name}/parameters`)
        const records = text.slice(1, -1).split(/(?<=\}),(?=\{)/)
        records.length.should.equal(parameters.length)
        for (const record of records) {
          Object.keys(JSON.parse(record) as object).length.should.be.aboveOrEqual(7)
          const { type } = JSON.parse(record) as Parameter
          for (const [, field, number = ''] of record.matchAll(/"(value|default|min|max)":(-?\d[^,}]*)/g)) {
            const isFloat = type.startsWith('float')
            should(/[.e]/.test(number)).equal(isFloat, `${name} ${field} of ${record}`)
            floats += Number(isFloat)
          }
        }
      }
      floats.should.be.above(20)
    })

    it('finds the choices of a parameter in its description', async () => {
      const { description, value } = (await get(`${depth}/parameters/quality`)).json as Parameter
      const [, choices = ''] = /\[([^\]]*)\]/.exec(description) ?? []
      choices.split(', ').should.containEql(value)
    })

    it('sends back the whole list of records as read', async () => {
      const read = await get(`${depth}/parameters`)
      const changed = read.text.replace(/("name":"minconf",[^}]*"value":)[^,]*/, '$10.5')
      changed.should.not.equal(read.text)
      const written = await put(`${depth}/parameters`, changed, {
        'Content-Type': 'application/json; charset=UTF-8',
        Expect: '100-continue',
      })
      written.status.should.equal(200)
      written.text.should.equal(changed)
      device.parameter('stereomatching', 'minconf').should.equal(0.5)
    })

    it('sends back one whole record', async () => {
      const record = (await get(`${depth}/parameters/maxdepth`)).json as Parameter
      const answer = await put(`${depth}/parameters/maxdepth`, JSON.stringify({ ...record, value: 5 }))
      answer.text.should.containEql('"value":5.0')
    })

    it('calls services without arguments in every possible way', async () => {
      const trigger = `${depth}/services/reset_defaults`
      for (const body of ['', '{}', '{"args":{}}', '{"args":[]}'])
        for (const headers of [json, {}]) {
          const { status, json: answer } = await put(trigger, body, headers)
          status.should.equal(200)
          should(answer).have.propertyByPath('response', 'return_code', 'value').eql(0)
        }
      // Neither a length nor a body.
      ;(await raw(device.url, `PUT /api${trigger}`)).status.should.equal(200)
      const chunked = { 'Transfer-Encoding': 'chunked' }
      ;(await raw(device.url, `PUT /api${trigger}`, chunked, '0\r\n\r\n')).status.should.equal(200)
    })

    it('reads the return code of a refused write', async () => {
      device.setScenario({ genicam_connected: true })
      const answer = await put(`${depth}/parameters`, '[{"name":"minconf","value":0.5}]')
      answer.status.should.equal(403)
      should(answer.json).have.propertyByPath('return_code', 'value').below(0)
      should(answer.json).have.propertyByPath('return_code', 'message')
    })

    it('writes an integer parameter as a number with a decimal point', async () => {
      const range = `${depth.replace('stereomatching', 'itempick')}/parameters`
      const written = (answer: RawAnswer) => {
        answer.status.should.equal(200)
        answer.text.should.containEql('"value":11')
        answer.text.should.not.containEql('"value":11.0')
      }
      written(await put(`${range}/max_grasps`, '{"value":11.0}'))
      written(await put(range, '[{"name":"max_grasps","value":1.1e1}]'))
      written(await put(`${range}?max_grasps=11.0`, ''))
      const ubjson = { 'Content-Type': 'application/ubjson' }
      for (const value of [
        [0x44, 0x40, 0x26, 0, 0, 0, 0, 0, 0],
        [0x4c, 0, 0, 0, 0, 0, 0, 0, 11],
      ]) {
        const body = String.fromCharCode(0x7b, 0x55, 5, ...Buffer.from('value'), ...value, 0x7d)
        const headers = { ...ubjson, 'Content-Length': String(body.length) }
        written(await raw(device.url, `PUT /api${range}/max_grasps`, headers, body))
      }
      ;(await put(`${range}/max_grasps`, '{"value":11.5}')).status.should.equal(400)
      const slot =
        '{"args":{"slot":1.0,"pose":{"position":{"x":0,"y":0,"z":1},"orientation":{"w":1,"x":0,"y":0,"z":0}}}}'
      const calibration = depth.replace('stereomatching', 'hand_eye_calibration')
      const { json: answer } = await put(`${calibration}/services/set_pose`, slot)
      should(answer).containDeep({ response: { success: true } })
    })

    it('reads IDLE in the values of the navigation before it starts it, and again after a stop', async () => {
      const navigation = depth.replace('stereomatching', 'dynamics')
      const state = async () => ((await get(`${navigation}/status`)).json as { values: object }).values
      should(await state()).eql({ state: 'IDLE' })
      should((await put(`${navigation}/services/start`)).json).containDeep({ response: { accepted: true } })
      clock.advance(5)
      should((await put(`${navigation}/services/stop`)).json).containDeep({ response: { accepted: true } })
      should((await put(`${navigation}/services/start`)).json).containDeep({ response: { accepted: true } })
      clock.advance(5)
      should(await state()).eql({ state: 'RUNNING' })
    })

    it('succeeds by waiting 50, 200, 500, 1000 and 2000 ms when it sends too many requests', async () => {
      device.setScenario({ rate_limit: 0.4 })
      const statuses: number[] = []
      for (const wait of [0, 0, 0.05, 0.2, 0.5, 1, 2]) {
        clock.advance(wait)
        const { status } = await get(`${depth}/status`)
        statuses.push(status)
      }
      statuses.should.eql([200, 429, 429, 429, 429, 429, 200])
    })
  })

  describe('a script in Python', () => {
    const camera = '/v2/pipelines/0/nodes/dev_camera'
    const asking = { Accept: '*/*', 'Accept-Encoding': 'gzip, deflate, br', Connection: 'close' }

    it('reads named parameters and writes them as query pairs', async () => {
      const { json: read } = await get(`${camera}/parameters?name=fps&name=exp_auto`, asking)
      should(read).containDeepOrdered([{ name: 'fps' }, { name: 'exp_auto' }])
      const { status, json: written } = await put(`${camera}/parameters?fps=10&exp_auto=False`, '', asking)
      status.should.equal(200)
      should(written).containDeepOrdered([
        { name: 'fps', value: 10 },
        { name: 'exp_auto', value: false },
      ])
    })

    it('repeats as often as Retry-After allows', async () => {
      device.setScenario({ rate_limit: 0.5 })
      await get(`${camera}/parameters/fps`)
      const refused = await get(`${camera}/parameters/fps`)
      refused.status.should.equal(429)
      clock.advance(Number(refused.headers['retry-after']))
      ;(await get(`${camera}/parameters/fps`)).status.should.equal(200)
    })

    it('follows a log by reading its last lines repeatedly', async () => {
      const seen = new Set<string>()
      for (const fps of ['11', '12', '13']) {
        clock.advance(1)
        await put(`${camera}/parameters?fps=${fps}`, '', asking)
        const { log } = (await get('/v2/logs/api.log?format=json&limit=3')).json as { log: object[] }
        log.length.should.be.belowOrEqual(3)
        for (const entry of log) seen.add(JSON.stringify(entry))
      }
      for (const fps of ['11', '12', '13'])
        [...seen].filter((entry) => entry.includes(`fps set to ${fps}`)).length.should.equal(1)
      const { headers, text } = await get('/v2/logs/api.log?format=raw')
      should(headers['content-type']).startWith('text/plain')
      text.should.containEql('fps set to 13')
    })

    it('polls twice a second until a rebooted device is ready', async () => {
      await put('/v2/system/reboot', '', asking)
      const seen: unknown[] = []
      while (seen.at(-1) !== true && seen.length < 20) {
        const answer = await get('/v2/system').catch((error: unknown) => error)
        seen.push(answer instanceof Error ? 'refused' : readiness(answer as RawAnswer))
        clock.advance(0.5)
      }
      seen.should.eql(['refused', 502, 502, false, false, false, true])
    })
  })

  describe('a hand-eye script of a robot bridge, with the paths of the first API version', () => {
    const service = async (name: string, args: object = {}) => {
      const path = `/v1/nodes/dev_hand_eye_calibration/services/${name}`
      const { status, json: answer } = await put(path, JSON.stringify({ args }))
      status.should.equal(200)
      return (answer as { name: string; response: Record<string, unknown> }).response
    }
    const robotPose = (x: number) => ({
      position: { x, y: 0, z: 0.5 },
      orientation: { x: 0, y: 0, z: 0, w: 1 },
    })
    const fields = ['success', 'status', 'message', 'pose', 'error', 'robot_mounted']

    it('records poses from slot 1 on, and finds all fields in each answer', async () => {
      const parameters = '/v1/nodes/dev_hand_eye_calibration/parameters'
      const grid = '[{"name":"grid_width","value":0.26},{"name":"grid_height","value":0.18}]'
      const { status, headers } = await put(parameters, grid)
      status.should.equal(200)
      headers.should.have.property('deprecation')
      ;(await service('reset_calibration')).should.have.property('success', true)
      for (const slot of [1, 2, 3, 4])
        (await service('set_pose', { pose: robotPose(slot / 10), slot })).should.containEql({
          success: true,
          status: slot < 4 ? 1 : 3,
        })
      ;(await service('get_poses')).should.have.property('poses').with.length(4)
      ;(await service('calibrate')).should.have.properties(fields)
      const missing = await service('get_calibration')
      missing.should.have.properties(fields)
      missing.should.have.properties('translation_error_meter', 'rotation_error_degree')
      missing.should.containEql({ success: false, status: 2 })
      ;(await service('delete_poses', { slots: [1] })).should.have.property('success', true)
    })

    it('sets, reads and removes a calibration by the long names', async () => {
      for (const remove of ['remove_calibration', 'delete_calibration']) {
        await service('set_calibration', { pose: robotPose(0.1), robot_mounted: true })
        should(await service('get_calibration')).containDeep({ success: true, pose: robotPose(0.1) })
        ;(await service(remove)).should.containEql({ success: true, status: 0 })
        ;(await service('get_calibration')).should.have.property('success', false)
        ;(await service(remove)).should.containEql({ success: true, status: 1 })
      }
      ;(await service('save_calibration')).should.have.properties('success', 'status', 'message')
    })

    it('finds every node directly below /nodes', async () => {
      const names = ((await get('/v1/nodes')).json as { name: string }[]).map(({ name }) => name)
      names.should.containDeep(['dev_roi_db', 'dev_camera', 'dev_hand_eye_calibration'])
      for (const name of names) {
        ;(await get(`/v1/nodes/${name}`)).status.should.equal(200)
        ;(await get(`/v1/nodes/${name}/status`)).status.should.equal(200)
        ;(await get(`/v1/nodes/${name}/services`)).status.should.equal(200)
        const { status, json: parameters } = await get(`/v1/nodes/${name}/parameters`)
        status.should.equal(200)
        if (name.endsWith('_db')) should(parameters).eql([])
      }
    })
  })

  describe('a stream receiver', () => {
    const stream = '/v2/datastreams/pose_rt'
    const here = '127.0.0.1:45001'
    const asForm = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const destinations = async () => ((await get(stream)).json as { destinations: string[] }).destinations

    it('starts the dynamics module and reads its state', async () => {
      const { json: answer } = await put('/v2/pipelines/0/nodes/dev_dynamics/services/start', '{}')
      should(answer).containDeep({ response: { accepted: true } })
      should(answer).have.propertyByPath('response', 'current_state')
      clock.advance(5)
      const { json: status } = await get('/v2/pipelines/0/nodes/dev_dynamics/status')
      should(status).containDeep({ values: { state: 'RUNNING' } })
    })

    it('adds and removes its destination as a list in JSON', async () => {
      const body = JSON.stringify({ destination: [here] })
      should((await put(stream, body)).json).containDeep({ destinations: [here], protobuf: 'Frame' })
      should((await remove(stream, body)).json).containDeep({ name: 'pose_rt', protocol: 'UDP' })
      ;(await destinations()).should.eql([])
    })

    it('adds its destination as a form and removes it by the query', async () => {
      const form = `destination=${encodeURIComponent(here)}`
      ;(await put(stream, form, asForm)).status.should.equal(200)
      // Some do not encode the colon.
      ;(await put(stream, `destination=${here}`, asForm)).status.should.equal(200)
      ;(await destinations()).should.eql([here])
      ;(await remove(`${stream}?${form}`)).status.should.equal(200)
      ;(await destinations()).should.eql([])
    })

    it('adds its destination again when it is gone', async () => {
      await put(stream, JSON.stringify({ destination: [here] }))
      await remove(stream)
      ;(await destinations()).should.not.containEql(here)
      await put(stream, JSON.stringify({ destination: [here] }))
      ;(await destinations()).should.eql([here])
    })

    it('reads why an eleventh destination is refused', async () => {
      for (let port = 1; port <= 10; port++) await put(stream, `destination=127.0.0.1:${port}`, asForm)
      const { status, json: answer } = await put(stream, JSON.stringify({ destination: [here] }))
      status.should.equal(403)
      should(answer).have.property('message').which.is.a.String()
    })
  })
})

const readiness = (answer: RawAnswer) =>
  answer.status === 200 ? (answer.json as SysInfo).ready : answer.status
