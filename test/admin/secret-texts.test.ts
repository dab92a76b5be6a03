import { withoutSecretTexts } from '../../nodes/device-config/diagnostics/secrets'

describe('what looks secret in a text', () => {
  const cases: [text: string, left: string][] = [
    ['password: hunter2, user: me', 'password: ***, user: me'],
    ['{"api_key": "a b c", "fps": 25}', '{"api_key": ***, "fps": 25}'],
    ["my-token-name = 'a b' fps=25", 'my-token-name = *** fps=25'],
    ['Das Kennwort ist hunter2.', 'Das Kennwort ist ***'],
    ['the secret hunter2 was sent', 'the secret *** was sent'],
    ['password is', 'password is'],
    ['hash=', 'hash='],
    ['PUT /ui_lock?hash=abc&x=1', 'PUT /ui_lock?hash=***&x=1'],
    ['token="unclosed and more', 'token=*** and more'],
    ['a eyJhbGciOiJI.eyJzdWIi.c2ln b', 'a *** b'],
    ['eyJ is no token, eyJa.b neither', 'eyJ is no token, eyJa.b neither'],
    [`key material ${'Ab1/'.repeat(10)}==`, 'key material ***=='],
    ['fps set to 25 by 192.168.0.10', 'fps set to 25 by 192.168.0.10'],
  ]
  for (const [text, left] of cases)
    it(`is blanked in ${JSON.stringify(text)}`, () => withoutSecretTexts(text).should.equal(left))

  it('is found after a word as long as a whole log', () => {
    // This once took 27 s for 2 700 characters; test/scripts counts the steps of each expression.
    const word = 'key-'.repeat(250_000)
    withoutSecretTexts(`${word} password=hunter2`).should.equal(`${word} password=***`)
    withoutSecretTexts('eyJa-'.repeat(200_000)).should.equal('eyJa-'.repeat(200_000))
  })
})
