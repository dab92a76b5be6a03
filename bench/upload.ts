import { once } from 'node:events'
import { createServer } from 'node:http'
import { mkdtemp, open, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startInWorker } from '../virtual-device'
import { writeArtifact } from '../virtual-device/firmware/artifact'
import type { BenchRow } from './row'
import { uploads, type Upload, type UploadMethod } from './support/upload-ways'

const bytes = 1024 ** 3
const mebibytes = (some: number) => some / 1024 ** 2
const formData = 'FormData with openAsBlob'

/** 1 GiB from a process to a server that only counts it. Goal: resident memory rises by less than 64 MiB. */
export async function run(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-upload-'))
  const file = join(folder, 'artifact')
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'))
  })
  try {
    const artifact = await open(file, 'w')
    await artifact.truncate(bytes)
    await artifact.close()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const measured = async (method: UploadMethod): Promise<Upload> => uploads(method, { address, file })
    const client = await measured('client')
    const form = await measured('formData')
    const update = await updated(join(folder, 'firmware'))
    return [
      rate('client, 1 GiB', client, form),
      memory('client, 1 GiB', client, form),
      rate(formData, form),
      memory(formData, form),
      memory('update up to the restart, 1 GiB', update, form),
    ]
  } finally {
    server.close()
    server.closeAllConnections()
    await rm(folder, { recursive: true })
  }
}

/** To a virtual device, as in an update. */
async function updated(file: string): Promise<Upload> {
  await writeArtifact(file, { version: 'v2.0.0', size: bytes })
  const device = await startInWorker({ port: 0, scenario: { update_seconds: 0 } })
  try {
    return await uploads('update', { address: new URL(device.url).host, file })
  } finally {
    await device.stop()
  }
}

const rate = (what: string, one: Upload, other?: Upload): BenchRow => ({
  what: `${what}: rate`,
  value: mebibytes(bytes) / one.seconds,
  unit: 'MiB/s',
  ...(other && { against: formData, ratio: other.seconds / one.seconds }),
})

const memory = (what: string, one: Upload, other?: Upload): BenchRow => ({
  what: `${what}: rise of resident memory`,
  value: mebibytes(one.rise),
  unit: 'MiB',
  ...(other && { against: formData, ratio: one.rise / other.rise }),
})
