import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import should from 'should'
import { lineFiles } from '../../lib/files/line-files'
import { smallDisk } from '../support/small-disk'

describe('lines in a file on a disk that is full', () => {
  it('are written whole or not at all, and damage none that follow', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'cellsight-lines-'))
    const disk = smallDisk(join(outside, 'disk'))
    const files = lineFiles(disk.folder)
    try {
      files.append('a', '{"first":1}')
      disk.fill()
      // The file's own page has room for a part.
      should(() => files.append('a', JSON.stringify('x'.repeat(9000)))).throw({ code: 'ENOSPC' })
      disk.free()
      files.append('a', '{"next":2}')
      await files.sync('a')
      should(await files.read('a')).equal('{"first":1}\n{"next":2}\n')
    } finally {
      await files.close()
      disk.remove()
      rmSync(outside, { recursive: true, force: true })
    }
  })
})
