import 'should'
import { startPlcClient } from '../../lib/plc/client'
import { modbusProtocol } from '../../lib/plc/modbus'
import type { PlcError } from '../../lib/plc/plc-error'

describe('PlcError', () => {
  it('says what failed in the language that is asked for', () => {
    const error = refusedOptions()
    error.should.have.properties({ name: 'PlcError', code: 'INVALID_INPUT', key: 'plc-option' })
    error.message.should.equal('The setting port is 0, which cannot be used. Expected: 1 to 65535.')
    error.inLanguage('de-AT').should.startWith('Die Einstellung port ist 0')
    error.inLanguage('fr').should.equal(error.message)
  })
})

function refusedOptions(): PlcError {
  try {
    startPlcClient({ protocol: modbusProtocol(), host: '127.0.0.1', port: 0 })
  } catch (error) {
    return error as PlcError
  }
  throw new Error('it was accepted')
}
