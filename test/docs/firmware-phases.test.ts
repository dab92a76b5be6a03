import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import 'should'
import { phases } from '../../lib/firmware/phases'

const text = readFileSync(join(__dirname, '../../../docs/firmware.md'), 'utf8')

describe('the phases of a firmware update in its document', () => {
  it('are those that the code runs', () => {
    const shown = text
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) =>
        line
          .split('|')
          .map((cell) => cell.trim())
          .slice(1, -1),
      )
    const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
    shown.should.deepEqual(
      Object.entries(phases).map(([phase, { needs, does, writes, afterDeath, next, abort }]) => [
        code([phase]),
        needs,
        does,
        code(writes) || 'nothing',
        `${code([afterDeath.at])}: ${afterDeath.finds}`,
        code(next),
        abort,
      ]),
    )
  })
})
