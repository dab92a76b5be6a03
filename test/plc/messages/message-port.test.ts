import should from 'should'
import { openMessagePort, type PlcPort } from '../../../lib/plc/handshake/ports'
import { openMap } from '../../../lib/plc/data'
import { families } from '../../../lib/plc/families'
import { MessageLink, messageProtocols, presetLines, type MessageProtocolId } from '../../../lib/plc/messages'
import { cellOutputs } from '../support/cell-outputs'
import { eventually } from '../../support/eventually'

type Seen = { up: boolean; reason?: string } | { sequence: unknown; job?: unknown; kept: unknown }

describe('a connection by messages of other nodes', () => {
  const ports: PlcPort[] = []
  afterEach(() => Promise.all(ports.splice(0).map((port) => port.close())))

  function usePort(
    id: MessageProtocolId,
    { link = new MessageLink(), silent = 60_000, interval = 20, answerWithin = 1000 } = {},
  ) {
    const protocol = messageProtocols[id]
    const seen: Seen[] = []
    const sent: Record<string, unknown>[] = []
    const leave = link.join((message) => void sent.push(message as Record<string, unknown>))
    const map = openMap({ by: protocol.by, lines: presetLines(families.sequence, protocol) })
    const open = () => {
      const port = openMessagePort(
        { protocol, link, request: 'sequence', silent, interval, answerWithin },
        map,
        {
          onLink: (up, reason) => seen.push({ up, ...(reason && { reason: reason.key }) }),
          onSample: ({ sequence, job }, kept) =>
            seen.push({ sequence, ...(job !== undefined && { job }), kept }),
          onTrouble: () => undefined,
        },
      )
      ports.push(port)
      return port
    }
    return { link, seen, sent, open, leave }
  }

  it('is up with the first value that asks for something, and lost with a red status of the reader', () => {
    const { link, seen, open } = usePort('s7')
    open()
    link.hear({ payload: { job: 1 } })
    should(seen).eql([])
    link.hear({ payload: { job: 1, sequence: 3 } })
    const status = (fill: string) => ({ status: { fill, text: 'offline', source: { id: 'reader' } } })
    should(link.hear(status('yellow'))).equal('status')
    link.hear(status('red'))
    link.hear(status('red'))
    link.hear({ payload: { job: 1, sequence: 4 } })
    should(seen).eql([
      { up: true },
      { sequence: 3, job: 1, kept: undefined },
      { up: false, reason: 'messages-reader-fault' },
      { up: true },
      { sequence: 4, job: 1, kept: undefined },
    ])
  })

  it('takes a retained message for what was there before', () => {
    const { link, seen, open } = usePort('mqtt')
    open()
    link.hear({ payload: { sequence: 3 } })
    link.hear({ payload: { sequence: 4 }, retain: true })
    should(seen).eql([
      { up: true },
      { sequence: 3, kept: undefined },
      { up: false },
      { up: true },
      { sequence: 4, kept: undefined },
    ])
  })

  it('waits at the start until values that come one by one are together', async () => {
    const { link, seen, open } = usePort('s7')
    open()
    link.hear({ topic: 'sequence', payload: 5 })
    link.hear({ topic: 'job', payload: 2 })
    should(seen).eql([])
    await eventually(() => void should(seen).eql([{ up: true }, { sequence: 5, job: 2, kept: undefined }]))
    link.hear({ topic: 'sequence', payload: 6 })
    link.hear({ topic: 'job', payload: 3 })
    await eventually(() => void should(seen.at(-1)).eql({ sequence: 6, job: 3, kept: undefined }))
    // A second change of the same value does not replace the first.
    link.hear({ topic: 'sequence', payload: 7 })
    link.hear({ topic: 'sequence', payload: 8 })
    should(seen.at(-1)).match({ sequence: 7 })
    await eventually(() => void should(seen.at(-1)).match({ sequence: 8 }))
  })

  it('is lost when the reader is silent, and says so', async () => {
    const { link, seen, open } = usePort('any', { silent: 200 })
    open()
    link.hear({ payload: { sequence: 1 } })
    await eventually(() => void should(seen.at(-1)).eql({ up: false, reason: 'messages-silent' }))
  })

  it('takes what came before it was open for one look, and remembers what a closed one has heard', () => {
    const link = new MessageLink()
    link.hear(
      Object.defineProperty({}, 'payload', {
        get: () => {
          throw new Error('not readable')
        },
      }),
    )
    for (const sequence of [0, 1, 2]) link.hear({ topic: 'sequence', payload: sequence })
    const { seen, open } = usePort('any', { link })
    open()
    // Numbers that came before the start are not executed.
    should(seen).eql([{ up: true }, { sequence: 2, kept: undefined }])
    should(link.values.get('sequence')).equal(2)
  })

  it('asks a reader that does not read by itself, one question at a time', async () => {
    const { link, sent, open } = usePort('opcua')
    open()
    const answer = { topic: [{ nodeId: 'ns=2;s=Cell.sequence' }], payload: [{ value: { value: 1 } }] }
    should(sent).have.length(1)
    should(sent[0]).match({ action: 'readmultiple', topic: 'readmultiple' })
    link.hear(answer)
    await eventually(() => void should(sent.length).be.aboveOrEqual(2))
  })

  it('asks a reader that answers slowly less often than it answers', async () => {
    const { link, sent, open } = usePort('opcua', { answerWithin: 20 })
    const began = performance.now()
    open()
    await eventually(() => void should(sent.length).be.aboveOrEqual(4))
    const elapsed = performance.now() - began
    link.hear({ topic: [{ nodeId: 'ns=2;s=Cell.sequence' }], payload: [{ value: { value: 1 } }] })
    const answered = performance.now()
    const count = sent.length
    await eventually(() => void should(sent.length).be.aboveOrEqual(count + 2))
    should(performance.now() - answered).be.above(2 * elapsed)
  })

  it('does not take a request that the server calls bad for the one before', () => {
    const { link, seen, open } = usePort('opcua')
    open()
    const answer = (value: number) => ({
      topic: [{ nodeId: 'ns=2;s=Cell.sequence' }, { nodeId: 'ns=2;s=Cell.job' }],
      payload: [
        { value: { value: 1 }, statusCode: { value } },
        { value: { value: 2 }, statusCode: { value: 0 } },
      ],
    })
    link.hear(answer(0))
    const before = seen.length
    link.hear(answer(2150891520))
    should(seen).have.length(before)
  })

  it('proves what it writes by what is read, and tells a PLC that lost its memory', async () => {
    const { link, seen, sent, open } = usePort('s7')
    const port = open()
    const state = { code: 0, counter: 0, duration: 0, jobEcho: 0, count: 0, state: 0, echo: 0, life: 0 }
    link.hear({ payload: { sequence: 1, ...state } })
    const written = port.write(cellOutputs({ ready: true, sequenceEcho: 1 }), true)
    should(sent).have.length(1)
    link.hear({ payload: { sequence: 1, ...state, state: 1, echo: 1 } })
    await written
    link.hear({ payload: { sequence: 1, ...state, state: 1, echo: 1 } })
    should(seen.at(-1)).match({ kept: true })
    link.hear({ payload: { sequence: 0, ...state } })
    should(seen.at(-1)).match({ sequence: 0, kept: false })
  })

  it('lets one node join', () => {
    const { link, leave } = usePort('any')
    should(link.join(() => undefined)).be.undefined()
    leave?.()
    should(link.join(() => undefined)).be.a.Function()
  })
})
