import 'should'
import type { MapLine } from '../../../lib/plc/data'
import { families, type Family } from '../../../lib/plc/families'
import { messageProtocols, presetLines } from '../../../lib/plc/messages'
import {
  programLanguages,
  writeProgram,
  type NamedProtocol,
  type ProgramLanguage,
} from '../../../lib/plc/program'
import { byNames, cellAndPlc } from '../support/cell-and-plc'
import { checkProgram } from '../support/check-program'
import { runProgram } from '../support/structured-text'

/** Where each protocol finds a name in the memory of the PLC. */
const places: Readonly<Record<NamedProtocol, (name: string, side: 'toCell' | 'fromCell') => string[]>> = {
  s7: (name) => ['Cell_DB1', name],
  opcua: (name) => name.replace('ns=2;s=', '').split('.'),
  ads: (name) => name.split('.'),
  'ethernet-ip': (name) => ['Cell', name],
  mqtt: (name, side) => ['Cell', side, ...name.split('.')],
  sparkplug: (name, side) => ['Cell', side, name.replace('Cell/', '')],
  any: (name, side) => ['Cell', side, ...name.split('.')],
}
const protocols = Object.keys(places) as NamedProtocol[]

const exchangeOf = (family: Family, language: ProgramLanguage, protocol: NamedProtocol) =>
  byNames(
    family,
    language,
    { protocol, lines: presetLines(family, messageProtocols[protocol]) },
    (name, side) => places[protocol](name, side),
  )

const sourceOf = (lines: readonly MapLine[], protocol: NamedProtocol, language: ProgramLanguage = 'scl') =>
  writeProgram({ by: 'name', lines }, families.sequence, language, { protocol })

const preset = (protocol: NamedProtocol) => presetLines(families.sequence, messageProtocols[protocol])

