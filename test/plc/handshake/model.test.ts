import should from 'should'
import { families, type FamilyId } from '../../../lib/plc/families'
import type { Handshake } from '../../../lib/plc/handshake'
import { simulate, type Mutation } from './model/simulation'

const isLong = process.env['CELLSIGHT_LONG'] === '1'
/** For each family, over all its runs. */
const steps = isLong ? 1_000_000 : 10_000
const stepsOfRun = 5_000
/** Replays one run: the seed that a failure names. */
const given = process.env['CELLSIGHT_SEED']
const first = Number(given ?? (isLong ? Math.floor(Math.random() * 1e9) : 1))
const seeds = Array.from(
  { length: given === undefined ? steps / stepsOfRun : 1 },
  (_, index) => first + index,
)

describe('the handshake with random PLCs, devices and Node-REDs', function () {
  this.timeout(isLong ? 1_200_000 : 120_000)

  for (const family of Object.keys(families) as FamilyId[])
    for (const isServed of [true, false])
      it(`executes nothing twice, mixes up no answers and leaves nobody waiting: ${family}, ${isServed ? 'server' : 'client'}`, () => {
        let done = 0
        let byHand = 0
        for (const seed of seeds) {
          const run = simulate(family, seed, stepsOfRun, isServed)
          should(run.wrong).eql([], `replay with CELLSIGHT_SEED=${seed}`)
          done += run.done
          byHand += run.byHand
        }
        if (given !== undefined) return
        done.should.be.above(seeds.length)
        byHand.should.be.above(0)
      })

  const found = (family: FamilyId, mutation: Mutation, isServed = false) => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const [wrong] = simulate(family, seed, stepsOfRun, isServed, mutation).wrong
      if (wrong !== undefined) return wrong
    }
    return undefined
  }

  it('sees where any word of the PLC counts as a look at its request', () => {
    const mutation = { machine: lookingAtAnyWord, forgetsWords: true }
    should(found('sequence', mutation, true)).match(/executed twice/)
  })

  it('sees where an error about an outage stands beside ready for ever', () => {
    should(found('four-phases', { options: { unasked: 1e9 } }, true)).match(/waits for ready/)
  })

  for (const family of ['four-phases', 'sequence'] as const) {
    it(`sees where a request is executed that was there before: ${family}`, () => {
      should(found(family, { machine: withoutLow })).be.a.String()
    })

    it(`sees where the answer to an old token counts: ${family}`, () => {
      should(found(family, { machine: takingAnyToken })).match(
        /got the|executed twice|under way|denies it|by hand/,
      )
    })

    it(`sees where results are written after their state: ${family}`, () => {
      should(found(family, { order: ['state', 'echo', 'result', 'life'] })).match(/got the/)
    })
  }
})

/** Every first look is preceded by one at a PLC that asks for nothing. */
function withoutLow(machine: Handshake): Handshake {
  let isFirst = true
  return changed(machine, (event, now) => {
    if (event.type === 'link') isFirst = true
    if (event.type !== 'sample' || !isFirst) return []
    isFirst = false
    const { inputs } = event
    return machine.handle(
      { type: 'sample', inputs: { ...inputs, trigger: false, sequence: 0 }, kept: true },
      now,
    )
  })
}

/** Whatever the PLC writes, its request is looked at. */
const lookingAtAnyWord = (machine: Handshake): Handshake => ({
  ...changed(machine, () => []),
  handle: (event, now) =>
    machine.handle(
      event.type === 'sample' && event.write
        ? { ...event, write: { ...event.write, request: event.write.connection > 0 } }
        : event,
      now,
    ),
  get wakeAt() {
    return machine.wakeAt
  },
})

/** Each answer counts for the cycle under way. */
function takingAnyToken(machine: Handshake): Handshake {
  let token = ''
  return {
    ...changed(machine, () => []),
    handle: (event, now) => {
      const effects = machine.handle(event.type === 'result' ? { ...event, token } : event, now)
      for (const effect of effects) if (effect.type === 'start') ({ token } = effect.cycle)
      return effects
    },
    get wakeAt() {
      return machine.wakeAt
    },
  }
}

function changed(machine: Handshake, before: Handshake['handle']): Handshake {
  return {
    handle: (event, now) => [...before(event, now), ...machine.handle(event, now)],
    get wakeAt() {
      return machine.wakeAt
    },
    get phase() {
      return machine.phase
    },
  }
}
