import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { fileName } from '../../nodes/backup/backup'
import { useBench } from '../support/bench'

const type = 'vision-backup'
const fps = (value: number) => ({
  pipelines: { '0': { nodes: { dev_camera: { parameters: { fps: value } } } } },
})

describe('backup', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-backup-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  describe('to a file', () => {
    const bench = useBench({ type, file: 'where', fileType: 'msg', folders: folder })

    it('creates the folders, fills in the name and sends the path', async () => {
      const message = await bench.send({
        topic: 'cell 1',
        where: join(folder, 'a', '{serial}', '{date}.json'),
      })
      const path = String(message.payload)
      path.should.match(/\/a\/[^/]+\/\d{4}-\d\d-\d\d\.json$/)
      const saved = JSON.parse(readFileSync(path, 'utf8')) as object
      saved.should.have.keys('pipelines', 'load_carriers', 'regions_of_interest', 'grippers')
      should(message['backup']).eql(saved)
      should(message.topic).equal('cell 1')
      readdirSync(join(path, '..')).length.should.equal(1)
    })

    it('says why a file cannot be written', async () => {
      writeFileSync(join(folder, 'file'), '')
      await bench
        .send({ where: join(folder, 'file', 'b.json') })
        .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /b\.json cannot be written/ })
    })

    it('writes nothing outside the folders allowed to a message', async () => {
      const elsewhere = join(folder, '..', 'cellsight-elsewhere.json')
      await bench.send({ where: elsewhere }).should.be.rejectedWith({
        code: 'INVALID_INPUT',
        message: /cellsight-elsewhere\.json is not allowed.*cellsight-backup-.*Folders/,
      })
      existsSync(elsewhere).should.be.false()
    })

    it('writes anywhere if the dialog says so', async () => {
      await bench.deploy({ file: join(folder, '{serial}', 'typed.json'), fileType: 'str', folders: '' })
      await bench.state('ready')
      existsSync(String((await bench.send()).payload)).should.be.true()
      await bench.deploy({ file: 'where', fileType: 'msg', folders: folder })
      await bench.state('ready')
    })

    it('names an unknown placeholder', () =>
      bench
        .send({ where: '{day}.json' })
        .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /\{day\}.*\{date\}, \{time\}/ }))
  })

  describe('to the message, of one part', () => {
    const bench = useBench({ type, target: 'message', pipelines: false, regions: false, grippers: false })

    it('has only that part', async () => {
      const message = await bench.send()
      should(message.payload).eql({ load_carriers: [] })
      should(message['backup']).equal(message.payload)
    })
  })

  describe('restored', () => {
    const bench = useBench({
      type,
      action: 'restore',
      source: 'payload',
      sourceType: 'msg',
      folders: folder,
      confirmed: true,
    })

    it('changes the device and sends no warnings if everything fits', async () => {
      const message = await bench.send({ payload: fps(10) })
      should(message.payload).eql([])
      should(message['restored']).match({ return_code: { value: 0 } })
      should(bench.device.parameter('dev_camera', 'fps')).equal(10)
    })

    it("cannot be led into another folder by the device's values", async () => {
      const payload = { pipelines: { '0': { nodes: { dev_laser: { parameters: { power: 1 } } } } } }
      const message = await bench.send({ payload })
      should(message.payload).match([/dev_laser/])
    })

    it('is read from a file, as text and as bytes too', async () => {
      const file = join(folder, 'restore.json')
      writeFileSync(file, JSON.stringify(fps(11)))
      await bench.send({ payload: file })
      should(bench.device.parameter('dev_camera', 'fps')).equal(11)
      await bench.send({ payload: JSON.stringify(fps(12)) })
      should(bench.device.parameter('dev_camera', 'fps')).equal(12)
      await bench.send({ payload: Buffer.from(JSON.stringify(fps(13))) })
      should(bench.device.parameter('dev_camera', 'fps')).equal(13)
    })

    it('is refused if invalid, before anything is sent', async () => {
      const calls = () => bench.device.calls().filter(({ operation }) => operation === 'restoreBackup').length
      const before = calls()
      for (const payload of ['', [], {}, 5, '{"a":', Buffer.from('[]')])
        await bench.send({ payload }).should.be.rejectedWith({ code: 'INVALID_INPUT' })
      await bench
        .send({ payload: join(folder, 'none.json') })
        .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /none\.json cannot be read/ })
      calls().should.equal(before)
    })

    it('lists what the device does not accept', () =>
      bench.send({ payload: { grippers: 5 } }).should.be.rejectedWith({ code: 'BAD_REQUEST' }))

    it('is not sent until confirmed', async () => {
      await bench.deploy({ confirmed: false })
      await bench
        .send({ payload: fps(14) })
        .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /not confirmed/ })
      should(bench.device.parameter('dev_camera', 'fps')).equal(13)
    })
  })

  describe('compared with the device', () => {
    const bench = useBench({ type, action: 'compare', source: 'payload', sourceType: 'msg' })

    it('tells what the device has otherwise, as a list and to read', async () => {
      const message = await bench.send({ payload: { ...fps(10), load_carriers: [{ id: 'bin_1' }] } })
      const list = message.payload as { path: string; change: string }[]
      should(list.find(({ path }) => path.endsWith('dev_camera.parameters.fps'))).match({
        change: 'changed',
        before: 10,
        after: 25,
      })
      should(list.find(({ path }) => path === 'load_carriers[bin_1]')).match({ change: 'removed' })
      should(message['report']).match(/dev_camera\.parameters\.fps: 10 → 25/)
    })

    it('finds nothing in a backup of now, and ignores parts that it does not have', async () => {
      const response = await fetch(`${bench.device.url}/api/v2/system/backup?grippers=false`)
      const message = await bench.send({ payload: await response.json() })
      should(message.payload).eql([])
      should(message['report']).equal('')
    })
  })

  describe('compared with another one', () => {
    const bench = useBench({
      type,
      action: 'compare',
      source: 'one',
      sourceType: 'msg',
      against: 'other',
      other: 'other',
      otherType: 'msg',
    })

    it('needs no device', async () => {
      bench.device.setScenario({ offline: true })
      const { payload } = await bench.send({ one: { a: 1 }, other: { a: 2 } })
      should(payload).eql([{ path: 'a', change: 'changed', before: 1, after: 2 }])
    })

    it('names the missing one', () =>
      bench
        .send({ one: { a: 1 } })
        .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /other is empty/ }))
  })

  describe('a file name', () => {
    const now = new Date(2026, 10, 2, 3, 4, 5)
    const device = { hostname: 'cell', serial: '0815' }

    it('has the local date and time', () =>
      fileName('{hostname}-{serial}_{date}_{time}.json', device, now).should.equal(
        'cell-0815_2026-11-02_03-04-05.json',
      ))

    it("cannot be led into another folder by the device's values", () => {
      fileName('b/{hostname}.json', { ...device, hostname: '../../etc/x y' }, now).should.equal(
        'b/__.._etc_x_y.json',
      )
      fileName('b/{hostname}', { ...device, hostname: '..' }, now).should.equal('b/_')
    })
  })
})
