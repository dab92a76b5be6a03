import should from 'should'
import { operation, operationIds } from '../lib/contract'
import { openApi } from '../lib/contract/open-api'

interface Document {
  paths: Record<string, Record<string, { operationId: string }>>
}

describe('the OpenAPI document', () => {
  const document = openApi({ version: '1.0.0' })

  it('passes the strict rules of a public linter', async () => {
    const { createConfig, lintFromString } = await import('@redocly/openapi-core')
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    problems.map(({ ruleId, message }) => `${ruleId}: ${message}`).should.eql([])
  })

  it('has every operation of the contract under its own id', () => {
    const { paths } = document as unknown as Document
    for (const id of operationIds) {
      const { path, method } = operation(id)
      should(paths[path]?.[method.toLowerCase()]?.operationId).equal(id)
    }
  })

  it('omits what the variant does not have', () => {
    const { paths } = openApi({ version: '1.0.0', variant: 'multi' }) as unknown as Document
    Object.keys(paths).should.containEql('/userspace')
    Object.keys(paths).should.not.containEql('/datastreams')
  })
})
