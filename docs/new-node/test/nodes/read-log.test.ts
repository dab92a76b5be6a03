import should from 'should'
import type { LogEntry } from '../../lib/contract'
import { useBench } from '../support/bench'
import { useExample } from '../support/example'

const fields = { type: 'vision-read-log', log: 'api.log' }

describe('read-log', () => {
  const bench = useBench({ ...fields, entries: 3 })

  it('sends the newest entries, oldest first', async () => {
    await bench.send()
    const message = await bench.send({ topic: 'cell 1' })
    message.should.containEql({ topic: 'cell 1', log: 'api.log' })
    const times = (message.payload as LogEntry[]).map(({ timestamp }) => timestamp)
    times.length.should.be.within(1, 3)
    times.should.deepEqual([...times].sort())
  })
})

describe('read-log of a level, with the log from the message', () => {
  const bench = useBench({ ...fields, log: 'log', logType: 'msg', level: 'FATAL', property: 'faults' })

  it('leaves out entries below it', async () => {
    should((await bench.send({ log: 'api.log' }))['faults']).deepEqual([])
  })

  it('tells of a log that the device does not have', () =>
    bench.send({ log: 'laser.log' }).should.be.rejectedWith({ code: 'NOT_FOUND' }))

  it('names what is missing', () =>
    bench.send().should.be.rejectedWith({ code: 'INVALID_INPUT', message: /setting log is empty/ }))
})

describe('the example read-log', () => {
  const example = useExample('read-log', [8140])

  it('shows the newest entries', () => example().answers('readlog-ask', /level: .*component: /s))
})
