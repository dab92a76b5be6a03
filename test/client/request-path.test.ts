import fc from 'fast-check'
import should from 'should'
import { formOf, pathBuilder, queryOf, UnusableName } from '../../lib/client/request'

const build = pathBuilder('/pipelines/{pipeline}/nodes/{node}/parameters/{param}')
const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text !== '.' && text !== '..')
const seed = { seed: 20250117 }

describe('the path of a request', () => {
  it('keeps every name in its own segment, for every URL parser', () => {
    const property = fc.property(name, name, name, (pipeline, node, param) => {
      const { pathname, search, hash } = new URL(build({ pipeline, node, param }), 'http://host')
      pathname
        .split('/')
        .map(decodeURIComponent)
        .should.eql(['', 'pipelines', pipeline, 'nodes', node, 'parameters', param])
      should(search + hash).equal('')
    })
    fc.assert(property, seed)
  })

  it('never becomes a different path, whatever the name', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', 'f', '?', '#', ';', '\0', '\n'),
    })
    const property = fc.property(hostile, (node) => {
      let path: string
      try {
        path = build({ pipeline: '0', node, param: 'p' })
      } catch (error) {
        should(error).be.instanceOf(UnusableName)
        should(['', '.', '..']).containEql(node)
        return
      }
      path.should.match(/^\/pipelines\/0\/nodes\/[^/?#\\\s]+\/parameters\/p$/)
      new URL(path, 'http://host').pathname.should.equal(path)
    })
    fc.assert(property, seed)
  })

  it('refuses a name that is not text or not Unicode', () => {
    for (const node of [undefined, null, 1, [], '\ud800'])
      (() => build({ pipeline: '0', node, param: 'p' })).should.throw(UnusableName)
  })

  it('without names is unchanged', () => pathBuilder('/system')({}).should.equal('/system'))
})

describe('the query of a request', () => {
  const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.boolean(), fc.integer())

  it('comes back as it was', () => {
    const property = fc.property(fc.option(value, { nil: undefined }), fc.array(value), (one, many) => {
      const { searchParams } = new URL(`/x${queryOf(['one', 'many'], { one, many })}`, 'http://host')
      should(searchParams.get('one')).equal(one === undefined ? null : String(one))
      searchParams.getAll('many').should.eql(many.map(String))
    })
    fc.assert(property, seed)
  })

  it('is encoded like a form', () => {
    const property = fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      should(new URLSearchParams(formOf(['a'], { a: text })).get('a')).equal(text)
    })
    fc.assert(property, seed)
  })
})
