import should from 'should'
import { formsOf, withoutSecrets } from '../../lib/client/secrets'

const password = 'p"ä/ss wörd+1'
const bytes = Buffer.from(password)

/** A secret in the forms in which a device, a gateway or a log may repeat it. */
const repeated: Record<string, string> = {
  'as it is': password,
  'in JSON': JSON.stringify(password).slice(1, -1),
  'in JSON with escaped slashes': JSON.stringify(password).slice(1, -1).replace('/', '\\/'),
  'in JSON of ASCII alone': 'p\\"\\u00e4/ss w\\u00f6rd+1',
  'percent-encoded': encodeURIComponent(password),
  'percent-encoded in small letters': encodeURIComponent(password).replace(/%../g, (code) =>
    code.toLowerCase(),
  ),
  'as a form field': new URLSearchParams({ s: password }).toString().slice(2),
  'percent-encoded byte by byte': bytes.toString('hex').replace(/../g, '%$&'),
  'in Base64': bytes.toString('base64'),
  'in Base64 without padding': bytes.toString('base64').replace(/=+/, ''),
  'in Base64 for addresses': bytes.toString('base64url'),
  'in hexadecimal digits': bytes.toString('hex'),
  'in hexadecimal capitals': bytes.toString('hex').toUpperCase(),
}

describe('a secret', () => {
  for (const [how, text] of Object.entries(repeated))
    it(`is blanked ${how}`, () =>
      withoutSecrets(`before ${text} behind`, formsOf(password)).should.equal('before *** behind'))

  for (const user of ['', 'a', 'ab', 'abc', 'operator'])
    it(`is blanked in Base64 after "${user}:"`, () => {
      const text = Buffer.from(`${user}:${password}, and more`).toString('base64')
      const left = withoutSecrets(text, formsOf(password))
      left.should.containEql('***')
      // Only a few bits of a character remain of it at both ends.
      const known = left.split('***').map((part) => Buffer.from(part, 'base64').toString('latin1'))
      known.join(' ').should.not.match(/ss w|rd\+|p"/)
    })

  it('is blanked in keys, lists and texts within texts', () =>
    should(withoutSecrets({ [`${password}!`]: [password, { a: 1, b: password }] }, formsOf(password))).eql({
      '***!': ['***', { a: 1, b: '***' }],
    }))

  it('that is empty or not text is ignored', () => {
    formsOf('', undefined, null, 5).should.eql([])
    withoutSecrets('nothing happens', formsOf('')).should.equal('nothing happens')
  })

  it('of fewer than four characters is blanked only where it stands alone', () => {
    const text = 'a tab: "ab", ab; abc and hex 6162, user:ab'
    withoutSecrets(text, formsOf('ab')).should.equal('a tab: "***", ***; abc and hex 6162, user:***')
    withoutSecrets('pin 123, at 12:31:23 and x123', formsOf('123')).should.equal(
      'pin ***, at 12:31:23 and x123',
    )
  })

  it('that contains another is blanked as a whole', () =>
    withoutSecrets('secret-and-more', formsOf('secret', 'secret-and-more')).should.equal('***'))

  it('may contain a lone surrogate', () =>
    withoutSecrets('x\ud800yz! and more', formsOf('x\ud800yz!')).should.equal('*** and more'))
})
