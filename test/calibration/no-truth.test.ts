import 'should'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(__dirname, '../../..')
/** What calibrates, moves robots or takes pictures. */
const folders = ['lib', 'nodes/hand-eye-calibration', 'nodes/robot', 'nodes/robot-config', 'nodes/pictures']

describe('what calibrates', () => {
  it('never asks a virtual device for its truth', () => {
    const files = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(folder, file)),
    )
    files.length.should.be.above(200)
    const asks = /['"`(]\/?virtual\/(cell|arm|scenario|truth)/
    asks.test(`fetch('/virtual/cell')`).should.be.true()
    files.filter((file) => asks.test(readFileSync(join(root, file), 'utf8'))).should.be.empty()
  })
})
