import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty folder for each test. */
export function useFolder() {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'virtual-device-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))
  return { path: (...parts: string[]) => join(folder, ...parts) }
}
