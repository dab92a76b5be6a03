import type { NodeAPI } from 'node-red'
import should from 'should'
import { setLanguage, currentLanguage } from '../../nodes/shared/node-error'

describe('the language of messages, errors and statuses', () => {
  const names = ['LC_ALL', 'LC_MESSAGES', 'LANG'] as const
  const before = names.map((name) => [name, process.env[name]] as const)
  const languageIn = (environment: Partial<Record<(typeof names)[number], string>>, lang?: unknown) => {
    for (const name of names) Reflect.deleteProperty(process.env, name)
    Object.assign(process.env, environment)
    setLanguage({ settings: { lang } } as unknown as NodeAPI)
    return currentLanguage()
  }
  after(() => {
    for (const [name, value] of before)
      if (value === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = value
    setLanguage({ settings: {} } as unknown as NodeAPI)
  })

  it("is that of the settings, or of the process, as for Node-RED's own texts", () => {
    should(languageIn({ LANG: 'fr_FR.UTF-8' }, 'de')).equal('de')
    should(languageIn({ LANG: 'de_DE.UTF-8' })).equal('de')
    should(languageIn({ LC_ALL: 'en_US.UTF-8', LANG: 'de_DE.UTF-8' })).equal('en')
    should(languageIn({ LC_MESSAGES: 'de_AT', LANG: 'C' })).equal('de')
  })

  it('is English if that is not available', () => {
    for (const LANG of ['C', 'C.UTF-8', '']) should(languageIn({ LANG })).be.undefined()
    for (const lang of ['../..', 7, 'de_DE']) should(languageIn({}, lang)).be.undefined()
    should(languageIn({})).be.undefined()
  })
})
