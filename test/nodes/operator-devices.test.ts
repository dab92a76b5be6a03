import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { changesBetween, remembered } from '../../nodes/operator-devices/all-devices'
import { useBench } from '../support/bench'

describe('operator-devices', () => {
  const userDir = mkdtempSync(join(tmpdir(), 'cellsight-devices-'))
  const away = { id: 'far', type: 'vision-device-config', name: 'away', address: 'http://127.0.0.1:9' }
  const bench = useBench(
    { type: 'vision-operator-devices', language: 'de' },
    { config: { name: 'Zelle 1' }, flow: [away], settings: () => ({ userDir }) },
  )
  after(() => rmSync(userDir, { recursive: true }))

  const rows = async () => (await bench.send()).payload as Record<string, string>[]

  it('has a row for each device, also for one that does not answer', async () => {
    const [first, second] = await rows()
    should(first).match({
      ...{ Gerät: 'Zelle 1', Zustand: 'bereit', Lizenz: 'gültig', Firmware: /\d+\.\d+/ },
      ...{ Temperatur: /^\d+(,\d)? °C$/, 'Geändert seit gestern': /^nichts seit / },
    })
    should(second).match({ Gerät: 'away', Zustand: 'antwortet nicht', Firmware: '–' })
  })

  it('names what has changed since, also after a deploy', async () => {
    const url = `${bench.device.url}/api/v2/pipelines/0/nodes/dev_camera/parameters/fps`
    const { status } = await fetch(url, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ value: 10 }),
    })
    should(status).equal(200)
    await bench.deploy()
    should((await rows())[0]?.['Geändert seit gestern']).equal('dev_camera.fps: 25 → 10')
  })

  it('takes a file that somebody has spoilt', async () => {
    const folder = join(userDir, 'vision-operator')
    for (const file of readdirSync(folder)) writeFileSync(join(folder, file), '{"device":{"old":5}}')
    await bench.deploy()
    should((await rows())[0]?.['Geändert seit gestern']).match(/^nichts seit /)
    should(readdirSync(folder).filter((file) => file.includes('.damaged-'))).have.length(1)
  })
})

describe('what has changed since yesterday', () => {
  const hour = 3_600_000
  it('is compared with what was a day ago, or with the first look', () => {
    let history = remembered(undefined, { a: 0 }, 0)
    const compared: unknown[] = []
    for (let at = 1; at <= 72; at++) {
      history = remembered(history, { a: at }, at * hour)
      if (at % 12 === 0) compared.push(history.old.values['a'])
    }
    should(compared).eql([0, 0, 0, 24, 24, 48])
  })

  it('are other values of the same name only', () => {
    should(changesBetween({ a: 1, b: [1], gone: 5 }, { a: 2, b: [1], new: 7 })).eql([
      { name: 'a', from: 1, to: 2 },
    ])
  })
})
