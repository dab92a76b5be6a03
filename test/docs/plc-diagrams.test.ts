import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import should from 'should'
import { defaultCodes } from '../../lib/plc/codes'
import { families } from '../../lib/plc/families'
import { root } from '../support/root'

const pageOf = (name: string) => readFileSync(join(root, 'docs', name), 'utf8')

describe('the pages about the PLC handshake', () => {
  it('shows the timing as the state machine has it', () =>
    promisify(execFile)(process.execPath, [join(root, 'scripts', 'plc-diagrams.mjs'), '--check']))

  it('has a diagram of each family', () => {
    for (const id of Object.keys(families))
      pageOf('plc-families.md').should.containEql(`](images/plc-${id}.svg)`)
  })

  it('says what to do about each code', () => {
    const [, table = ''] = pageOf('plc-codes.md').split('## What each code means')
    for (const code of Object.values(defaultCodes)) should(table).containEql(`\n| ${code} | `)
  })
})
