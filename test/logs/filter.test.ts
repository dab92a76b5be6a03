import should from 'should'
import { logFilter, type LogFilter, wildcard } from '../../lib/logs/follow-options'

const entry = (level: string, component = 'dev_camera', message = 'lost lock') => ({
  level,
  component,
  message,
  timestamp: 0,
})

describe('the log filter', () => {
  const problems: string[] = []
  beforeEach(() => problems.splice(0))
  const passes = (filter: LogFilter, ...entries: ReturnType<typeof entry>[]) =>
    logFilter(filter, undefined, ({ message }) => problems.push(message))(entries)

  it('passes a level and those above, and unknown levels', () => {
    const levels = ['DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL', 'warning', 'AUDIT']
    passes({ level: 'WARN' }, ...levels.map((level) => entry(level))).should.eql([
      false,
      false,
      true,
      true,
      true,
      true,
      true,
    ])
  })

  it('matches components by name, several and with wildcards', () => {
    const names = ['dev_camera', 'xy_camera', 'dev_api', 'dev_camera_2']
    passes({ component: '*CAMERA, dev_api' }, ...names.map((name) => entry('INFO', name))).should.eql([
      true,
      true,
      true,
      false,
    ])
  })

  it('matches plain text, or a regular expression', () => {
    const texts = ['Lost lock (1)', 'found lock', 'lost (1']
    const asked = texts.map((text) => entry('INFO', 'x', text))
    passes({ text: 'LOST LOCK (' }, ...asked).should.eql([true, false, false])
    passes({ text: '^(lost|found) LOCK', isPattern: true }, ...asked).should.eql([true, true, false])
  })

  it('rejects an invalid regular expression with the reason', () => {
    const prepared = () => passes({ text: '(', isPattern: true })
    should(prepared).throw(/"\(" is not a valid regular expression/, { code: 'INVALID_INPUT' })
  })

  it('stops using a regular expression that would take for ever, reports it once, and passes every text', () => {
    const filter = logFilter({ text: '^(a+)+$', isPattern: true }, undefined, ({ message }) =>
      problems.push(message),
    )
    const start = performance.now()
    const endless = entry('INFO', 'x', `${'a'.repeat(60)}!`)
    filter([entry('INFO', 'x', 'b'), entry('INFO', 'x', 'aa'), endless, endless]).should.eql([
      false,
      true,
      true,
      true,
    ])
    filter([endless, entry('INFO', 'x', 'b')]).should.eql([true, true])
    ;(performance.now() - start).should.be.below(3000)
    problems.length.should.equal(1)
    should(problems[0]).match(/takes too long and is no longer applied/)
  })

  it('matches wildcards in time proportional to the length of the name', () => {
    wildcard(`${'*a'.repeat(40)}b`)('a'.repeat(50_000)).should.be.false()
    wildcard('a*')('a').should.be.true()
    wildcard('a*a')('a').should.be.false()
    wildcard('*b*')('abc').should.be.true()
    wildcard('*')('').should.be.true()
    wildcard('a*b*c')('a--b--c').should.be.true()
    wildcard('a*b*b')('a-b').should.be.false()
  })
})
