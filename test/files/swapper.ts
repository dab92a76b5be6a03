import { renameSync, rmSync, symlinkSync } from 'node:fs'

/** A program that replaces a folder by a link to another one and puts it back, again and again. */
const [folder = '', other = ''] = process.argv.slice(2)
/** Swaps from one message to the next. */
const many = 100

/** Takes away what the other program has made in the meantime, too. */
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
