import should from 'should'
import type { NodeMessage } from 'node-red'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBench } from '../support/bench'
import { damages } from '../support/damages'

// With a PLC, a device and a real Dashboard: test/operator.
const png = Buffer.from('89504e470d0a1a0a', 'hex')

describe('operator-panel', () => {
  const userDir = mkdtempSync(join(tmpdir(), 'cellsight-panel-'))
  const handshake = { id: 'plc', type: 'vision-plc-handshake', name: '', family: 'sequence', port: 0 }
  const wires = [['out0'], ['out1'], [], [], ['out2'], [], []]
  const bench = useBench(
    { type: 'vision-operator-panel', handshake: 'plc', language: 'de', wires },
    { flow: [handshake], settings: () => ({ userDir }) },
  )
  after(() => rmSync(userDir, { recursive: true }))

  const rows = (message: NodeMessage) => message.payload as Record<string, string>[]
  const caught = (message: string, id = 'n') =>
    ({ error: { message, source: { id } } }) as unknown as NodeMessage

  it('shows a picture as PNG, as data URL, as a part, and as a service has drawn it', async () => {
    const url = `data:image/png;base64,${png.toString('base64')}`
    for (const message of [{ payload: png }, { payload: url }, { payload: { left: png, depth: 5 } }]) {
      const { output, message: sent } = await bench.sendAndSee(message)
      should(output).equal(1)
      should(sent).match({ payload: url, caption: /^Bild von \d\d:\d\d:\d\d$/ })
    }
    const drawn = 'data:image/svg+xml;base64,PHN2Zy8+'
    should((await bench.send({ payload: {}, picture: drawn })).payload).equal(drawn)
  })

  it('makes an alarm of an error, counts the same one, and takes an acknowledgement', async () => {
    const [first] = rows(await bench.send(caught('Das Kabel fehlt.')))
    should(first).match({ Alarm: 'Das Kabel fehlt.', Zustand: 'aktiv' })
    const again = rows(await bench.send(caught('Das Kabel fehlt.')))
    should(again.map(({ Alarm }) => Alarm)).eql(['Das Kabel fehlt. (2 ×)'])
    const [acknowledged] = rows(await bench.send({ topic: 'acknowledge' }))
    should(acknowledged).match({ Zustand: 'aktiv, quittiert' })
  })

  it('has its alarms again after a deploy', async () => {
    await bench.deploy()
    const texts = rows(await bench.send(caught('Noch eines.', 'other'))).map(({ Alarm }) => Alarm)
    should(texts).eql(['Noch eines.', 'Das Kabel fehlt. (2 ×)'])
  })

  it('takes the acknowledgement of one alarm', async () => {
    await bench.send(caught('Ein drittes.', 'third'))
    const alarm = { key: 'node third', text: 'Ein drittes.' }
    const message = await bench.send({ topic: 'acknowledge', payload: { alarm } })
    should(rows(message).map(({ Alarm, Zustand }) => [Alarm, Zustand])).eql([
      ['Noch eines.', 'aktiv'],
      ['Ein drittes.', 'aktiv, quittiert'],
      ['Das Kabel fehlt. (2 ×)', 'aktiv, quittiert'],
    ])
    // Nobody may acknowledge here: nothing in this flow allows it.
    should(message).match({ alarms: [{ acknowledge: '' }, { alarm, acknowledge: '' }, { acknowledge: '' }] })
  })

  for (const [name, apply] of Object.entries(damages))
    it(`has its alarms, says so once, and keeps the file, where it ${name}`, async () => {
      const folder = join(userDir, 'vision-operator')
      const file = readdirSync(folder).find((one) => one.endsWith('.json'))
      const before = rows(await bench.send({ topic: 'acknowledge' }))
      await bench.deploy()
      apply(join(folder, String(file)))
      const told = () => bench.logged('vision-operator-panel').length
      const earlier = told()
      await bench.deploy()
      should(rows(await bench.send({ topic: 'acknowledge' }))).eql(before)
      should(bench.logged('vision-operator-panel').at(-1)).match(/cannot be used: .+damaged-/)
      await bench.deploy()
      should(rows(await bench.send({ topic: 'acknowledge' }))).eql(before)
      should(told()).equal(earlier + 1)
    })

  it('refuses a trigger by hand where no cell is ready', () =>
    bench.send({ topic: 'trigger' }).should.be.rejectedWith({ code: 'REFUSED', message: /von Hand/ }))

  it('names what it can show where a message has none of it', async () => {
    for (const message of [{}, { payload: 5 }, { payload: Buffer.from('GIF89a') }, { topic: 'stop' }])
      await bench.send(message).should.be.rejectedWith({ code: 'INVALID_INPUT', message: /PNG/ })
  })

  it('says that no handshake is chosen', async () => {
    await bench.deploy({ handshake: '' })
    await bench.send({ payload: png }).should.be.rejectedWith({ code: 'INVALID_INPUT', message: /handshake/ })
  })
})
