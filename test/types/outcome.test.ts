import should from 'should'
import { NoAnswer, NodeAnswer, type Outcome } from '../../nodes/shared/outcome'

const properties: Record<string, unknown> = { payload: 1 }

// The code after this comment must not compile: the build fails if it does.
// @ts-expect-error plain properties, without the summary for people
export const withoutSummary: Outcome = properties

describe('what a node returns for a message', () => {
  it('is an answer with a summary, or none', () => {
    const outcomes: Outcome[] = [new NodeAnswer(properties, { text: 'payload = 1' }), new NoAnswer()]
    outcomes.map((outcome) => outcome instanceof NoAnswer).should.deepEqual([false, true])
    should(outcomes[1]).have.property('sendsNothing', true)
  })
})
