import should from 'should'
import { join } from 'node:path'
import type { NodeDescription } from '../../nodes/shared/fields/description'
import { defaultsOf, numberOf, withDefaults } from '../../nodes/shared/fields/checked-fields'
import { descriptions } from '../../scripts/dialogs'
import release from '../fixtures/release-0.1.0.json'
import { root } from '../support/root'

type Stored = Record<string, unknown>

const known = descriptions(join(root, 'nodes'))
const defaults = release.defaults as Record<string, Stored>
/** As Node-RED gives them to the nodes: with the values of environment variables. */
const stored = JSON.parse(JSON.stringify(release.stored).replace(/"\$\{\w+\}"/g, '"8080"')) as (Stored & {
  type: string
})[]

describe('a flow saved by version 0.1.0', () => {
  for (const [type, before] of Object.entries(defaults))
    it(`finds every field of ${type}, with the same default`, () => {
      should(defaultsOf(descriptionOf(type))).containEql(before)
    })

  it('gives the nodes of all examples the same settings as before', () => {
    for (const node of stored) {
      const description = descriptionOf(node.type)
      should(withDefaults(description, node)).containEql({ ...defaults[node.type], ...node })
    }
  })

  it('has choices that still exist, and numbers within their bounds', () => {
    for (const node of stored) {
      const description = descriptionOf(node.type)
      const fields = withDefaults(description, node) as Stored
      for (const [name, field] of Object.entries(description.fields)) {
        if (field.kind === 'choice') field.choices.should.containEql(fields[name])
        const isWritten = field.kind === 'number' && !/^\$\{\w+\}$/.test(String(fields[name]))
        const isNeeded =
          field.kind === 'number' && ((!field.optional && field.default !== '') || fields[name] !== '')
        if (isWritten && isNeeded)
          (() => numberOf(description, fields as Record<string, number>, name as never)).should.not.throw()
      }
    }
  })
})

function descriptionOf(type: string): NodeDescription {
  const found = known.find((each) => `vision-${each.type}` === type)
  if (!found) throw new Error(`There is no ${type} any more.`)
  return found
}
