import 'should'
import { createClient, operationIds, VisionError, type ClientOptions } from '../../lib'
import { shortSummaryOf, summaryOf } from '../../lib/contract/summary'
import { sampleInput } from './samples'

/** Nothing listens there. */
const address = 'http://127.0.0.1:1'

/** The error of an operation that cannot be sent. */
async function errorOf(options: Partial<ClientOptions>, id = operationIds[0] ?? 'getSystem') {
  const client = createClient({ address, retries: 0, ...options })
  try {
    await client.request(id, sampleInput(id))
    throw new Error(`${id} was answered`)
  } catch (error) {
    if (error instanceof VisionError) return error
    throw error
  } finally {
    await client.close()
  }
}

describe('an error of the client', () => {
  it("uses the user's name for the device, with the address in its cause", async () => {
    const { message, cause } = await errorOf({ name: 'left' }, 'getSystem')
    message.should.startWith(
      'left: cannot read the system state, because the device could not be reached (ECONNREFUSED). ',
    )
    message.should.not.containEql('127.0.0.1')
    cause?.should.match({ address, reason: 'ECONNREFUSED' })
  })

  it('uses its address if it has no name', async () => {
    for (const name of [{}, { name: '' }, { name: ' ' }])
      (await errorOf(name, 'getSystem')).message.should.startWith(`${address}: cannot read the system state`)
  })

  it('names the device even before anything is sent', async () => {
    const client = createClient({ address, name: 'left' })
    client.name.should.equal('left')
    client.address.should.equal(address)
    const { message, cause } = await client
      .request('getParameter', { pipeline: '0', node: '..', param: 'fps' })
      .then(() => new VisionError({ code: 'INVALID_INPUT', key: 'busy' }))
      .catch((error: unknown) => error as VisionError)
    message.should.startWith('left: cannot read a parameter, because node is not a usable name')
    cause?.should.eql({ address })
    await client.close()
  })

  it('is available in another language than its own', async () => {
    const error = await errorOf({ name: 'links', language: 'de' }, 'getSystem')
    error.message.should.startWith('links: „Systemzustand lesen“ ist fehlgeschlagen: ')
    error.inLanguage('en-US').should.startWith('links: cannot read the system state, ')
  })

  for (const id of operationIds)
    it(`names ${id} by what it does, in both languages`, async () => {
      for (const language of ['en-US', 'de']) {
        const { message } = await errorOf({ language }, id)
        message.should.containEql(shortSummaryOf(id, language))
        message.should.not.containEql(id)
        summaryOf(id, language).toLowerCase().should.startWith(shortSummaryOf(id, language).toLowerCase())
      }
    })
})
