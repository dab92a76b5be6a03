import 'should'
import { codeTable } from '../../../lib/plc/codes'
import type { PlcMap } from '../../../lib/plc/data'
import { families } from '../../../lib/plc/families'
import { mapTable, writeCsv, writePage } from '../../../lib/plc/program'

const fourPhases: PlcMap = { lines: families['four-phases'].map }

describe('the printed map', () => {
  it('has a line for each value, in the order of the registers', () => {
    const table = mapTable({
      lines: [
        { row: 'pose', index: 2, component: 1, address: 10, type: 'INT' },
        { row: 'property', path: 'payload.name', address: 12, type: 'STRING', length: 5 },
        { row: 'score', address: 11, type: 'INT', scale: 1000 },
        { row: 'count', address: 16, type: 'DINT', order: 'CDAB' },
        { row: 'ready', area: 'coils', address: 0, type: 'bit' },
        { row: 'trigger', address: 1, bit: 4, type: 'bit' },
      ],
    })
    table
      .map(({ from, row, register, shown, bit, type, unit }) => [from, row, register, shown, bit, type, unit])
      .should.deepEqual([
        ['Cell', 'ready', '0', '1', '', 'bit', ''],
        ['PLC', 'trigger', '1', '40002', '4', 'bit', ''],
        ['Cell', 'pose 2.1', '10', '40011', '', 'INT', '0.1 mm'],
        ['Cell', 'score', '11', '40012', '', 'INT', '× 1000'],
        ['Cell', 'payload.name', '12–14', '40013–40015', '', 'STRING[5]', ''],
        ['Cell', 'count', '16–17', '40017–40018', '', 'DINT CDAB', ''],
      ])
    table[2]?.meaning.should.equal('Pose 2, X')
  })

  it('is a table for spreadsheets, in two languages', () => {
    const lines = writeCsv(fourPhases).split('\r\n')
    lines[0]?.should.equal('Written by;Value;Register;Counted from 1;Bit;Type;Unit;Meaning')
    lines[1]?.should.equal('PLC;trigger;0;40001;0;bit;;Trigger')
    lines.should.have.length(families['four-phases'].map.length + 2)
    writeCsv(fourPhases, 'de').should.startWith('Schreibt;Wert;Register;Gezählt ab 1;')
  })

  it('lets no path of a user become a formula or a cell more', () => {
    const path = 'a["=1;2"]'
    const csv = writeCsv({ lines: [{ row: 'property', path, address: 0, type: 'INT' }] })
    csv.split('\r\n')[1]?.should.equal('Cell;"a[""=1;2""]";0;40001;;INT;;Value of the message')
  })

  it('is a page that stands for itself, with the codes in their order', () => {
    const page = writePage(fourPhases, { family: 'four-phases', codes: codeTable({ GRIPPER_LOST: 150 }) })
    page.should.not.match(/<script|<link|src=|https?:/)
    const codes = page.slice(page.indexOf('<h2>'))
    const numbers = [...codes.matchAll(/<td>(-?\d+)<\/td>/g)].map(([, code]) => Number(code))
    numbers.should.deepEqual([...numbers].sort((one, other) => one - other))
    numbers.should.containEql(150)
    page.should.containEql('1234.5 is 449A 5000, 123456 is 0001 E240')
    page.should.containEql('It has not been run on a controller')
    writePage(fourPhases, { family: 'four-phases', language: 'de' }).should.containEql(
      'Nicht auf einer Steuerung gelaufen',
    )
  })

  it('shows the words of the order that was chosen, and the numbers of the poses', () => {
    const page = writePage({ ...fourPhases, order: 'CDAB' }, { family: 'sequence' })
    page.should.containEql('1234.5 is 5000 449A')
    page.should.not.containEql('KUKA')
    writePage({ lines: families.sequence.map }, { family: 'sequence' }).should.containEql(
      'KUKA (X, Y, Z, A, B, C)',
    )
  })

  it('runs nothing that a user wrote', () => {
    const lines: PlcMap['lines'] = [{ row: 'property', path: 'a["<img src=x>"]', address: 0, type: 'INT' }]
    const codes = codeTable({ '<b>': 160 })
    const page = writePage({ lines }, { family: 'sequence', codes })
    page.should.not.match(/<img|<b>/)
    page.should.containEql('&lt;img src=x&gt;')
  })
})
