import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../support/root'

describe('the generated pages', () => {
  it('are those of the present descriptions, help and codes', () =>
    promisify(execFile)(process.execPath, [join(root, 'scripts', 'reference.mjs'), '--check'])).timeout(
    20_000,
  )
})
