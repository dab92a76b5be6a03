import 'should'
import { openMap, wordOrders, type PlcMap } from '../../../lib/plc/data'
import { families, type Family } from '../../../lib/plc/families'
import { createHandshake, type Effect } from '../../../lib/plc/handshake'
import { programLanguages, writeProgram, type ProgramLanguage } from '../../../lib/plc/program'
import { cellSays } from '../support/cell-says'
import { runProgram, type RunningBlock } from '../support/structured-text'

/** A cell and a PLC on the same registers, in steps of 10 ms. */
function cellAndPlc(family: Family, language: ProgramLanguage, map: PlcMap = { lines: family.map }) {
  const opened = openMap(map)
  const memory = new Map<number, number>()
  let now = 0
  let tokens = 0
  const cell = createHandshake({ family, newToken: () => `token ${++tokens}`, now })
  const running: { token: string; at: number; job: number | undefined }[] = []
  const started: (number | undefined)[] = []
  const source = writeProgram(map, family, language)
  const [toCell, fromCell] = ['to', 'from'].map((side) => {
    const [, count = 0, address = 0] =
      new RegExp(`^// ${side}Cell: (\\d+) registers from (\\d+)`, 'm').exec(source) ?? []
    return { count: Number(count), address: Number(address) }
  })
  let plc = runProgram(source)
  plc.vars.connected = true
  let answer: 'result' | 'error' | 'none' = 'result'

  const heed = (effects: readonly Effect[]) => {
    for (const effect of effects) {
      if (effect.type === 'write')
        for (const { address, value } of opened.words(effect.says)) memory.set(address, value)
      if (effect.type !== 'start') continue
      started.push(effect.cycle.job)
      running.push({ token: effect.cycle.token, at: now + 40, job: effect.cycle.job })
    }
  }
  heed(cell.handle({ type: 'link', up: true }, now))
  heed(cell.handle({ type: 'device', ready: true }, now))

  const step = () => {
    now += 10
    for (const { token, at, job = 0 } of [...running])
      if (at <= now) {
        running.shift()
        const pose = {
          position: { x: 0.1 + job / 1000, y: -0.2, z: 1.5 },
          orientation: { w: 1, x: 0, y: 0, z: 0 },
        }
        if (answer === 'result') heed(cell.handle({ type: 'result', token, data: { poses: [pose] } }, now))
        if (answer === 'error') heed(cell.handle({ type: 'error', token, code: 201 }, now))
      }
    heed(
      cell.handle(
        { type: 'sample', says: opened.readWords((_, address) => memory.get(address) ?? 0), kept: true },
        now,
      ),
    )
    for (let word = 0; word < (fromCell?.count ?? 0); word++)
      (plc.vars.fromCell as number[])[word] = memory.get((fromCell?.address ?? 0) + word) ?? 0
    plc.call(now)
    for (let word = 0; word < (toCell?.count ?? 0); word++)
      memory.set((toCell?.address ?? 0) + word, (plc.vars.toCell as number[])[word] ?? 0)
  }
  const steps = (count: number) => {
    for (let each = 0; each < count; each++) step()
  }
  steps(5)
  return {
    started,
    steps,
    plc: (): RunningBlock => plc,
    answerWith: (how: typeof answer) => (answer = how),
    restart: () => {
      plc = runProgram(source)
      plc.vars.connected = true
    },
    /** One cycle of the PLC: what it has at its end. */
    cycle: (job = 0) => {
      const { vars } = plc
      if (source.includes('job :')) vars.job = job
      vars.start = true
      steps(1)
      ;(vars.busy as boolean).should.be.true()
      for (let waited = 0; vars.busy === true && waited < 1200; waited++) step()
      vars.start = false
      // Until the PLC has taken its request back.
      steps(30)
      return {
        done: vars.done,
        error: vars.error,
        timedOut: vars.timedOut,
        result: vars.result as Record<string, unknown>,
      }
    },
  }
}