describe('the program of a map by names', () => {
  for (const protocol of protocols)
    it(`is well formed and of right types for every family over ${protocol}`, () => {
      for (const language of programLanguages)
        for (const family of Object.values(families))
          checkProgram(exchangeOf(family, language, protocol).source, language)
    })

  for (const protocol of protocols)
    for (const language of programLanguages)
      for (const family of Object.values(families))
        it(`asks and gets its answers over ${protocol}, in ${language}, for ${family.id}`, () => {
          const both = cellAndPlc(family, exchangeOf(family, language, protocol))
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

  it('would be found wrong by the same check', () => {
    const source = exchangeOf(families.sequence, 'st', 's7').source
    const wrong: [string, string][] = [
      ['END_IF;\n', '\n'],
      ['job : UINT;', 'job : INT;'],
      ['Cell_DB1.code', 'Cell_DB1.kode'],
      ['wasStarted : BOOL;', ''],
      ['phase := 1;', 'phase := 40000;'],
      ['(collected AND WORD#16#0001) <>', '(collected AND phase) <>'],
      ['NOT isWaiting', 'NOT phase'],
      ['sent : VisionToCell;', 'sent : VisionToCel;'],
      ['IF connected THEN', 'IF connected'],
      ['END_FUNCTION_BLOCK', ''],
    ]
    checkProgram(source, 'st')
    for (const [right, other] of wrong) {
      source.should.containEql(right)
      ;(() => checkProgram(source.replace(right, other), 'st')).should.throw()
    }
  })

  it('takes no old answer while the cell has not yet written its words again', () => {
    const both = cellAndPlc(families.sequence, exchangeOf(families.sequence, 'st', 'opcua'))
    both.cycle(1)
    both.restart()
    const { vars, globals } = both.plc()
    vars.start = true
    both.plc().call(1_000_000)
    Number((globals.Cell as Record<string, unknown>).sequence).should.equal(0)
    ;(vars.busy as boolean).should.be.true()
  })

  for (const protocol of protocols)
    it(`reads the state before the results and asks last, over ${protocol}`, () => {
      for (const language of programLanguages)
        for (const family of Object.values(families)) {
          const block = runProgram(exchangeOf(family, language, protocol).source)
          const touched = block.call(0).map((path) => path.split('.').at(-1)?.replace('Cell_', '') ?? '')
          const state = touched.findLastIndex((name) =>
            /^(state|done|error|ready|busy|resultsValid)$/.test(name),
          )
          touched.lastIndexOf('code').should.be.above(state)
          const echo = touched.findIndex((name) => /^(echo|commandEcho)$/.test(name))
          echo.should.be.below(state + 1)
          touched.at(-1)?.should.match(/^(trigger|sequence|command|control)$/)
        }
    })

  it('changes a word of bits at once', () => {
    const { source } = exchangeOf(families['control-words'], 'st', 's7')
    source.match(/^ *Cell_DB1\.control := /gm)?.should.have.length(1)
  })

  it('lays the data block of an S7 out as the example has it', () => {
    const source = sourceOf(preset('s7'), 's7')
    source.should.match(/S7_Optimized_Access := 'FALSE'/)
    for (const text of [
      'sequence : UINT;   // DB1,WORD0',
      'code : INT;   // DB1,INT16',
      'pose1_1 : REAL;   // DB1,REAL28',
    ])
      source.should.containEql(text)
    source.should.match(/reserved8 : ARRAY\[0\.\.7\] OF BYTE;\n\s+code/)
  })

  const line = (row: MapLine['row'], name: string, rest: Partial<MapLine> = {}): MapLine => ({
    row,
    name,
    type: 'INT',
    ...rest,
  })
  const state = (['ready', 'busy', 'done', 'error'] as const).map((row, bit) =>
    line(row, 'DB7,WORD10', { type: 'bit', bit }),
  )
  const asked = [line('sequence', 'DB7,INT0'), line('sequenceEcho', 'DB7,INT12')]

  it('lays data blocks out by addresses, with what fills the space between them', () => {
    const source = sourceOf(
      [
        ...state,
        ...asked,
        line('abort', 'DB7,X3.2', { type: 'bit' }),
        line('code', 'DB7,INT4'),
        line('property', 'DB7,S14.5', { path: 'payload.name', type: 'STRING', length: 5 }),
        line('property', 'DB7,BYTE22.3', { path: 'payload.raw', type: 'bytes', length: 3 }),
        line('count', 'DB8,INT2'),
      ],
      's7',
    )
    const members = (name: string) =>
      [
        ...(new RegExp(`DATA_BLOCK "${name}"[^]*?STRUCT([^]*?)END_STRUCT`).exec(source)?.[1] ?? '').matchAll(
          /(\w+) : ([^;]+);/g,
        ),
      ].map(([, member, type]) => `${member ?? ''} ${type ?? ''}`)
    members('Cell_DB7').should.deepEqual([
      'sequence INT',
      'reserved2 BYTE',
      'reserved3_0 BOOL',
      'reserved3_1 BOOL',
      'abort BOOL',
      'code INT',
      'reserved6 ARRAY[0..3] OF BYTE',
      'state WORD',
      'sequenceEcho INT',
      'value_payload_name STRING[5]',
      'value_payload_raw ARRAY[0..2] OF BYTE',
    ])
    members('Cell_DB8').should.deepEqual(['reserved0 ARRAY[0..1] OF BYTE', 'count INT'])
    source.should.containEql('"Cell_DB7".abort := #sent.abort;')
    const block = runProgram(source)
    Object.assign(block.globals.Cell_DB7 ?? {}, { value_payload_name: 'A-17', code: -8 })
    block.call(0)
    const { value_payload_name: text, code } = block.vars.received as Record<string, unknown>
    ;[text, code].should.deepEqual(['A-17', -8])
  })

  it('is refused for addresses that no data block can have', () => {
    for (const name of [
      'DB7,INT5',
      'DB7,INT10',
      'DB7,REAL4',
      'DB7,RINT4',
      'DB7,X4.9',
      'DB7,INT',
      'MW4',
      'code',
    ])
      (() => sourceOf([...state, ...asked, line('code', name)], 's7')).should.throw({
        code: 'INVALID_INPUT',
        message: new RegExp(name.replace('.', '\\.')),
      })
  })

  it('declares what the node ids of makers mean', () => {
    const nodeIds = (id: (name: string) => string): MapLine[] =>
      preset('opcua').map((each) => ({ ...each, name: id(each.name?.slice('ns=2;s=Cell.'.length) ?? '') }))
    const siemens = sourceOf(
      nodeIds((name) => `ns=3;s="Line 1"."Cell"."${name}"`),
      'opcua',
    )
    siemens.should.match(/DATA_BLOCK "Line 1"/)
    siemens.should.containEql('"Line 1".Cell.sequence := #sent.sequence;')
    const codesys = sourceOf(
      nodeIds((name) => `ns=4;s=|var|CODESYS Control.Application.GVL_Cell.${name}`),
      'opcua',
      'st',
    )
    codesys.should.match(/\/\/ GVL_Cell\nVAR_GLOBAL\n/)
    codesys.should.containEql('GVL_Cell.sequence := sent.sequence;')
    // A number says nothing: the variable has the name of its row, and the comment has the number.
    const number = sourceOf([...preset('opcua'), line('score', 'ns=2;i=1007')], 'opcua', 'st')
    number.should.match(/score : INT; {3}\/\/ .*ns=2;i=1007/)
  })

  it('keeps what a person wrote within its line and its quotes', () => {
    const names = ['a"b\nEND_TYPE', 'type', 'größe', '1st', ':=', 'TYPE']
    for (const protocol of ['mqtt', 'ads', 'opcua'] as const)
      for (const language of programLanguages) {
        const prefix = protocol === 'mqtt' ? '' : protocol === 'ads' ? 'GVL.' : 'ns=2;s=GVL.'
        const properties = names.map((name, index) =>
          line('property', `${prefix}${name}`, { path: `payload["x\ny${index}"]` }),
        )
        const source = sourceOf([...preset(protocol), ...properties], protocol, language)
        checkProgram(source, language)
      }
  })

  it('says in words what MQTT needs, in both languages', () => {
    const text = (language: string) =>
      writeProgram({ by: 'name', lines: preset('mqtt') }, families.sequence, 'st', {
        protocol: 'mqtt',
        language,
      })
    text('en-US').should.match(/^\/\/ MQTT: publish toCell as one JSON object.*without retain/m)
    text('de').should.match(/^\/\/ MQTT: toCell als ein JSON-Objekt.*ohne retain/m)
  })
})
