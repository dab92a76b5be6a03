import 'should'
import { notListening } from '../../../lib/plc/modbus/server'

describe('a Modbus server that cannot listen', () => {
  it('says what ports below 1024 need', () => {
    const refused = Object.assign(new Error('listen EACCES'), { code: 'EACCES' })
    const error = notListening(refused, { host: '127.0.0.1', port: 502 })
    error.code.should.equal('INVALID_INPUT')
    error.message.should.match(
      /^Port 502 of 127\.0\.0\.1 may not be opened: ports below 1024 .* Choose port 1502/,
    )
    error.inLanguage('de').should.match(/^Port 502 .*1024.*1502/)
  })
})
