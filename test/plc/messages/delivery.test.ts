import should from 'should'
import { Delivery } from '../../../lib/plc/messages'
import { eventually } from '../../support/eventually'

const item = (key: string, value: number, group: 'result' | 'state' | 'life' = 'result') =>
  ({ key, type: 'UINT', value, group }) as const
type Item = ReturnType<typeof item>

/** A writer that takes one value with each message, or all of them. */
function useDelivery({ whole = false, isThere = true, patience = 1000 } = {}) {
  const sent: object[] = []
  const delivery = new Delivery({
    steps: (items, isChanged) => {
      const changed = items.filter(isChanged)
      const step = (each: readonly (typeof items)[number][]) => ({
        items: each,
        message: Object.fromEntries(each.map(({ key, value }) => [key, value])),
      })
      if (whole) return changed.length ? [step(changed)] : []
      return changed.map((each) => step([each]))
    },
    send: (message) => {
      if (isThere) sent.push(message)
      return isThere
    },
    onTrouble: () => undefined,
    patience,
  })
  const write = (...items: Item[]) => delivery.write(items, false)
  const begun: Promise<unknown>[] = []
  /** A write that ends later, or is lost at the end of the test. */
  const begin = (...items: Item[]) => void begun.push(write(...items))
  const hear = (values: Record<string, unknown>) => delivery.heard(new Map(Object.entries(values)))
  return { delivery, sent, write, begin, hear }
}

describe('the delivery of messages to a PLC', () => {
  it('sends the next message when the one before reads back', async () => {
    const { delivery, sent, write, hear } = useDelivery()
    const written = write(item('code', 5), item('state', 4, 'state'))
    should(sent).eql([{ code: 5 }])
    hear({ code: 0, state: 0 })
    should(sent).eql([{ code: 5 }])
    hear({ code: 5, state: 0 })
    should(sent).eql([{ code: 5 }, { state: 4 }])
    hear({ code: 5, state: 4 })
    await written
    delivery.lost()
  })

  it('never sends the state where nothing reads back', () => {
    const { delivery, sent, begin } = useDelivery()
    begin(item('code', 5), item('state', 4, 'state'))
    should(sent).eql([{ code: 5 }])
    delivery.lost()
  })

  it('writes again what is not read back, and what is proven only when it changes', async () => {
    const { sent, write, hear, begin } = useDelivery({ whole: true })
    hear({ state: 0 })
    const written = write(item('code', 5), item('state', 4, 'state'))
    hear({ state: 4 })
    await written
    begin(item('code', 5), item('state', 4, 'state'), item('life', 1, 'life'))
    should(sent).eql([
      { code: 5, state: 4 },
      { code: 5, life: 1 },
    ])
  })

  it('knows by the values that read back whether the PLC has lost its memory', async () => {
    const { write, hear } = useDelivery({ whole: true })
    should(hear({ code: 0, state: 0 })).be.undefined()
    const written = write(item('code', 5), item('state', 4, 'state'))
    should(hear({ code: 0, state: 0 })).be.undefined()
    should(hear({ code: 5, state: 4 })).be.undefined()
    await written
    should(hear({ code: 5, state: 4 })).be.true()
    should(hear({ code: 0, state: 0 })).be.false()
  })

  it('begins anew where the memory of the PLC is unknown', async () => {
    const { delivery, sent, write, hear } = useDelivery({ whole: true })
    hear({ code: 0 })
    const old = write(item('code', 5))
    const waiting = write(item('code', 6))
    const last = delivery.write([item('code', 7)], true)
    await Promise.all([old, waiting])
    should(sent).eql([{ code: 5 }, { code: 7 }])
    hear({ code: 7 })
    await last
  })

  it('sends the newest beat alone behind a message that is not proven', () => {
    const { delivery, sent, hear, begin } = useDelivery({ whole: true })
    hear({ code: 0, life: 0 })
    begin(item('code', 5), item('life', 1, 'life'))
    for (const beat of [2, 3, 4]) begin(item('code', 5), item('life', beat, 'life'))
    hear({ code: 5, life: 1 })
    should(sent).eql([{ code: 5, life: 1 }, { life: 4 }])
    delivery.lost()
  })

  it('sends a change in place of a beat that waits, and says when it has arrived', async () => {
    const { sent, write, hear, begin } = useDelivery({ whole: true })
    hear({ code: 0, life: 0 })
    begin(item('code', 5), item('life', 1, 'life'))
    let ended = 0
    const beat = write(item('code', 5), item('life', 2, 'life')).then(() => ended++)
    const change = write(item('code', 6), item('life', 3, 'life')).then(() => ended++)
    hear({ code: 5, life: 1 })
    should(sent).eql([
      { code: 5, life: 1 },
      { code: 6, life: 3 },
    ])
    should(ended).equal(0)
    hear({ code: 6, life: 3 })
    await Promise.all([beat, change])
  })

  it('says what became of a write: it reads back, nothing does, or the connection was lost before', async () => {
    const { delivery, write, hear } = useDelivery({ whole: true })
    should(await write(item('code', 5))).equal('unconfirmed')
    hear({ code: 5 })
    const written = write(item('code', 6))
    hear({ code: 6 })
    should(await written).equal('confirmed')
    should(await write(item('code', 6))).equal('confirmed')
    const lost = write(item('code', 7))
    delivery.lost()
    should(await lost).equal('lost')
  })

  it('sends again what does not read back, each time after twice as long', async () => {
    const { delivery, sent, hear, begin } = useDelivery({ whole: true, patience: 20 })
    hear({ code: 0 })
    const began = performance.now()
    begin(item('code', 5))
    await eventually(() => void should(sent.length).be.aboveOrEqual(4))
    should(performance.now() - began).be.above(135)
    hear({ code: 5 })
    // A PLC that took so long is given three times as long with the next one.
    const again = performance.now()
    const count = sent.length
    begin(item('code', 6))
    await eventually(() => void should(sent.length).be.aboveOrEqual(count + 2))
    should(performance.now() - again).be.above(400)
    delivery.lost()
  })

  it('says that nobody takes its messages', async () => {
    const { write } = useDelivery({ isThere: false })
    await should(write(item('code', 5))).be.rejectedWith({ code: 'UNREACHABLE' })
  })

  it('lets a limited number of writes wait', async () => {
    const { delivery, write, hear, begin } = useDelivery({ whole: true })
    hear({ code: 0 })
    for (let value = 1; value <= 65; value++) begin(item('code', value))
    await should(write(item('code', 99))).be.rejectedWith({ code: 'BUSY' })
    delivery.lost()
  })
})
