import should from 'should'
import { openMap, type PlcMap } from '../../../lib/plc/data'
import { families, type Family } from '../../../lib/plc/families'
import { writeProgram } from '../../../lib/plc/program'
import { slmpAddress, slmpAddressText } from '../../../lib/plc/slmp/devices'
import { slmpNotation } from '../../../lib/plc/slmp/devices'
import { byDevices, cellAndPlc } from '../support/cell-and-plc'
import { checkProgram } from '../support/check-program'
import { runProgram } from '../support/structured-text'

const deviceOf = ({ address }: { address: number }) => slmpAddressText({ device: 'D', number: 100 + address })

const notation = slmpNotation({ device: 'D', number: 100 })

const mapOf = (family: Family): PlcMap => ({ order: 'CDAB', notation, lines: family.map })

/** Device and label of each line of the list. */
const labelsOf = (source: string) =>
  new Map(
    [...source.matchAll(/^ {3}(Vision_\w+) : \w.*;   \/\/ (\w+) ·/gm)].map(([, label, device]) => [
      device,
      label,
    ]),
  )

describe('the program for GX Works3', () => {
  for (const family of Object.values(families))
    describe(`for ${family.id}`, () => {
      const source = writeProgram(mapOf(family), family, 'st', { protocol: 'slmp' })

      it('is well formed and of types that GX Works has', () => {
        checkProgram(source, 'melsec')
        source.should.not.match(/: UD?INT|WORD#16#/)
      })

      it('has a label at the device of every value of the map', () => {
        const { slots } = openMap(mapOf(family))
        const devices = new Set(slots.map(({ address = 0 }) => `D${100 + address}`))
        const labels = labelsOf(source)
        ;[...labels.keys()].sort().should.deepEqual([...devices].sort())
        for (const device of devices) should(slmpAddress(device)).not.equal(undefined)
      })

      it('asks and gets its answers', () => {
        const both = cellAndPlc(family, byDevices(mapOf(family), family, deviceOf))
        for (const job of [1, 2]) {
          const { done, error, result } = both.cycle(job)
          ;({ done, error }).should.deepEqual({ done: true, error: false })
          result.should.have.property('code', 0)
          if ('pose1_X' in result)
            (result.pose1_X as number).should.be.approximately(100 + (both.started[job - 1] ?? 0), 0.001)
          if ('jobEcho' in result) result.jobEcho?.should.equal(job)
        }
        both.answerWith('error')
        both.cycle(3).should.match({ done: false, error: true, timedOut: false, result: { code: 201 } })
        both.answerWith('result')
        // The memory of the PLC is empty then, and the old answer still that of the cell.
        both.restart()
        both.cycle(4).should.match({ done: true, error: false, result: { code: 0 } })
        both.started.should.have.length(4)
      })

      it('reads the state before the results, and asks last', () => {
        const touched = runProgram(source)
          .call(0)
          .map((label) => label.replace('Vision_', ''))
        const state = touched.findIndex((label) => /^(state\d?|sequenceEcho|commandEcho)$/.test(label))
        const result = touched.findIndex((label) => /^(code|pose1_X)$/.test(label))
        if (state >= 0 && result >= 0) state.should.be.below(result)
      })
    })

  it('names five things to set in the engineering tool, in both languages', () => {
    for (const language of ['en-US', 'de']) {
      const lines = writeProgram(mapOf(families.sequence), families.sequence, 'st', {
        protocol: 'slmp',
        language,
      }).split('\n')
      lines
        .slice(1, 6)
        .map((line) => /^\/\/ (?:GX Works3, )?(\d):/.exec(line)?.[1])
        .should.deepEqual(['1', '2', '3', '4', '5'])
    }
  })

  it('is not written for values of 32 bit that labels would read in another order', () => {
    ;(() =>
      writeProgram({ notation, lines: families.sequence.map }, families.sequence, 'st', {
        protocol: 'slmp',
      })).should.throw({
      code: 'INVALID_INPUT',
      message: /Set the byte order of the map to CDAB/,
    })
  })
})
