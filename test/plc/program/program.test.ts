import 'should'
import { openMap, wordOrders, type PlcMap } from '../../../lib/plc/data'
import { families } from '../../../lib/plc/families'
import { programLanguages, writeProgram } from '../../../lib/plc/program'
import { byRegisters, cellAndPlc } from '../support/cell-and-plc'
import { checkProgram } from '../support/check-program'
import { cellOutputs } from '../support/cell-outputs'
import { runProgram } from '../support/structured-text'

describe('the program for a PLC', () => {
  for (const language of programLanguages)
    for (const family of Object.values(families))
      describe(`in ${language} for ${family.id}`, () => {
        it('is well formed and of right types', () =>
          checkProgram(writeProgram({ lines: family.map }, family, language), language))

        it('asks for one cycle with each start, and gets its own result', () => {
          const both = cellAndPlc(family, byRegisters(family, language))
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
          const both = cellAndPlc(family, byRegisters(family, language))
          both.answerWith('error')
          const failed = both.cycle(1)
          failed.should.containEql({ done: false, error: true, timedOut: false })
          failed.result.code?.should.equal(201)
          both.answerWith('result')
          both.cycle(2).should.containEql({ done: true, error: false })
        })

        it('takes no old answer for its own after the PLC was started anew', () => {
          const both = cellAndPlc(family, byRegisters(family, language))
          both.cycle(1)
          both.restart()
          both.steps(5)
          const { done, result } = both.cycle(2)
          done?.should.be.true()
          Number(result.counter ?? 2).should.equal(2)
          both.started.should.have.length(2)
        })

        it('gives up after its time, and says so', () => {
          const both = cellAndPlc(family, byRegisters(family, language))
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
        const source = writeProgram(map, families.sequence, language)
        checkProgram(source, language)
        const block = runProgram(source)
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
          cellOutputs({ data: { message: { payload: { a: -70_001 } } } }),
        ))
          if (address >= 8) from[address - 8] = value
        block.vars.start = true
        // The cell lives: job and arguments are shown as soon as the handshake begins.
        for (let second = 0; second <= 3; second++) {
          from[18] = second
          block.call(second * 1000)
        }
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
    writeProgram(map, families.sequence, 'scl').should.match(/^\/\/ .* It has not been run on a controller/)
    writeProgram(map, families.sequence, 'st', { language: 'de' }).should.match(
      /^\/\/ .* Nicht auf einer Steuerung gelaufen/,
    )
  })

  it('is not written for a map without the rows that the family needs', () => {
    const lines = families.sequence.map.filter(({ row }) => row !== 'sequenceEcho')
    ;(() => writeProgram({ lines }, families.sequence, 'st')).should.throw({
      code: 'INVALID_INPUT',
      message: /Number of the answered request/,
    })
  })
})