describe('the program for a PLC', () => {
  for (const language of programLanguages)
    for (const family of Object.values(families))
      describe(`in ${language} for ${family.id}`, () => {
        it('asks for one cycle with each start, and gets its own result', () => {
          const both = cellAndPlc(family, language)
          for (const job of [1, 2, 3]) {
            const { done, error, result } = both.cycle(job)
            ;({ done, error }).should.deepEqual({ done: true, error: false })
            result.should.have.property('code', 0)
            if ('pose1_X' in result)
              (result.pose1_X as number).should.be.approximately(100 + (both.started[job - 1] ?? 0), 0.001)
            if ('jobEcho' in result) result.jobEcho?.should.equal(job)
            if ('counter' in result) Number(result.counter).should.equal(job)
          }
          both.started.should.have.length(3)
        })

        it('tells an error with its code, and works on', () => {
          const both = cellAndPlc(family, language)
          both.answerWith('error')
          const failed = both.cycle(1)
          failed.should.containEql({ done: false, error: true, timedOut: false })
          failed.result.code?.should.equal(201)
          both.answerWith('result')
          both.cycle(2).should.containEql({ done: true, error: false })
        })

        it('takes no old answer for its own after the PLC was started anew', () => {
          const both = cellAndPlc(family, language)
          both.cycle(1)
          both.restart()
          both.steps(5)
          const { done, result } = both.cycle(2)
          done?.should.be.true()
          Number(result.counter ?? 2).should.equal(2)
          both.started.should.have.length(2)
        })

        it('gives up after its time, and says so', () => {
          const both = cellAndPlc(family, language)
          both.plc().vars.timeout = 100
          both.answerWith('none')
          both.cycle(1).should.containEql({ done: false, error: true, timedOut: true })
        })
      })

  for (const language of programLanguages)
    it(`reads and writes every type in every order, in ${language}`, () => {
      for (const order of wordOrders) {
        const map: PlcMap = {
          order,
          lines: [
            ...families.sequence.map,
            { row: 'argument', index: 1, address: 100, type: 'REAL', order: 'CDAB' },
            { row: 'argument', index: 2, address: 102, type: 'DINT' },
            { row: 'argument', index: 3, address: 104, type: 'UDINT' },
            { row: 'argument', index: 4, address: 106, type: 'INT' },
            { row: 'property', path: 'payload.a', address: 30, type: 'DINT', order: 'DCBA' },
            { row: 'property', path: 'payload.a', address: 32, type: 'STRING', length: 4 },
          ],
        }
        const block = runProgram(writeProgram(map, families.sequence, language))
        Object.assign(block.vars, {
          argument1: 1.5,
          argument2: -70_000,
          argument3: 4_000_000_000,
          argument4: -2,
        })
        block.vars.connected = true
        const opened = openMap(map)
        const from = block.vars.fromCell as number[]
        for (const { address, value } of opened.words(
          cellSays({ data: { message: { payload: { a: -70_001 } } } }),
        ))
          if (address >= 8) from[address - 8] = value
        block.call(0)
        const to = block.vars.toCell as number[]
        opened
          .readWords((_, address) => to[address])
          .argument?.should.deepEqual([1.5, -70_000, 4_000_000_000, -2])
        const read = block.vars.received as Record<string, unknown>
        read.value_payload_a?.should.equal(-70_001)
        read.value_payload_a_2?.should.deepEqual([from[24], from[25]])
      }
    })

  it('says in its language that it has not run on a controller', () => {
    const map = { lines: families.sequence.map }
    writeProgram(map, families.sequence, 'scl').should.match(/^\/\/ .* It has not run on a controller/)
    writeProgram(map, families.sequence, 'st', 'de').should.match(
      /^\/\/ .* Nicht auf einer Steuerung gelaufen/,
    )
  })

  it('is not written for a map without the rows that the family needs', () => {
    const lines = families.sequence.map.filter(({ row }) => row !== 'sequenceEcho')
    ;(() => writeProgram({ lines }, families.sequence, 'st')).should.throw({
      code: 'INVALID_INPUT',
      message: /sequenceEcho/,
    })
  })
})
