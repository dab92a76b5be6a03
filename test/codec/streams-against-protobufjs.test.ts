import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, type Type } from 'protobufjs'
import 'should'
import { decodeMessage, encodeMessage, ProtobufError, type StreamMessageType } from '../../lib/codec/streams'
import { schema } from '../../lib/codec/streams'
import { fieldsIn } from '../../lib/codec/protobuf/codec'

const source = readFileSync(join(__dirname, '../../lib/codec/streams/streams.proto'), 'utf8')
const typesOf = (text: string) => {
  const { root } = parse(text, { keepCase: true })
  return (name: string): Type => root.lookupType(`cellsight.vision.streams.${name}`)
}
const packed = typesOf(source)
const unpacked = typesOf(source.replaceAll('packed = true', 'packed = false'))

const settings = { seed: 1, numRuns: process.env.CELLSIGHT_LONG ? 20_000 : 300 }
const names: readonly StreamMessageType[] = ['Frame', 'Dynamics', 'Imu']

/** Messages with any combination of fields. */
function messages(name: keyof typeof schema): fc.Arbitrary<object> {
  const values = new Map<string, fc.Arbitrary<unknown>>(
    fieldsIn(schema[name]).map(({ name: field, kind }) => [
      field,
      kind in schema ? messages(kind as keyof typeof schema) : scalars[kind as keyof typeof scalars],
    ]),
  )
  return fc.record(Object.fromEntries(values), { requiredKeys: [], noNullPrototype: true })
}

const scalars = {
  double: fc.double({ noNaN: true }),
  doubles: fc.array(fc.double({ noNaN: true }), { minLength: 1 }),
  int64: fc.maxSafeInteger(),
  int32: fc.integer(),
  bool: fc.boolean(),
  string: fc.string({ unit: 'grapheme' }),
}

describe('the codec of stream messages, compared with protobufjs', () => {
  it('has the fields of the .proto that the package ships', () => {
    const { root } = parse(source, { keepCase: true })
    const all = root.lookup('cellsight.vision.streams')?.toJSON() as {
      nested: Record<string, { fields: Record<string, { id: number; type: string; rule?: string }> }>
    }
    const numbered = Object.entries(all.nested).map(([message, { fields }]): [string, object] => [
      message,
      Object.fromEntries(
        Object.entries(fields).map(([field, { id, type, rule }]): [number, string[]] => [
          id,
          [field, rule ? `${type}s` : type],
        ]),
      ),
    ])
    const shipped: object = Object.fromEntries(numbered)
    shipped.should.deepEqual(schema)
  })

  for (const name of names) {
    it(`reads any ${name} that protobufjs writes, packed or not`, () => {
      fc.assert(
        fc.property(messages(name), (message) => {
          for (const type of [packed(name), unpacked(name)])
            decodeMessage(name, type.encode(type.fromObject(message)).finish()).should.deepEqual(message)
        }),
        settings,
      )
    })

    it(`writes any ${name} as protobufjs does`, () => {
      fc.assert(
        fc.property(messages(name), (message) => {
          const type = packed(name)
          encodeMessage(name, message).should.deepEqual(
            Buffer.from(type.encode(type.fromObject(message)).finish()),
          )
        }),
        settings,
      )
    })

    it(`reads changed bytes of ${name} or fails with a path and an offset`, () => {
      const changed = fc.tuple(messages(name), fc.nat(), fc.nat(255), fc.nat(400))
      fc.assert(
        fc.property(changed, ([message, place, byte, length]) => {
          const bytes = encodeMessage(name, message).subarray(0, length)
          if (bytes.length) bytes[place % bytes.length] = byte
          try {
            decodeMessage(name, bytes)
          } catch (error) {
            if (!(error instanceof ProtobufError)) throw error
            error.path.split('.')[0]?.should.equal(name)
            error.offset.should.be.within(0, bytes.length)
          }
        }),
        settings,
      )
    })
  }
})
