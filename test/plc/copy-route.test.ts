import should from 'should'
import { defaultCodes } from '../../lib/plc/codes'
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

  type Edited = { lines: Record<string, unknown>[]; missing: { name: string }[]; faults: string[] }
  const edited = async (fields: object, language?: string) =>
    (await copy({ kind: 'edit', fields }, language)).body['map'] as Edited

  it('are the lines of the map with samples of their registers, in the language of the editor', async () => {
    const { lines, missing, faults } = await edited({ family: 'four-phases', offset: '100' })
    should(lines[0]).eql({
      line: { row: 'trigger', address: 0, bit: 0, type: 'bit' },
      original: { row: 'trigger', address: 0, bit: 0, type: 'bit' },
      key: 'trigger',
      name: 'Trigger',
      from: 'plc',
      isChanged: false,
      types: ['bit'],
      units: [],
      sample: { text: '1', words: '0001' },
      faults: [],
    })
    should([missing, faults]).eql([[], []])
    should(lines.find(({ key }) => key === 'code')).match({ sample: { text: '-8', words: 'FFF8' } })
    should((await edited({ family: 'four-phases' }, 'de')).lines[1]).match({ name: 'Bereit' })
  })

  it('show the bytes of a value in the order of the PLC', async () => {
    const x = async (order: string) =>
      (await edited({ order })).lines.find(({ key }) => key === 'pose 1.1')?.['sample']
    should(await x('ABCD')).eql({ text: '123.4 mm', words: '42F6 CCCD' })
    should(await x('CDAB')).eql({ text: '123.4 mm', words: 'CCCD 42F6' })
  })

  it('mark changed lines, name the missing ones, and say at the line what is wrong with it', async () => {
    const bit = { row: 'trigger', address: 0, bit: 0, type: 'bit' }
    const code = { row: 'code', address: 0, type: 'INT' }
    const map = (...lines: object[]) => ({ family: 'four-phases', map: JSON.stringify(lines) })
    const { lines, missing } = await edited(map(bit, code))
    should(lines).match([
      { isChanged: false, faults: [] },
      { isChanged: true, original: { address: 2 }, faults: [/overlaps|share/] },
    ])
    should(missing.map(({ name }) => name)).containEql('Successful cycles')
    should((await edited(map({ ...code, address: 70_000 }))).lines[0]).match({ faults: [/70000/] })
    should((await edited(map({ ...bit, type: 'REAL' }))).lines[0]).match({
      faults: [/cannot have the type/, /bit/],
    })
    should((await edited(map({ ...bit, type: 'REAL' }), 'de')).lines[0]).match({
      faults: [/^„Trigger“ kann nicht vom Typ|^„Trigger“/, /Bit/],
    })
    should((await edited(map({ row: 'unheard', type: 'INT' }))).lines[0]).match({
      faults: [/does not exist/],
    })
    should((await edited(map(code))).faults).match([/lacks the row "Trigger"/])
  })

  it('have the table of result codes, with what was changed and added, and what is wrong there', async () => {
    const codes = async (own: object, language?: string) =>
      (await copy({ kind: 'edit', fields: { codes: JSON.stringify(own) } }, language)).body['codes'] as {
        name: string
      }[]
    const lineOf = (lines: { name: string }[], name: string) => lines.find((line) => line.name === name)
    const plain = await codes({})
    should(plain).have.length(Object.keys(defaultCodes).length)
    should(lineOf(plain, 'TIMEOUT')).eql({
      name: 'TIMEOUT',
      meaning: 'Device too slow; it may still work',
      code: 202,
      original: 202,
      isChanged: false,
    })
    const own = await codes({ TIMEOUT: 1202, '-8': 308, OTHER: 0, GRIPPER: 'x' }, 'de')
    should(lineOf(own, 'TIMEOUT')).match({ code: 1202, original: 202, isChanged: true })
    should(lineOf(own, '-8')).match({ code: 308, isChanged: true, meaning: 'Rückgabewert -8 des Geräts' })
    should(lineOf(own, '-8')).not.have.property('original')
    should(lineOf(own, 'OTHER')).match({ fault: /^Der Ergebniscode von OTHER ist nicht verwendbar/ })
    should(lineOf(own, 'GRIPPER')).match({ code: 'x', fault: /GRIPPER/ })
    const { body } = await copy({ kind: 'edit', fields: { codes: '{' } })
    should(body).have.property('map')
    should(body).not.have.property('codes')
  })

  it('print the codes as they are in the table', async () => {
    const fields = { codes: JSON.stringify({ TIMEOUT: 1202, '-8': 308 }) }
    const { body } = await copy({ kind: 'page', fields })
    const row = (code: string, meaning: string) => `<tr><td>${code}</td><td>${meaning}</td></tr>`
    should(String(body['text'])).containEql(row('1202', 'Device too slow; it may still work'))
    should(String(body['text'])).containEql(row('308', 'Return code -8 of the device'))
    should(String(body['text'])).not.containEql('<td>202</td>')
  })

  it('are a program, a table and a page', async () => {
    const text = async (kind: string) => String((await copy({ kind, fields: {} })).body['text'])
    should(await text('scl')).match(/FUNCTION_BLOCK.*VisionHandshake/)
    should(await text('st')).match(/FUNCTION_BLOCK/)
    should(await text('csv')).match(/;sequence;0;40001;/)
    should(await text('page')).match(/^<!doctype html>[^]*<td>209<\/td>/)
  })

  it('have names where the protocol has them, in the programs too', async () => {
    const fields = { connection: 'opcua', family: 'sequence', prefix: '' }
    const { lines } = await edited(fields)
    should(lines[0]).match({ line: { name: 'ns=2;s=Cell.sequence' }, sample: { text: '1204', words: '' } })
    const prefixed = await copy({ kind: 'csv', fields: { ...fields, prefix: 'ns=4;s=Line1.' } })
    should(String(prefixed.body['text'])).match(/"ns=4;s=Line1\.echo"/)
    const program = async (language?: string) =>
      String((await copy({ kind: 'scl', fields }, language)).body['text'])
    should(await program()).match(
      /^\/\/ OPC UA: [^]*DATA_BLOCK "Cell"[^]*sequence : UINT;[^]*FUNCTION_BLOCK/m,
    )
    should(await program('de')).match(/OPC-UA-Server der Steuerung/)
    const s7 = { connection: 's7', map: JSON.stringify([{ row: 'code', name: 'DB1,INT3', type: 'INT' }]) }
    const { status, body: refused } = await copy({ kind: 'scl', fields: s7 })
    should(status).equal(400)
    should(String(refused['message'])).match(/no place for INT at DB1,INT3/)
    const unknown = await copy({ kind: 'csv', fields: { connection: 'constructor' } })
    should(unknown.status).equal(200)
  })

  it('are refused with the reason where a map cannot be', async () => {
    const wrong = async (fields: object, kind = 'csv') => {
      const { status, body } = await copy({ kind, fields })
      should(status).equal(400)
      return String(body['message'])
    }
    const line = { row: 'trigger', address: 0, type: 'REAL' }
    should(await wrong({ map: JSON.stringify([line]) })).match(
      /^"Trigger" cannot have the type REAL\. Choose one of these: bit\.$/,
    )
    should(await wrong({ map: '{' })).match(/map is not valid JSON/)
    should(await wrong({ map: '{}' })).match(/not a list of lines/)
    should(await wrong({ family: 'toString' })).match(/There is no handshake toString/)
    should(await wrong({ offset: '70000' })).match(/offset/)
    should(await wrong({}, 'exe')).match(/Choose one of: edit, page/)
  })
})
