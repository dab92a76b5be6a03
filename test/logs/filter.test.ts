import should from 'should'
import { logFilter, type LogFilter } from '../../lib/logs/filter'
import { wildcard } from '../../lib/logs/wildcard'

const entry = (level: string, component = 'dev_camera', message = 'lost lock') => ({
  level,
  component,
  message,
  timestamp: 0,
})

describe('the filter of logs', () => {
  const problems: string[] = []
  beforeEach(() => problems.splice(0))
  const passes = (filter: LogFilter, ...entries: ReturnType<typeof entry>[]) =>
    logFilter(filter, undefined, ({ message }) => problems.push(message))(entries)

  it('takes a level and those above, and levels that it does not know', () => {
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

  it('takes components by name, several and with wildcards', () => {
    const names = ['dev_camera', 'xy_camera', 'dev_api', 'dev_camera_2']
    passes({ component: '*CAMERA, dev_api' }, ...names.map((name) => entry('INFO', name))).should.eql([
      true,
      true,
      true,
      false,
    ])
  })

  it('takes a text as it stands, or as a regular expression', () => {
    const texts = ['Lost lock (1)', 'found lock', 'lost (1']
    const asked = texts.map((text) => entry('INFO', 'x', text))
    passes({ text: 'LOST LOCK (' }, ...asked).should.eql([true, false, false])
    passes({ text: '^(lost|found) LOCK', isPattern: true }, ...asked).should.eql([true, true, false])
  })

  it('says what is wrong with a regular expression', () => {
    const prepared = () => passes({ text: '(', isPattern: true })
    should(prepared).throw(/"\(" is not a valid regular expression/, { code: 'INVALID_INPUT' })
  })

  it('gives up a regular expression that would take for ever, says so once, and lets every text pass', () => {
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

  it('compares names with wildcards in the time that their length takes', () => {
    wildcard(`${'*a'.repeat(40)}b`)('a'.repeat(50_000)).should.be.false()
    wildcard('a*')('a').should.be.true()
    wildcard('a*a')('a').should.be.false()
    wildcard('*b*')('abc').should.be.true()
    wildcard('*')('').should.be.true()
    wildcard('a*b*c')('a--b--c').should.be.true()
    wildcard('a*b*b')('a-b').should.be.false()
  })
})
