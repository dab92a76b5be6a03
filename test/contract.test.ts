import { Kind } from '../lib/typebox'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import {
  groups,
  operation,
  operationIds,
  type Input,
  type Operation,
  type OperationId,
  type Result,
} from '../lib/contract'
import { shortSummaryOf } from '../lib/contract/summary'

describe('the contract', () => {
  it('lists the 51 operations of the specification, group by group', () => {
    const counts = Object.entries(groups).map(([name, group]): [string, number] => [
      name,
      Object.values<Operation>(group.operations).filter((each) => !each.beyondSpecification).length,
    ])
    counts
      .reduce((sum, [, count]) => sum + count, 0)
      .should.equal(51, 'an operation that the specification does not describe has beyondSpecification: true')
    Object.fromEntries(counts.filter(([, count]) => count)).should.eql({
      'global nodes': 6,
      'pipeline nodes': 10,
      pipelines: 6,
      logs: 2,
      system: 22,
      'data streams': 4,
      'user space': 1,
    })
  })

  it('has every operation in one group', () => {
    const inGroups = Object.values(groups).flatMap((group) => Object.keys(group.operations))
    inGroups.sort().should.deepEqual([...operationIds].sort())
  })

  it('has no two operations with the same method and path', () => {
    const routes = operationIds.map((id) => `${operation(id).method} ${operation(id).path}`)
    new Set(routes).size.should.equal(routes.length)
  })

  it('declares each input of an operation once, and every part of its path', () => {
    for (const id of operationIds) {
      const { path, params = {}, query = {}, body } = operation(id)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      should(Object.keys(params)).eql(inPath, id)
      const names = [...Object.keys(params), ...Object.keys(query), ...Object.keys(body?.fields ?? {})]
      new Set(names).size.should.equal(names.length, id)
    }
  })

  it('is complete', () => {
    for (const id of operationIds) {
      const { query = {}, body, method, readBack, textWhen, result } = operation(id)
      should(result[Kind]).be.ok()
      if (body) ['PUT', 'POST'].should.containEql(method)
      if (body?.bare) Object.keys(body.fields).should.have.length(1)
      if (readBack) operation(readBack as OperationId).method.should.equal('GET')
      for (const name of Object.keys(textWhen ?? {})) Object.keys(query).should.containEql(name)
    }
  })
})

/** A code editor shows the docstrings of the package's declarations over a client method. */
describe('the docstring of each operation', () => {
  const folder = join(__dirname, '..', '..', 'dist', 'lib', 'contract')
  const declared = readFileSync(join(folder, 'index.d.ts'), 'utf8')

  it('says what it does and how it fails, as the operation itself does', () => {
    for (const id of operationIds) {
      const { summary, errors } = operation(id)
      const [, comment = ''] =
        new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\n {4}(?:readonly )?${id}: {`).exec(declared) ?? []
      const lines = [summary, ...Object.entries(errors).map(([status, meaning]) => `${status} ${meaning}`)]
      const advice = 'build with types, which writes them: node scripts/build.mjs'
      for (const line of lines)
        should(comment.includes(line)).be.true(`${id} has no docstring "${line}": ${advice}`)
    }
  })
})

describe('the short text for an operation', () => {
  it('falls back to the base language, and then to English', () => {
    shortSummaryOf('getSystem', 'de-AT').should.equal('Systemzustand lesen')
    shortSummaryOf('getSystem', 'fr').should.equal('read the system state')
    shortSummaryOf('listGripperElements').should.equal('list the CAD elements of grippers')
  })
})

/** Checked by the compiler. */
export const types: [Input<'setParameter'>, Input<'getParameters'>, Result<'getLog'>['log'][0]] = [
  { pipeline: '0', node: 'dev_camera', param: 'fps', value: 10 },
  // @ts-expect-error the pipeline is missing
  { node: 'dev_camera' },
  // @ts-expect-error the level of a log entry is a word
  { component: 'a', level: 1, message: 'm', timestamp: 0 },
]
