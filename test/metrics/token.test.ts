import should from 'should'
import { hasToken } from '../../nodes/metrics/own-token'

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
