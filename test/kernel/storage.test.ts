import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { openLog, openValue, type StorageError } from '../../lib/kernel/storage'
import { Type } from '../../lib/typebox'
import { seededRandom } from '../../virtual-device/values'
import { damages, ownFolder, smallDisk, unprivileged } from '../support/damages'

let folder = ''
let damage: StorageError[] = []
let failures: StorageError[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cellsight-storage-'))
  damage = []
  failures = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const told = {
  onDamage: (one: StorageError) => void damage.push(one),
  onFailure: (one: StorageError) => void failures.push(one),
}
const aside = () => readdirSync(folder).filter((name) => name.includes('.damaged-'))

describe('a durable value', () => {
  const schema = Type.Object({ version: Type.Literal(1), parts: Type.Record(Type.String(), Type.Number()) })
  const initial = { version: 1 as const, parts: {} }
  const open = (name = 'value.json', at = folder) =>
    openValue({ file: join(at, name), schema, initial, ...told })
  const one = { version: 1 as const, parts: { a: 1, b: 2.5 } }

  afterEach(() => should(failures).be.empty())

  it('is there after the next start', async () => {
    const value = await open()
    should(value.value).eql(initial)
    await value.set(one)
    should(value.value).eql(one)
    should((await open()).value).eql(one)
    damage.should.be.empty()
  })

  it('is the last of many that were set at once', async () => {
    const value = await open()
    await Promise.all(Array.from({ length: 50 }, (_, at) => value.set({ version: 1, parts: { at } })))
    value.keep(one)
    await value.close()
    should((await open()).value).eql(one)
    readdirSync(folder).sort().should.eql(['value.json', 'value.json.copy'])
  })

  for (const [name, apply] of Object.entries(damages))
    it(`whose file ${name} is the last good copy, the file is renamed, and that is told once`, async () => {
      await (await open()).set(one)
      await (await open()).close()
      apply(join(folder, 'value.json'))
      const value = await open()
      should(value.value).eql(one)
      damage.map(({ key }) => key).should.eql(['storage-copy'])
      aside().length.should.equal(1)
      should((await open()).value).eql(one)
      damage.length.should.equal(1)
      const [first] = damage
      should(first?.message).match(
        /cannot be used: .+\. It was renamed to .+damaged-.+, and the last good copy/,
      )
      should(first?.inLanguage('de')).match(/umbenannt/)
    })

  it('whose file is cut anywhere is never lost and never another one', async () => {
    const file = join(folder, 'value.json')
    await (await open()).set(one)
    const { length } = readFileSync(file)
    // Without its last byte, which ends the line, it is still whole.
    for (let at = 0; at < length - 1; at++) {
      truncateSync(file, at)
      should((await open()).value).eql(one)
      damage.length.should.equal(at + 1)
    }
    aside().length.should.be.belowOrEqual(10)
  })

  it('begins anew where its copy is damaged, too', async () => {
    await (await open()).set(one)
    for (const name of ['value.json', 'value.json.copy']) writeFileSync(join(folder, name), '{')
    should((await open()).value).eql(initial)
    damage.map(({ key }) => key).should.eql(['storage-initial'])
    should(damage[0]?.values.aside).be.a.String()
    readFileSync(String(damage[0]?.values.aside), 'utf8').should.equal('{')
  })

  it('whose file somebody has removed while it was open is written again, and that is told', async () => {
    const value = await open()
    await value.set(one)
    rmSync(join(folder, 'value.json'))
    await value.close()
    should((await open()).value).eql(one)
    await (await open()).set(initial)
    rmSync(join(folder, 'value.json'))
    should((await open()).value).eql(initial)
    damage.map(({ key }) => key).should.eql(['storage-removed', 'storage-removed'])
  })

  it('does not overwrite what another program has written', async () => {
    const value = await open()
    await value.set(one)
    writeFileSync(join(folder, 'value.json'), 'of somebody else')
    await value.set(initial)
    await value.set(one)
    damage.map(({ key }) => key).should.eql(['storage-changed'])
    readFileSync(join(folder, String(aside()[0])), 'utf8').should.equal('of somebody else')
  })

  it('takes only what JSON can express and the schema allows, and says so at once', async () => {
    const value = await open()
    const circular: { parts?: unknown } = {}
    circular.parts = circular
    for (const wrong of [
      1n,
      circular,
      { version: 2, parts: {} },
      { version: 1, parts: { a: NaN } },
      undefined,
    ])
      should(() => value.set(wrong as never)).throw({ code: 'INVALID_INPUT' })
    should(value.value).eql(initial)
    await value.close()
    existsSync(join(folder, 'value.json')).should.be.false()
  })

  it('does not change with the object that was given', async () => {
    const value = await open()
    const given = { version: 1 as const, parts: { a: 1 } as Record<string, number> }
    const written = value.set(given)
    given.parts['a'] = 2
    await written
    should(value.value.parts).eql({ a: 1 })
  })

  it('whose file may not be read is renamed; in a folder that may not be written, nothing is overwritten', async () => {
    const own = ownFolder()
    const [readable, locked] = [join(own, 'a'), join(own, 'b')]
    try {
      writeFileSync(readable, JSON.stringify(one), { mode: 0 })
      await unprivileged(async () => {
        const value = await open('a', own)
        should(value.value).eql(initial)
        damage.map(({ key }) => key).should.eql(['storage-initial'])
        await value.set(one)
      })
      writeFileSync(locked, '[')
      chmodSync(own, 0o555)
      await unprivileged(async () => {
        const value = await open('b', own)
        should(value.value).eql(initial)
        await value.set(one).should.be.rejectedWith({ code: 'NOT_WRITTEN' })
        await value.set(one).should.be.rejectedWith({ code: 'NOT_WRITTEN' })
      })
      readFileSync(locked, 'utf8').should.equal('[')
      damage.map(({ key }) => key).should.eql(['storage-initial', 'storage-blocked'])
      failures.splice(0).length.should.equal(1)
    } finally {
      chmodSync(own, 0o777)
      rmSync(own, { recursive: true })
    }
  })

  it('on a full disk stays as it was, is told once, and is written when there is room again', async function () {
    const disk = smallDisk()
    if (!disk) this.skip()
    try {
      const value = await open('value.json', disk.folder)
      await value.set(one)
      disk.fill()
      const large = {
        version: 1 as const,
        parts: Object.fromEntries(Array.from({ length: 2e4 }, (_, at) => [`p${at}`, at])),
      }
      await value
        .set(large)
        .should.be.rejectedWith({ code: 'NOT_WRITTEN', message: /the disk is full\. Free/ })
      await value.set(large).should.be.rejected()
      should(value.value).eql(one)
      failures.splice(0).length.should.equal(1)
      should((await open('value.json', disk.folder)).value).eql(one)
      value.keep(large)
      disk.free()
      await value.close()
      should((await open('value.json', disk.folder)).value).eql(large)
      damage.should.be.empty()
    } finally {
      disk.remove()
    }
  })
})

describe('a durable log', () => {
  const entry = Type.Object({ add: Type.Number(), text: Type.Optional(Type.String()) })
  const snapshot = Type.Object({ sum: Type.Number() })
  const open = (
    name = 'log.jsonl',
    at = folder,
    compactAt = 256 * 1024,
    afterFailure: 'keep' | 'empty' = 'keep',
  ) =>
    openLog({
      afterFailure,
      file: join(at, name),
      entry,
      snapshot,
      begin: (kept) => kept ?? { sum: 0 },
      fold: ({ sum }, { add }) => ({ sum: sum + add }),
      snapshotOf: (state) => state,
      compactAt,
      ...told,
    })

  /** What the start after a kill at this moment would find. */
  async function sumIn(file: string): Promise<number> {
    const other = mkdtempSync(join(folder, 'other-'))
    copyFileSync(file, join(other, 'log.jsonl'))
    const log = await open('log.jsonl', other)
    await log.close()
    rmSync(other, { recursive: true })
    return log.state.sum
  }

  it('tells the next start what was appended, flushed or not', async () => {
    const log = await open()
    log.append({ add: 1 })
    log.append({ add: 2 }, { add: 3 })
    should(await sumIn(join(folder, 'log.jsonl'))).equal(6)
    await log.close()
    should((await open()).state).eql({ sum: 6 })
    damage.should.be.empty()
  })

  it('cut anywhere tells what was complete', async () => {
    const file = join(folder, 'log.jsonl')
    const log = await open()
    for (const add of [1, 10, 100]) log.append({ add })
    await log.close()
    const whole = readFileSync(file)
    const sums = new Set<number>()
    const afterFirst = whole.indexOf('\n')
    for (let at = afterFirst; at <= whole.length; at++) {
      writeFileSync(file, whole.subarray(0, at))
      const again = await open()
      sums.add(again.state.sum)
      again.append({ add: 1000 })
      should((await open()).state).eql({ sum: again.state.sum })
    }
    ;[...sums].should.eql([0, 1, 11, 111])
    damage.should.be.empty()
  })

  it('is whole where a power failure has left zeros at its end', async () => {
    const log = await open()
    log.append({ add: 1 })
    await log.close()
    appendFileSync(join(folder, 'log.jsonl'), Buffer.concat([Buffer.from('{"ad'), Buffer.alloc(512)]))
    should((await open()).state).eql({ sum: 1 })
    damage.should.be.empty()
  })

  it('with a line that cannot be read is renamed, and all others count', async () => {
    const file = join(folder, 'log.jsonl')
    writeFileSync(file, '{"sum":1}\n{"add":2}\n{"ad\n{"other":3}\n{"add":4}\n')
    should((await open()).state).eql({ sum: 7 })
    damage
      .map(({ message }) => message.replace(/\S*\//g, ''))
      .should.match([/^log.jsonl is damaged: line 3 cannot/])
    should((await open()).state).eql({ sum: 7 })
    damage.length.should.equal(1)
    aside().length.should.equal(1)
  })

  it('with a line that cannot be read keeps all others where it cannot be written anew, whatever ends the program', async function () {
    const disk = smallDisk()
    if (!disk) this.skip()
    try {
      const file = join(disk.folder, 'log.jsonl')
      writeFileSync(file, '{"sum":1}\n{"ad\n{"add":4}\n')
      disk.fill()
      for (let start = 0; start < 2; start++)
        should((await open('log.jsonl', disk.folder)).state).eql({ sum: 5 })
      disk.free()
      const log = await open('log.jsonl', disk.folder)
      await log.close()
      should(await sumIn(file)).equal(5)
    } finally {
      disk.remove()
    }
  })

  it('whose old entries would do harm is empty from a write that failed until one succeeds', async function () {
    const disk = smallDisk()
    if (!disk) this.skip()
    try {
      const file = join(disk.folder, 'log.jsonl')
      const log = await open('log.jsonl', disk.folder, 256 * 1024, 'empty')
      log.append({ add: 1 })
      await log.flush()
      disk.fill()
      should(() => log.append({ add: 2, text: 'x'.repeat(9000) })).throw({ code: 'NOT_WRITTEN' })
      readFileSync(file, 'utf8').should.equal('')
      disk.free()
      log.append({ add: 4 })
      should(await sumIn(file)).equal(7)
      await log.close()
      should(await sumIn(file)).equal(7)
    } finally {
      disk.remove()
    }
  })

  for (const [name, apply] of Object.entries(damages))
    if (name !== 'is cut')
      it(`that ${name} is renamed and begun anew, and that is told once`, async () => {
        await (await open()).close()
        apply(join(folder, 'log.jsonl'))
        const log = await open()
        should(log.state).eql({ sum: 0 })
        damage.map(({ key }) => key).should.eql(['storage-initial'])
        aside().length.should.equal(1)
        log.append({ add: 1 })
        should((await open()).state).eql({ sum: 1 })
        damage.length.should.equal(1)
      })

  it('takes only what JSON can express and the schema allows, and nothing of a call that has one fault', async () => {
    const log = await open()
    for (const wrong of [1n, { add: 1n }, { add: Infinity }, { sum: 1 }, undefined])
      should(() => log.append({ add: 1 }, wrong as never)).throw({ code: 'INVALID_INPUT' })
    should(log.state).eql({ sum: 0 })
    should((await open()).state).eql({ sum: 0 })
  })

  it('is written anew before it grows, while entries go on', async () => {
    const random = seededRandom(7)
    const log = await open('log.jsonl', folder, 2000)
    let sum = 0
    for (let round = 0; round < 200; round++) {
      for (let count = Math.floor(random() * 40); count > 0; count--) {
        log.append({ add: 1 })
        sum++
      }
      if (random() < 0.5) await log.flush()
      if (round % 10 === 0) should(await sumIn(join(folder, 'log.jsonl'))).equal(sum)
    }
    await log.close()
    readFileSync(join(folder, 'log.jsonl')).length.should.be.below(5000)
    should((await open()).state).eql({ sum })
    readdirSync(folder).should.eql(['log.jsonl'])
    damage.should.be.empty()
  })

  it('removed while it is open is written again, and that is told', async () => {
    const log = await open()
    log.append({ add: 1 })
    await log.flush()
    rmSync(join(folder, 'log.jsonl'))
    log.append({ add: 2 })
    await log.flush()
    log.append({ add: 3 })
    await log.close()
    should((await open()).state).eql({ sum: 6 })
    damage.map(({ key }) => key).should.eql(['storage-removed'])
  })

  it('on a full disk corrupts nothing, says so, and brings everything along when there is room', async function () {
    const disk = smallDisk()
    if (!disk) this.skip()
    try {
      const log = await open('log.jsonl', disk.folder)
      log.append({ add: 1 })
      await log.flush()
      disk.fill()
      const text = 'x'.repeat(3000)
      let sum = 1
      const refused: unknown[] = []
      for (let add = 2; add < 9; add++) {
        sum += add
        try {
          log.append({ add, text })
        } catch (error) {
          refused.push(error)
        }
      }
      should(refused.length).be.above(1)
      should(refused[0]).match({ code: 'NOT_WRITTEN', message: /the disk is full/ })
      should(failures.length).equal(1)
      should(log.state).eql({ sum })
      const lines = readFileSync(join(disk.folder, 'log.jsonl'), 'utf8').trim().split('\n')
      for (const line of lines.filter((each) => each !== '')) JSON.parse(line)
      disk.free()
      log.append({ add: 100 })
      await log.flush()
      should(await sumIn(join(disk.folder, 'log.jsonl'))).equal(sum + 100)
      await log.close()
      should(damage.map(({ key }) => key)).eql([])
    } finally {
      disk.remove()
    }
  })
})
