import should from 'should'
import { camera, depth, useDevice, type SentRequest } from './support/use-device'

describe('parameters of the virtual device', () => {
  const api = useDevice()
  const fps = () => api.device.parameter('camera', 'fps')

  it('have all seven fields, floats with a decimal point and integers without', async () => {
    const { text } = await api.get(`${camera}/parameters/fps`)
    text.should.match(
      /^\{"name":"fps","type":"float64","value":25\.0,"default":25\.0,"min":1\.0,"max":25\.0,"descr/,
    )
    ;(await api.get(`${camera}/parameters/exp_height`)).text.should.match(
      /"value":0,"default":0,"min":0,"max":\d+,/,
    )
  })

  it('have their choices in square brackets in the description, and empty limits', async () => {
    const { body } = await api.get(`${depth}/parameters/quality`)
    should(body).containEql({ min: '', max: '' })
    should((body as { description: string }).description).endWith(': [Low, Medium, High, Full]')
  })

  it('are all read, by repeated names, in the order of the names', async () => {
    const names = async (query: string) =>
      ((await api.get(`${camera}/parameters${query}`)).body as { name: string }[]).map(({ name }) => name)
    ;(await names('')).should.containDeep(['fps', 'exp_auto', 'exp_value', 'exp_max'])
    ;(await names('?name=fps')).should.eql(['fps'])
    ;(await names('?name=exp_max&name=fps&other=1')).should.eql(['exp_max', 'fps'])
    ;(await api.get(`${camera}/parameters?name=fps&name=nothing`)).status.should.equal(404)
  })

  const record = { name: 'fps', type: 'float64', value: 10, default: 25, min: 1, max: 25, description: '' }
  const one = {
    'a value': { value: 10 },
    'a whole record': record,
  }
  for (const [form, json] of Object.entries(one))
    it(`are written singly by ${form}`, async () => {
      const { status, text } = await api.put(`${camera}/parameters/fps`, { json })
      status.should.equal(200)
      text.should.containEql('"value":10.0')
      fps().should.equal(10)
    })

  const several: Record<string, SentRequest & { query?: string }> = {
    'names and values': {
      json: [
        { name: 'fps', value: 10 },
        { name: 'exp_auto', value: false },
      ],
    },
    'whole records': { json: [record, { name: 'exp_auto', type: 'bool', value: false, min: false }] },
    'query pairs': { query: '?fps=10&exp_auto=false' },
    'query pairs beside a content type': {
      query: '?fps=1e1&exp_auto=False',
      headers: { 'content-type': 'application/json' },
    },
  }
  for (const [form, { query = '', ...sent }] of Object.entries(several))
    it(`are written several at once by ${form}, and answered in that order`, async () => {
      const { status, body } = await api.put(`${camera}/parameters${query}`, sent)
      status.should.equal(200)
      should(body).containDeepOrdered([
        { name: 'fps', value: 10 },
        { name: 'exp_auto', value: false },
      ])
      fps().should.equal(10)
      api.device.parameter('dev_camera', 'exp_auto').should.equal(false)
    })

  it('are unchanged by an empty list, which is answered with one', async () => {
    const { status, text } = await api.put(`${camera}/parameters`, { json: [] })
    status.should.equal(200)
    text.should.equal('[]')
  })

  const refused: Record<string, [string, unknown, string]> = {
    'above the maximum': ['fps', 99, 'fps: 99 is above the maximum of 25 Hz'],
    'below the minimum': ['fps', 0.5, 'fps: 0.5 is below the minimum of 1 Hz'],
    'a text for a number': ['fps', '10', 'fps: expected a number, got "10"'],
    'null for a number': ['fps', null, 'fps: expected a number, got null'],
    'a list for a number': ['fps', [1], 'fps: expected a number, got an array'],
    'a number for a bool': ['exp_auto', 1, 'exp_auto: expected true or false, got 1'],
    'a fraction for an integer': ['exp_height', 1.5, 'exp_height: expected an integer, got 1.5'],
    'something else than the choices': [
      'exp_control',
      'On',
      'exp_control: "On" must be one of Manual, Auto, HDR',
    ],
    'no value': ['fps', undefined, 'value: missing'],
  }
  for (const [what, [name, value, message]] of Object.entries(refused))
    it(`refuse ${what}, naming parameter and limit`, async () => {
      const { status, body } = await api.put(`${camera}/parameters/${name}`, { json: { value } })
      status.should.equal(400)
      should(body).eql({ message, return_code: { value: -1, message } })
    })

  it('refuse a valid JSON number that exceeds a double', async () => {
    const sent = { body: '{"value":1e999}', headers: { 'content-type': 'application/json' } }
    ;(await api.put(`${camera}/parameters/fps`, sent)).status.should.equal(400)
  })

  const wrongLists: Record<string, unknown> = {
    'a wrong value': [
      { name: 'fps', value: 10 },
      { name: 'exp_auto', value: 'yes' },
    ],
    'an unknown name': [
      { name: 'fps', value: 10 },
      { name: 'nothing', value: 1 },
    ],
    'a name twice': [
      { name: 'fps', value: 10 },
      { name: 'fps', value: 11 },
    ],
    'an entry without a value': [{ name: 'fps', value: 10 }, { name: 'exp_auto' }],
    'an entry that is none': [{ name: 'fps', value: 10 }, 7],
    'an object instead of the list': { fps: 10 },
  }
  for (const [what, json] of Object.entries(wrongLists))
    it(`apply nothing of a write with ${what}`, async () => {
      const { status } = await api.put(`${camera}/parameters`, { json })
      status.should.equal(400)
      fps().should.equal(25)
    })

  it('apply nothing of query pairs if one is invalid', async () => {
    for (const query of [
      '?fps=10&exp_auto=maybe',
      '?fps=10&nothing=1',
      '?fps=10&fps=11',
      '?fps=ten',
      '?fps=',
    ])
      (await api.put(`${camera}/parameters${query}`)).status.should.equal(400)
    fps().should.equal(25)
  })

  it('require something to write', async () => {
    ;(await api.put(`${camera}/parameters`)).status.should.equal(400)
  })

  it('name what is unknown', async () => {
    const single = await api.put(`${camera}/parameters/nothing`, { json: { value: 1 } })
    single.status.should.equal(404)
    single.text.should.containEql('nothing')
    ;(await api.get(`${camera}/parameters/nothing`)).status.should.equal(404)
    ;(await api.get('/pipelines/0/nodes/dev_nothing/parameters/fps')).status.should.equal(404)
  })

  it('return to their defaults by reset_defaults', async () => {
    await api.put(`${camera}/parameters?fps=10&exp_max=0.01`)
    const { text } = await api.put(`${camera}/services/reset_defaults`)
    text.should.equal('{"name":"reset_defaults","response":{"return_code":{"value":0,"message":"success"}}}')
    fps().should.equal(25)
    api.device.parameter('camera', 'exp_max').should.equal(0.007)
  })

  it('belong to their pipeline', async () => {
    ;(await api.get('/pipelines/1/nodes/dev_camera/parameters/fps')).status.should.equal(400)
  })
})
