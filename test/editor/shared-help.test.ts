import should from 'should'
import { completeHelp } from '../../scripts/dialogs/help'
import { sharedTexts } from '../../scripts/dialogs/texts'
import { configNames, dialogSource, nodeNames, source } from '../support/dialog-source'
import { root } from '../support/root'

const words = sharedTexts(root, 'en-US')

describe('what the help texts of all nodes share', () => {
  it('is written once', () => {
    for (const node of nodeNames) {
      const own = source('nodes', node, 'locales', 'en-US', `${node}.html`)
      for (const shared of [words.allCodes, words.documentation, '<dt>vision '])
        own.should.not.containEql(shared)
      const help = dialogSource(node).help
      help.should.containEql(words.documentation)
      if (!configNames.includes(node)) help.should.containEql(words.allCodes).and.containEql('<dt>vision ')
    }
  })

  it('explains names and codes without a text of their own', () => {
    const explained = complete(
      '<dt>pipeline <span class="property-type">string</span></dt>\n<dt>own</dt><dd>x</dd>',
    )
    explained.should.containEql(`</span></dt><dd>${words.entries.pipeline}</dd>`)
    explained.should.containEql('<dt>own</dt><dd>x</dd>')
  })

  it('is not guessed: a name without any text is refused', () => {
    should(() => complete('<dt>speed</dt>')).throw(/says nothing about speed/)
  })
})

const complete = (entry: string) =>
  completeHelp(
    `<script><h3>Outputs</h3><dl>${entry}</dl><h3>Details</h3><p>x</p></script>`,
    {
      type: 'get-parameter',
      icon: 'x',
      group: 'configure',
      inputs: 1,
      changes: false,
      outputs: [],
      fields: {},
    },
    { words, text: (key) => key },
  )
