import { Kind } from '@sinclair/typebox'
import should from 'should'
import { groups, operation, operationIds, type Input, type OperationId, type Result } from '../lib/contract'

describe('the contract', () => {
  it('lists the 51 operations of the specification, group by group', () => {
    const counts = Object.entries(groups).map(([name, group]) => [name, Object.keys(group.operations).length])
    Object.fromEntries(counts as [string, number][]).should.eql({
      'global nodes': 6,
      'pipeline nodes': 10,
      pipelines: 6,
      logs: 2,
      system: 22,
      'data streams': 4,
      'user space': 1,
    })
  })

  it('has no two operations of one method and path', () => {
    const routes = operationIds.map((id) => `${operation(id).method} ${operation(id).path}`)
    new Set(routes).size.should.equal(routes.length)
  })

  for (const id of operationIds) {
    const { path, params = {}, query = {}, body, method, readBack, textWhen, result } = operation(id)

    it(`declares each input of ${id} once, and every part of its path`, () => {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      Object.keys(params).should.eql(inPath)
      const names = [...Object.keys(params), ...Object.keys(query), ...Object.keys(body?.fields ?? {})]
      new Set(names).size.should.equal(names.length)
    })

    it(`is whole for ${id}`, () => {
      should.exist(result[Kind])
      if (body) ['PUT', 'POST'].should.containEql(method)
      if (body?.bare) Object.keys(body.fields).should.have.length(1)
      if (readBack) operation(readBack as OperationId).method.should.equal('GET')
      for (const name of Object.keys(textWhen ?? {})) Object.keys(query).should.containEql(name)
    })
  }
})

/** Checked by the compiler. */
export const types: [Input<'setParameter'>, Input<'getParameters'>, Result<'getLog'>['log'][0]] = [
  { pipeline: '0', node: 'dev_camera', param: 'fps', value: 10 },
  // @ts-expect-error the pipeline is missing
  { node: 'dev_camera' },
  // @ts-expect-error the level of a log entry is a word
  { component: 'a', level: 1, message: 'm', timestamp: 0 },
]
