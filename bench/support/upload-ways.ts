import { fork } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endOf } from '../../test/support/end-of'
import { createClient, firmware } from '../../lib'

export interface Upload {
  seconds: number
  /** Of resident memory, bytes. */
  rise: number
}

interface UploadTarget {
  address: string
  file: string
}

const methods = {
  client: async ({ address, file }: UploadTarget) => {
    const client = createClient({ address })
    await client.uploadFirmware({ file })
    await client.close()
  },
  formData: async ({ address, file }: UploadTarget) => {
    const body = new FormData()
    body.set('file', await openAsBlob(file), 'artifact')
    const answer = await fetch(`http://${address}/api/v2/system/update`, { method: 'POST', body })
    await answer.text()
  },
  /** Up to the restart: artifact check, backup, journal. */
  update: async ({ address, file }: UploadTarget) => {
    const client = createClient({ address })
    const folder = await mkdtemp(join(tmpdir(), 'bench-update-'))
    const run = { client, source: file, journals: folder, backups: folder, mode: 'upload' as const }
    await firmware.updateFirmware(run).done
    await client.close()
    await rm(folder, { recursive: true })
  },
}
export type UploadMethod = keyof typeof methods

/** In a process, so that only its memory is measured. */
export async function uploads(method: UploadMethod, what: UploadTarget): Promise<Upload> {
  const child = fork(__filename, [JSON.stringify({ method, what })])
  let upload: Upload | undefined
  child.on('message', (message: Upload) => (upload = message))
  await endOf(child)
  if (!upload) throw new Error(`the upload by ${method} failed`)
  return upload
}

async function measured(method: UploadMethod, what: UploadTarget): Promise<Upload> {
  // Loading and the first request are not part of the upload.
  await fetch(`http://${what.address}/`).then((answer) => answer.text())
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 10)
  const start = performance.now()
  await methods[method](what)
  const seconds = (performance.now() - start) / 1000
  clearInterval(timer)
  return { seconds, rise: Math.max(most, process.memoryUsage.rss()) - before }
}

if (require.main === module) {
  const { method, what } = JSON.parse(process.argv[2] ?? '') as { method: UploadMethod; what: UploadTarget }
  void measured(method, what).then((upload) => {
    process.send?.(upload)
    process.disconnect()
  })
}
