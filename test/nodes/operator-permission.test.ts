import 'should'
import type { NodeMessage } from 'node-red'
import { useBench } from '../support/bench'

// Messages of pages with a login are in test/operator, with a real Dashboard.
const login = {
  httpNodeAuth: { user: 'operator', pass: '$2b$04$ICO6O1ZO85SKmpSWPEzaOu5mmQGzVCAoKychDlQOGKk1TYO81pLc6' },
}
const order = (): NodeMessage => ({ topic: 'trigger', _client: { socketId: 'x' } })

describe('operator-permission', () => {
  const bench = useBench({ type: 'vision-operator-permission', allowed: false })

  it('passes nothing on unless the flow allows it', () =>
    bench.send(order()).should.be.rejectedWith({ code: 'FORBIDDEN', message: /\*Allow orders\*/ }))

  it('passes nothing on where Node-RED requires no login', async () => {
    await bench.deploy({ allowed: true })
    await bench.send(order()).should.be.rejectedWith({ code: 'FORBIDDEN', message: /httpNodeAuth/ })
  })
})

describe('operator-permission in a Node-RED with a login', () => {
  const bench = useBench({ type: 'vision-operator-permission', allowed: true }, { settings: () => login })

  it('passes on no message that does not come from a page with a login', async () => {
    const refused = { code: 'FORBIDDEN', message: /opened with a login/ }
    await bench.send(order()).should.be.rejectedWith(refused)
    await bench.send({ topic: 'trigger' }).should.be.rejectedWith(refused)
    const pretends = { _client: { 'opened with a login': true, 'Symbol(opened with a login)': true } }
    await bench.send(pretends).should.be.rejectedWith(refused)
  })
})
