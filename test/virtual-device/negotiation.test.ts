import should from 'should'
import { decodeUbjson } from '../../lib/codec/ubjson'
import { negotiate } from '../../virtual-device/server/answering'
import { camera, useDevice } from './support/use-device'

describe('content negotiation of the virtual device', () => {
  const api = useDevice()

  const cases: [string | undefined, 'json' | 'ubjson'][] = [
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['text/html', 'json'],
    ['application/json', 'json'],
    ['application/ubjson', 'ubjson'],
    ['Application/UBJSON', 'ubjson'],
    ['application/json, application/ubjson', 'json'],
    ['application/ubjson, application/json;q=0.9', 'ubjson'],
    ['application/ubjson;q=0.5, application/json', 'json'],
    ['application/ubjson;q=0.5, */*;q=0.1', 'ubjson'],
    ['application/ubjson;q=0, */*', 'json'],
    ['application/ubjson; charset=binary; q=0.8, application/json; q=0.7', 'ubjson'],
    ['application/*;q=0.4, application/ubjson;q=0.3', 'json'],
  ]
  for (const [accept, format] of cases)
    it(`answers ${format} to ${accept ?? 'no Accept header'}`, () => {
      negotiate(accept).should.equal(format)
    })

  it('provides both, errors included', async () => {
    for (const [path, status] of [
      [`${camera}/parameters/fps`, 200],
      [`${camera}/parameters/none`, 404],
    ] as const) {
      const url = `${api.device.url}/api/v2${path}`
      const answer = await fetch(url, { headers: { accept: 'application/ubjson' } })
      answer.status.should.equal(status)
      should(answer.headers.get('content-type')).equal('application/ubjson')
      should(decodeUbjson(new Uint8Array(await answer.arrayBuffer()))).eql((await api.get(path)).body)
    }
  })
})
