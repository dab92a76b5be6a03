import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import 'should'
import { isVisionError, VisionError } from '../../lib'
import { sentence, type SentenceKey } from '../../lib/client/sentences'

const locales = join(__dirname, '../../lib/client/locales')
const files = readdirSync(join(locales, 'en-US'))
const read = (language: string, file: string) =>
  JSON.parse(readFileSync(join(locales, language, file), 'utf8')) as Record<string, string>
const keysIn = (some: readonly string[]) =>
  some.flatMap((file) => Object.keys(read('en-US', file))) as SentenceKey[]
const keys = keysIn(files)
/** Sentences that tell what happened and not what failed. */
const reports = keysIn(files.filter((file) => file.endsWith('-reports.json')))

/** What is told of an update or written into a log, and what is put into other sentences. */
const isPart =
  /^(said|near-names|reason-.*|firmware-(step|outcome|problem)-.*|log-(gap-.*|held-back)|close-(done|failed)|port-of-.*|(no-)?free-port|nodes-(written|unknown|put-back|untouched))$/

describe('error sentences', () => {
  for (const language of ['en-US', 'de'])
    for (const key of keys) {
      it(`say what failed and what to do, in ${language}: ${key}`, () => {
        const filled = sentence(
          key,
          {
            operation: 'getParameter',
            device: 'http://device',
            said: ' It says so.',
            problem: 'Because.',
          },
          language,
        )
        filled.should.not.match(/\{\{|\}\}|undefined/)
        if (!isPart.test(key) && !reports.includes(key))
          filled.replace(' It says so.', '').should.match(/^.+?[^.]\. .+\.$/)
      })
    }

  for (const file of files)
    it(`of ${file} are in German as well, with the same values in them`, () => {
      const placeholders = (sentences: Record<string, string>) =>
        Object.entries(sentences).map(([key, text]) => [key, (text.match(/\{\{\w+\}\}/g) ?? []).sort()])
      placeholders(read('de', file)).should.deepEqual(placeholders(read('en-US', file)))
    })

  it('have a key each', () => {
    new Set(keys).size.should.equal(keys.length)
  })

  it('speak the base language where there is none for the region', () => {
    sentence('node-closed', {}, 'de-AT').should.equal(sentence('node-closed', {}, 'de'))
  })

  it('fall back to English in a language that is not there', () => {
    for (const language of ['xx', 'fr-FR', '../../../etc/passwd', '']) {
      const error = new VisionError(
        { code: 'BUSY', key: 'busy', values: { limit: 3 } },
        { language, device: 'd' },
      )
      error.message.should.containEql('because 3 calls are already waiting')
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
    error.values.should.containEql({ limit: 3 })
    isVisionError(error).should.be.true()
    for (const other of [new Error('x'), null, 'BUSY', { name: 'VisionError', code: 'BUSY' }])
      isVisionError(other).should.be.false()
  })
})
