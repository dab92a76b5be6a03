import 'should'
import { families } from '../../../lib/plc/families'
import { randomOf } from '../handshake/model/random'
import { spreadExchange, type Way } from '../support/spread-exchange'

const modes = ['server', 'client'] as const
const ways = {
  server: ['together', 'ascending', 'descending', 'shuffled'],
  client: ['together'],
} as const satisfies Record<(typeof modes)[number], readonly Way[]>
const isLong = Boolean(process.env['CELLSIGHT_LONG'])
const starts = isLong ? 3000 : 30
/** Scans of a cycle at which something happens. */
const scans = Array.from({ length: 24 }, (_, at) => at).filter((at) => isLong || at % 3 === 0)

/** Another seed for each way, always the same. */
const seeds = { together: 1, ascending: 2, descending: 3, shuffled: 4 }

describe('the starts of the program for a PLC', function () {
  this.timeout(isLong ? 3_600_000 : 60_000)

  for (const family of Object.values(families))
    for (const mode of modes) {
      for (const way of ways[mode]) {
        const exchanged = (seed = seeds[way]) =>
          spreadExchange(family, { mode, way, language: seed % 2 ? 'st' : 'scl', random: randomOf(seed) })
        const title = `${family.id}, ${mode}, words ${way}`

        it(`each end with their own result, whenever they come: ${title}`, () => {
          const random = randomOf(seeds[way])
          const both = exchanged()
          for (let each = 0; each < starts; each++) {
            both.start()
            both.scans(random.between(0, random.chance(0.5) ? 8 : 80))
            if (random.chance(0.5)) both.end()
          }
          both.end()
          both.faults().should.deepEqual([])
          // Nothing was in the way: no start fails, and the last one of each row is done.
          both.ledger.ends.filter(({ how }) => how !== 'done').should.deepEqual([])
        })

        it(`survive starts of the PLC, lost connections and a device that is away: ${title}`, () => {
          const random = randomOf(seeds[way] + 10)
          const both = exchanged()
          for (let each = 0; each < starts; each++) {
            both.start()
            both.scans(random.between(0, random.chance(0.5) ? 8 : 80))
            if (random.chance(0.15)) both.restart()
            else if (random.chance(0.3)) both.link(false)
            else if (random.chance(0.1)) both.device(random.chance(0.5))
            if (random.chance(0.4)) both.scans(random.between(0, 60))
            if (random.chance(0.6)) both.link(true)
            if (random.chance(0.3)) both.end()
          }
          both.link(true)
          both.device(true)
          both.end()
          both.start()
          both.end()
          both.start()
          both.end()?.how.should.equal('done')
          both.faults().should.deepEqual([])
        })
      }

      it(`are never given an older result, at whatever scan the PLC starts anew: ${family.id}, ${mode}`, () => {
        for (const at of scans) {
          const both = spreadExchange(family, { mode, way: 'together', language: 'st', random: randomOf(at) })
          both.start()
          both.end()
          both.start()
          both.scans(at)
          both.restart()
          both.start()
          both.end()?.should.containEql({ id: 3, how: 'done' })
          both.faults().should.deepEqual([])
        }
      })

      it(`are never given an older result, at whatever scan the connection is lost: ${family.id}, ${mode}`, () => {
        for (const at of scans) {
          const both = spreadExchange(family, {
            mode,
            way: 'together',
            language: 'scl',
            random: randomOf(at),
          })
          both.start()
          both.end()
          both.start()
          both.scans(at)
          both.link(false)
          both.scans(at % 5)
          both.start()
          both.scans(at % 7)
          both.link(true)
          both.end()
          both.start()
          both.end()?.how.should.equal('done')
          both.faults().should.deepEqual([])
        }
      })
    }

  it('take the result back in the same call, without a connection too', () => {
    for (const family of Object.values(families)) {
      const both = spreadExchange(family, {
        mode: 'server',
        way: 'together',
        language: 'st',
        random: randomOf(1),
      })
      both.start()
      both.end()?.how.should.equal('done')
      both.link(false)
      both.start()
      both.faults().should.deepEqual([])
      both.end()?.should.containEql({ how: 'timeout', code: 901 })
    }
  })

  it('tell what the cell refused at once, and wait for no time to pass', () => {
    for (const family of Object.values(families)) {
      const both = spreadExchange(family, {
        mode: 'server',
        way: 'together',
        language: 'st',
        random: randomOf(1),
      })
      both.start()
      both.end()
      if (family.refusal === 'missed') continue
      both.device(false)
      both.start()
      both.end()?.should.containEql({ how: 'error', code: 201 })
    }
  })
})
