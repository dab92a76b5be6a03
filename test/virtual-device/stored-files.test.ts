import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { createClient, type Client } from '../../lib'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useDevice } from './support/use-device'

const box = { node: 'dev_boxpick', id: 'carton/1' }
const bytes = Buffer.from([0, 1, 2, 0xff, 0x0d, 0x0a, 0x2d, 0x2d])

const form = (...fields: [string, string | Blob, string?][]) => {
  const body = new FormData()
  for (const [name, value, file] of fields)
    if (typeof value === 'string') body.set(name, value)
    else body.set(name, value, file)
  return { body }
}

describe('files that a device stores', () => {
  const api = useDevice({ variant: 'multi' })
  const path = '/templates/dev_silhouettematch/part'
  const file = new Blob([bytes])

  it('are returned byte by byte if Accept prefers them, and otherwise as records', async () => {
    ;(await api.put(path, form(['file', file, 'part.zip']))).status.should.equal(200)
    for (const accept of ['application/octet-stream', 'application/json;q=0.5, Application/Octet-Stream']) {
      const got = await api.get(path, { headers: { accept } })
      should(got.headers.get('content-type')).equal('application/octet-stream')
      Buffer.from(got.bytes).should.eql(bytes)
    }
    for (const accept of ['*/*', 'application/json', 'application/octet-stream;q=0.1, application/json'])
      should((await api.get(path, { headers: { accept } })).body).eql({ id: 'part' })
    should((await api.get('/templates/dev_silhouettematch')).body).eql([{ id: 'part' }])
  })

  it('are replaced under the same id, and gone when deleted', async () => {
    await api.put(path, form(['file', file, 'part.zip']))
    await api.put(path, form(['file', new Blob(['new']), 'part.zip']))
    const headers = { accept: 'application/octet-stream' }
    ;(await api.get(path, { headers })).text.should.equal('new')
    ;(await api.delete(path)).status.should.equal(200)
    ;(await api.delete(path)).status.should.equal(404)
    should((await api.get('/templates/dev_silhouettematch')).body).eql([])
  })

  it('that are DXF drawings require height and units, before or after the file', async () => {
    const drawing = ['file', file, 'part.DXF'] as [string, Blob, string]
    const height = ['object_height', '0.05'] as [string, string]
    const units = ['units', 'mm'] as [string, string]
    for (const fields of [[drawing], [drawing, height], [units, drawing], [drawing, height, ['units', 'km']]])
      (await api.put(path, form(...(fields as (typeof drawing)[])))).status.should.equal(400)
    ;(await api.put(path, form(height, units, drawing))).status.should.equal(200)
    ;(await api.put(path, form(drawing, units, height))).status.should.equal(200)
    ;(await api.put(path, form(['object_height', '-1'], units, drawing))).status.should.equal(400)
  })

  it('are recognised as geometry by their suffix, or by how they begin', async () => {
    const put = async (name: string, content: string) =>
      (await api.put('/cad/gripper_elements/palm', form(['file', new Blob([content]), name]))).status
    for (const name of ['palm.step', 'palm.STP', 'palm.stl', 'palm.obj', 'palm.ply'])
      (await put(name, 'x')).should.equal(200)
    ;(await put('palm', 'ISO-10303-21;')).should.equal(200)
    for (const [name, content] of [
      ['palm.exe', 'ply\n'],
      ['palm', 'x'],
      ['palm.stl', ''],
    ] as const)
      (await put(name, content)).should.equal(400)
  })

  it('are limited to fifty elements, however many come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        api.put(`/cad/gripper_elements/${index}`, form(['file', new Blob(['x']), 'a.stl'])),
      ),
    )
    answers.filter(({ status }) => status === 200).length.should.equal(50)
    ;(await api.put('/cad/gripper_elements/more', form(['file', file, 'a.stl']))).text.should.containEql(
      '-10',
    )
    should((await api.get('/cad/gripper_elements')).body).have.length(50)
  })
})

describe('files of a device with a state folder', () => {
  let folder = ''
  let device: VirtualDevice
  let client: Client
  const start = async () => {
    device = await startVirtualDevice({ port: 0, state: folder })
    client = createClient({ address: device.url })
  }
  const stop = async () => {
    await client.close()
    await device.stop()
  }
  const contents = () => readdir(join(folder, 'files-single'))

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'files-'))
    await start()
    await client.putTemplate({ ...box, file: bytes, object_height: 0.1, units: 'mm' })
  })
  afterEach(async () => {
    await stop()
    await rm(folder, { recursive: true })
  })

  it('are there again after a restart', async () => {
    await stop()
    await start()
    ;(await client.getTemplate({ ...box, format: 'file' })).should.eql(bytes)
    should(await client.getTemplate(box)).eql({ id: box.id })
  })

  it('are complete for readers while they are replaced', async () => {
    const wanted = [
      bytes.toString('hex'),
      ...['a', 'b', 'c', 'd'].map((text) => Buffer.from(text).toString('hex')),
    ]
    const writes = ['a', 'b', 'c', 'd'].map((text) => client.putTemplate({ ...box, file: Buffer.from(text) }))
    const reads = Array.from({ length: 20 }, () => client.getTemplate({ ...box, format: 'file' }))
    for (const read of await Promise.all(reads)) wanted.should.containEql(read.toString('hex'))
    await Promise.all(writes)
    ;(await contents()).should.have.length(1)
  })

  it('leave nothing behind when they are replaced or deleted', async () => {
    await client.putTemplate({ ...box, file: Buffer.from('new') })
    ;(await contents()).should.have.length(1)
    await client.deleteTemplate(box)
    ;(await contents()).should.eql([])
  })

  it('that are unknown are removed at the next start', async () => {
    await writeFile(join(folder, 'files-single', 'left-behind'), 'x')
    await stop()
    await start()
    ;(await contents()).should.have.length(1)
  })

  it('that were removed are no longer templates after the next start, with a log entry', async () => {
    await stop()
    await rm(join(folder, 'files-single'), { recursive: true })
    await start()
    should(await client.listTemplates({ node: box.node })).eql([])
    const { log } = await client.getLog({ log: 'api.log' })
    log.map(({ message }) => message).should.containEql('the file of carton/1 is missing')
  })
})
