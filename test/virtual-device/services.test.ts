import should from 'should'
import { camera, useDevice } from './support/use-device'

const handEye = '/pipelines/0/nodes/dev_hand_eye_calibration'
const pose = { position: { x: 1, y: 0, z: 0 }, orientation: { x: 0, y: 0, z: 0, w: 1 } }

describe('services of the virtual device', () => {
  const api = useDevice()

  const json = { 'content-type': 'application/json' }
  const callsWithoutArguments = {
    'no body and no content type': {},
    'no body': { headers: json },
    'an empty object': { json: {} },
    'empty arguments': { json: { args: {} } },
    'an empty array as arguments': { json: { args: [] } },
    'a body without a content type': { body: new TextEncoder().encode('{}') },
    'a longer content type': { body: '{}', headers: { 'content-type': 'Application/JSON; charset=utf-8' } },
  }
  for (const [form, sent] of Object.entries(callsWithoutArguments))
    it(`are called by ${form}`, async () => {
      const { status, body } = await api.put(`${camera}/services/reset_defaults`, sent)
      status.should.equal(200)
      should(body).eql({
        name: 'reset_defaults',
        response: { return_code: { value: 0, message: 'success' } },
      })
    })

  it('report the shapes of their arguments and answers', async () => {
    const { body } = await api.get(`${handEye}/services/set_pose`)
    should(body).containDeep({
      name: 'set_pose',
      args: {
        pose: { position: { x: 'float64' }, orientation: { w: 'float64' } },
        slot: 'int32',
      },
      response: { success: 'bool', status: 'int32', message: 'string' },
    })
    const { body: all } = await api.get(`${handEye}/services`)
    should((all as object[]).find((service) => (service as { name: string }).name === 'set_pose')).eql(body)
  })

  it('answer floats with a decimal point', async () => {
    const region = { id: 'a', type: 'BOX', box: { x: 1, y: 2, z: 3 }, pose, pose_frame: 'camera' }
    const databases = '/nodes/dev_roi_db/services'
    await api.put(`${databases}/set_region_of_interest`, { json: { args: { region_of_interest: region } } })
    const { text } = await api.put(`${databases}/get_regions_of_interest`)
    text.should.containEql('"box":{"x":1.0,"y":2.0,"z":3.0}')
  })

  const refused: Record<string, [object, string | RegExp]> = {
    'a wrong type': [
      { pose: { ...pose, position: { x: 'a', y: 0, z: 0 } }, slot: 0 },
      'args.pose.position.x: expected a number, got "a"',
    ],
    'a fraction for an integer': [{ pose, slot: 0.5 }, 'args.slot: expected an integer, got 0.5'],
    'an integer too large for its type': [
      { pose, slot: 2 ** 40 },
      /args\.slot: 1099511627776 is out of range for int32/,
    ],
    'a missing argument': [{ slot: 0 }, 'args.pose: missing'],
    'a list for an object': [{ pose: [], slot: 0 }, 'args.pose: expected an object, got an array'],
  }
  for (const [what, [args, message]] of Object.entries(refused))
    it(`refuse ${what}, naming the field`, async () => {
      const { status, body } = await api.put(`${handEye}/services/set_pose`, { json: { args } })
      status.should.equal(400)
      should((body as { message: string }).message).match(message)
    })

  it('refuse arguments other than an object', async () => {
    for (const args of [1, 'a', [1], null, true])
      (await api.put(`${camera}/services/reset_defaults`, { json: { args } })).status.should.equal(400)
  })

  it('ignore unknown arguments', async () => {
    const { status } = await api.put(`${camera}/services/reset_defaults`, { json: { args: { other: 1 } } })
    status.should.equal(200)
  })

  it('accept integers for floats', async () => {
    const { status } = await api.put(`${handEye}/services/set_pose`, { json: { args: { pose, slot: 0 } } })
    status.should.equal(200)
  })

  it('are not found by another name, or on another node', async () => {
    for (const path of [`${camera}/services/set_pose`, '/nodes/dev_camera/services/reset_defaults']) {
      ;(await api.put(path)).status.should.equal(404)
      ;(await api.get(path)).status.should.equal(404)
    }
  })

  it('are logged, and counted', async () => {
    await api.put(`${camera}/services/reset_defaults`)
    const calls = api.device.calls()
    should(calls.at(-1)).eql({
      operation: 'callService',
      input: { pipeline: '0', node: 'dev_camera', service: 'reset_defaults' },
      status: 200,
    })
    ;(await api.get('/logs/api.log')).text.should.containEql('service reset_defaults called')
  })
})
