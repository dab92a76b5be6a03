import should from 'should'
import { startNodeRed, type NodeRed } from '../support/node-red'

describe('copies of a register map for the PLC', () => {
  let red: NodeRed
  before(async () => {
    red = await startNodeRed()
  })
  after(() => red.stop())

  const copy = async (body: object, language = 'en-US') => {
    const answer = await fetch(`${red.url}/vision-devices/plc-copy`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': language },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  it('are the lines of the map, in the language of the editor', async () => {
    const { body } = await copy({ kind: 'table', fields: { family: 'four-phases', offset: '100' } })
    const lines = body['lines'] as Record<string, string>[]
    should(lines[0]).match({ register: '100', bit: '0', type: 'bit', meaning: 'Trigger' })
    const german = await copy({ kind: 'table', fields: { family: 'four-phases' } }, 'de')
    should(german.body['lines']).match([{}, { meaning: 'Bereit' }])
  })

  it('are a program, a table and a page', async () => {
    const text = async (kind: string) => String((await copy({ kind, fields: {} })).body['text'])
    should(await text('scl')).match(/FUNCTION_BLOCK.*VisionHandshake/)
    should(await text('st')).match(/FUNCTION_BLOCK/)
    should(await text('csv')).match(/;sequence;0;40001;/)
    should(await text('page')).match(/^<!doctype html>[^]*<td>209<\/td>/)
  })

  it('have names where the protocol has them, and no program then', async () => {
    const fields = { connection: 'opcua', family: 'sequence', prefix: '' }
    const { body } = await copy({ kind: 'table', fields })
    const lines = body['lines'] as Record<string, string>[]
    should(lines.map(({ register }) => register)).containEql('ns=2;s=Cell.sequence')
    const prefixed = await copy({ kind: 'csv', fields: { ...fields, prefix: 'ns=4;s=Line1.' } })
    should(String(prefixed.body['text'])).match(/"ns=4;s=Line1\.echo"/)
    const { status, body: refused } = await copy({ kind: 'scl', fields })
    should(status).equal(400)
    should(String(refused['message'])).match(/maps of registers only/)
    const unknown = await copy({ kind: 'table', fields: { connection: 'constructor' } })
    should(unknown.status).equal(200)
  })

  it('are refused with the reason where a map cannot be', async () => {
    const wrong = async (fields: object, kind = 'table') => {
      const { status, body } = await copy({ kind, fields })
      should(status).equal(400)
      return String(body['message'])
    }
    const line = { row: 'trigger', address: 0, type: 'REAL' }
    should(await wrong({ map: JSON.stringify([line]) })).match(
      /^trigger cannot have the type REAL\. Choose one of these: bit\.$/,
    )
    should(await wrong({ map: '{' })).match(/map is not valid JSON/)
    should(await wrong({ map: '{}' })).match(/not a list of lines/)
    should(await wrong({ family: 'toString' })).match(/There is no handshake toString/)
    should(await wrong({ offset: '70000' })).match(/offset/)
    should(await wrong({}, 'exe')).match(/Choose one of: table, page/)
  })
})
