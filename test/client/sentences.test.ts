import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import 'should'
import { isVisionError, VisionError } from '../../lib'
import { sentence, type SentenceKey } from '../../lib/client/sentences'

const folder = join(__dirname, '../../lib/client/locales/en-US')
const keys = readdirSync(folder).flatMap((file) =>
  Object.keys(JSON.parse(readFileSync(join(folder, file), 'utf8')) as object),
) as SentenceKey[]

describe('error sentences', () => {
  for (const key of keys) {
    it(`say what failed and what to do: ${key}`, () => {
      const parts = ['said', 'reason-deadline']
      const filled = sentence(key, {
        operation: 'getParameter',
        device: 'http://device',
        said: ' It says so.',
        problem: 'Because.',
      })
      filled.should.not.match(/\{\{|\}\}|undefined/)
      if (!parts.includes(key)) filled.replace(' It says so.', '').should.match(/^.+?[^.]\. .+\.$/)
    })
  }

  it('have a key each', () => {
    new Set(keys).size.should.equal(keys.length)
  })

  it('fall back to English in a language that is not there', () => {
    for (const language of ['xx', 'fr-FR', '../../../etc/passwd', '']) {
      const error = new VisionError(
        { code: 'BUSY', key: 'busy', values: { limit: 3 } },
        { language, device: 'd' },
      )
      error.message.should.containEql('because 3 calls are waiting already')
    }
  })

  it('belong to an error that says which it is', () => {
    const error = new VisionError(
      { code: 'BUSY', key: 'busy', values: { limit: 3 } },
      { operation: 'getSystem' },
    )
    error.should.have.properties({
      code: 'BUSY',
      key: 'busy',
      name: 'VisionError',
      operation: 'getSystem',
    })
    error.values.should.containEql({ limit: 3, operation: 'getSystem' })
    isVisionError(error).should.be.true()
    for (const other of [new Error('x'), null, 'BUSY', { name: 'VisionError', code: 'BUSY' }])
      isVisionError(other).should.be.false()
  })
})
