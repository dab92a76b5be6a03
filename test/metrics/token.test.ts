import should from 'should'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { hasToken } from '../../nodes/metrics/measuring'

describe('the token for metrics', () => {
  const settings = { visionMetricsToken: 'a long secret' }

  it('opens the page as a bearer token', () => {
    hasToken('Bearer long', { visionMetricsToken: 'long' }).should.be.true()
    hasToken('bearer  long ', { visionMetricsToken: 'long' }).should.be.true()
  })

  it('opens nothing if it is wrong, incomplete, or of another scheme', () => {
    for (const given of [undefined, '', 'Bearer', 'Bearer ', 'Bearer a', 'Basic a', 'a', 'Bearer a b'])
      hasToken(given, { visionMetricsToken: 'ab' }).should.be.false(String(given))
    hasToken('Bearer a long secret', settings).should.be.false()
  })

  it('opens nothing if there is none', () => {
    for (const visionMetricsToken of [undefined, '', null, 0, {}])
      for (const given of ['Bearer ', 'Bearer undefined', 'Bearer null', 'Bearer [object Object]'])
        hasToken(given, { visionMetricsToken }).should.be.false()
  })

  it('may come from the environment', () => {
    process.env['VISION_METRICS_TOKEN'] = 'from-outside'
    try {
      should(hasToken('Bearer from-outside', {})).be.true()
      should(hasToken('Bearer from-outside', { visionMetricsToken: 'own' })).be.false()
    } finally {
      Reflect.deleteProperty(process.env, 'VISION_METRICS_TOKEN')
    }
  })
})

describe('the metrics of a Node-RED without an admin server', () => {
  const token = 'b-token-for-metrics'
  const started: NodeRed[] = []
  const start = async (environment: Record<string, string>, settings: Record<string, unknown> = {}) => {
    const red = await startNodeRed({ environment, settings: { httpAdminRoot: false, ...settings } })
    started.push(red)
    return red
  }
  const scrape = (url: string, authorization?: string) =>
    fetch(url, authorization === undefined ? {} : { headers: { authorization } })
  afterEach(() => Promise.all(started.splice(0).map((red) => red.stop())))

  it('are on httpNode, with the token only, and Node-RED says so when it starts', async () => {
    const red = await start({ VISION_METRICS_TOKEN: token }, { httpNodeRoot: '/cell' })
    const url = `${new URL(red.url).origin}/cell/vision-devices/metrics`
    const answer = await scrape(url, `Bearer ${token}`)
    answer.status.should.equal(200)
    ;(await answer.text()).should.match(/^vision_build_info\{/m)
    for (const wrong of [undefined, 'Bearer other', `Basic ${btoa(`x:${token}`)}`])
      (await scrape(url, wrong)).status.should.equal(401)
    red
      .output()
      .should.match(/\[warn\] httpAdminRoot is false, .* \/cell\/vision-devices\/metrics on httpNode/)
  })

  it('are nowhere without a token, of which Node-RED warns', async () => {
    const red = await start({ VISION_METRICS_TOKEN: '' })
    for (const given of [undefined, 'Bearer ', 'Bearer undefined'])
      (await scrape(`${new URL(red.url).origin}/vision-devices/metrics`, given)).status.should.equal(404)
    red.output().should.match(/\[warn\] .*no token for metrics is set/)
  })
})
