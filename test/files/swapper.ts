import { renameSync, rmSync, symlinkSync } from 'node:fs'

/** A program that repeatedly replaces a folder by a link to another one and puts it back. */
const [folder = '', other = ''] = process.argv.slice(2)
/** Swaps between two messages. */
const many = 100

/** Also removes what the other program has created in the meantime. */
function inPlace(put: () => void) {
  for (;;) {
    try {
      rmSync(folder, { recursive: true, force: true })
      put()
      return
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (!['EEXIST', 'ENOTEMPTY'].includes(code)) throw error
    }
  }
}

function swap() {
  for (let count = 0; count < many; count++) {
    renameSync(folder, `${folder}.put-away`)
    inPlace(() => symlinkSync(other, folder))
    inPlace(() => renameSync(`${folder}.put-away`, folder))
  }
  process.send?.(many)
  setImmediate(swap)
}
swap()
