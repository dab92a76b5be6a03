import 'should'
import { join } from 'node:path'
import { isVisionError, VisionError } from '../../lib'
import { errorsOf } from '../../lib/client/vision-error'
import { CentreError } from '../../lib/fleet/centre/centre-error'
import { CodedError } from '../../lib/kernel/errors'
import { NotJson } from '../../lib/kernel/json'
import { joined, knownLanguage, languages, sentencesIn, type Localized } from '../../lib/kernel/sentences'
import { StorageError } from '../../lib/kernel/storage'
import { linkError } from '../../lib/plc/client'
import { robotError } from '../../lib/robot-motion/state'
import { heldAfterCollection } from '../support/collect-garbage'

describe('sentences', () => {
  it('speak the base language where there is none for the region', () => {
    const busy = new VisionError({ code: 'BUSY', key: 'busy' })
    busy.inLanguage('de-AT').should.equal(busy.inLanguage('de')).and.not.equal(busy.message)
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

  it('that are not there do not compile', () => {
    const some = sentencesIn<{ one: string }>(__dirname)
    // @ts-expect-error there is no such sentence
    some.say('three').should.equal('three')
  })

  it('are loaded in the languages of this software alone', () => {
    languages.should.containDeep(['de', 'en-US'])
    for (const [requested, known] of Object.entries({
      de: 'de',
      'de-AT': 'de',
      DE: 'de',
      en: 'en-US',
      'en-US': 'en-US',
    }))
      String(knownLanguage(requested)).should.equal(known, requested)
    for (const foreign of [
      '',
      'xx',
      'toString',
      '..',
      '../de',
      'd',
      'deutsch',
      '\0',
      `de${'e'.repeat(1000)}`,
    ])
      String(knownLanguage(foreign)).should.equal('undefined', foreign)
  })
})

describe('an error', () => {
  const families: CodedError[] = [
    new VisionError({ code: 'BUSY', key: 'busy', values: { limit: 3 } }, { operation: 'getSystem' }),
    new CentreError('REFUSED', 'not-allowed'),
    new NotJson('json-too-large', 'payload', { kilobytes: 1 }),
    new StorageError('NOT_WRITTEN', 'storage-not-written', { key: 'reason-disk-full' }, { file: 'x' }),
    robotError({ code: 'ABORTED', key: 'robot-closed' }),
    linkError({ code: 'ABORTED', key: 'plc-closed', values: { host: '127.0.0.1', port: 502 } }),
  ]
  for (const error of families)
    it(`of the family ${error.name} has a code, a sentence in each language, and no placeholder left`, () => {
      error.should.be.instanceOf(CodedError)
      error.code.should.match(/^[A-Z_]+$/)
      error.inLanguage('en-US').should.equal(error.message)
      const german = error.inLanguage('de')
      german.should.not.equal(error.message)
      german.should.not.match(/\{\{|undefined/)
      Object.keys(error).should.not.containEql('sentences')
    })

  it('says which it is', () => {
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

  it('speaks the words of its layer in each language, and of a device that is called otherwise', () => {
    const words = {
      has: (key: string): key is 'busy' => key === 'busy',
      say: (_: string, { device, operation }: Readonly<Record<string, unknown>> = {}, language = 'en-US') =>
        `${language}: ${String(device)} cannot ${(operation as Localized).inLanguage(language)}`,
    }
    const [camera, bin] = ['camera', 'bin']
    const failed = errorsOf(joined(words, words))
    const error = failed({ code: 'BUSY', key: 'busy' }, { device: camera, operation: 'getSystem' })
    error.message.should.equal('en-US: camera cannot read the system state')
    const told = error.retold({ language: 'de', device: bin, cause: { status: 1 } })
    told.message.should.startWith('de: bin cannot ').and.not.containEql('read the system')
    told.should.containEql({ code: 'BUSY', key: 'busy', operation: 'getSystem' })
    told.cause?.should.deepEqual({ status: 1 })
    error.inLanguage('de').should.startWith('de: camera ')
  })

  it('are kept once for each language of this software, whatever 20,000 clients ask for', async () => {
    const sentences = sentencesIn<{ busy: string }>(join(__dirname, '..', '..', 'lib', 'client'))
    const saying = (language: string) => sentences.say('busy', {}, language)
    for (const language of languages) saying(language)
    const { heap } = await heldAfterCollection()
    for (let count = 0; count < 20_000; count++)
      saying(`${'qxzjv'[count % 5]}${count}-${'x'.repeat(count % 40)}`)
    // A kept catalogue, or only each name with its path, would take megabytes.
    ;((await heldAfterCollection()).heap - heap).should.be.below(1024 * 1024)
    saying('../../../../etc').should.equal(saying('en-US'))
  })
})
