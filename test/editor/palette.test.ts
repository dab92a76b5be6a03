import should from 'should'
import { paletteGroups } from '../../nodes/shared/fields/description'
import { contrast } from '../support/contrast'
import { colourDistance } from '../support/colour-distance'
import { useEditor } from '../support/editor'

/** WCAG 2.2, 1.4.3. */
const readable = 4.5

/** Distance of two colours, CIE 1976, that is seen at a glance; about 2.3 is just noticeable side by side. */
const distinct = 12

/** Label colours on Node-RED's nodes: 4.1 and the light theme of 5.0, then the dark theme of 5.0. */
const labelColours = ['#333333', '#191919']

const members: Record<keyof typeof paletteGroups, string[]> = {
  acquire: ['acquire', 'call-service', 'get-status'],
  configure: ['get-parameter', 'set-parameter', 'pipeline', 'database'],
  calibrate: ['hand-eye-calibration', 'robot-pose', 'operator-calibration'],
  cell: [
    ...['plc-trigger', 'plc-result', 'plc-messages', 'robot-request', 'robot-answer', 'robot'],
    ...['recipes', 'operator-panel', 'operator-permission', 'operator-devices', 'cell-agent'],
  ],
  streams: ['image-receive', 'stream-receive', 'stream-destination', 'log-watch'],
  maintenance: ['backup', 'system', 'firmware-update', 'fleet', 'operator-fleet', 'device-request'],
  virtual: ['virtual-device', 'virtual-plc'],
}

/** A node in the palette, with the lines of its label as wrapped by Node-RED. */
interface PaletteNode {
  type: string
  colour: string
  label: string
  lines: string[]
}

describe('the palette', () => {
  for (const locale of ['en-US', 'de'])
    describe(`in ${locale}`, () => {
      const open = useEditor({ locale })
      const shown = async () => {
        const { page } = await open([])
        return page.evaluate<PaletteNode[]>(`
          [...document.querySelectorAll('.red-ui-palette-node[data-palette-type^="vision-"]')].map((node) => ({
            type: node.dataset.paletteType.slice('vision-'.length),
            colour: getComputedStyle(node).backgroundColor,
            label: node.dataset.paletteLabel,
            lines: node.querySelector('.red-ui-palette-label').innerHTML.split('<br>'),
          }))
        `)
      }

      it('has one group after the other, each in its colour', async () => {
        const groups = Object.entries(members) as [keyof typeof paletteGroups, string[]][]
        const expected = groups.flatMap(([group, types]) =>
          types.map((type) => ({ type, colour: rgb(paletteGroups[group]) })),
        )
        should((await shown()).map(({ type, colour }) => ({ type, colour }))).eql(expected)
      })

      it('breaks no label inside a word', async () => {
        for (const { type, label, lines } of await shown())
          should(lines.flatMap(words)).eql(words(label), type)
      })

      it('labels an unnamed device with its address, without a login', async () => {
        const { page } = await open([])
        const label = (address: string) =>
          page.evaluate<string>(`
            RED.nodes.getType('vision-device-config').label.call({
              type: 'vision-device-config', name: '', address: ${JSON.stringify(address)}, _: (key) => key,
            })
          `)
        should(await label('admin:s3cret@10.0.2.9')).equal('10.0.2.9')
        should(await label('https://admin:s3cret@10.0.2.9/api/v2?hash=s3cret')).equal(
          'https://10.0.2.9/api/v2',
        )
        should(await label('10.0.2.9:8080')).equal('10.0.2.9:8080')
      })

      it('labels nodes in the flow with at most forty characters, whatever they work on', async () => {
        const { page } = await open([])
        const labels = await page.evaluate<[type: string, label: string][]>(labelsOfLongFields)
        should(labels.length).equal(Object.values(members).flat().length)
        for (const [type, label] of labels) should(label.length).be.within(1, 40, `${type}: ${label}`)
      })

      it('is visible as a whole', async () => {
        const editor = await open([])
        await editor.page.locator('.red-ui-palette-node[data-palette-type^="vision-"]').first().hover()
        await editor.screenshot(`palette-${locale}`, editor.page.locator('#red-ui-palette-3D_vision'))
      })
    })

  it('has colours on which a label is easy to read in light and dark themes', () => {
    for (const [group, colour] of Object.entries(paletteGroups))
      for (const text of labelColours)
        should(contrast(text, colour)).be.aboveOrEqual(readable, `${text} on ${group}`)
  })

  it('has colours that can be told apart', () => {
    const groups = Object.entries(paletteGroups)
    for (const [at, [one, colour]] of groups.entries())
      for (const [other, second] of groups.slice(at + 1))
        should(colourDistance(colour, second)).be.above(distinct, `${one} and ${other}`)
  })
})

/** Each node with every choice at its default, and a long text in every field. */
const labelsOfLongFields = `
  RED.nodes.registry.getNodeTypes().filter((type) => type.startsWith('vision-') && RED.nodes.getType(type).category !== 'config')
    .flatMap((type) => {
      const definition = RED.nodes.getType(type)
      const values = Object.entries(definition.defaults).map(([name, { value }]) => [name, value])
      const isFree = ([name, value]) => typeof value === 'string' && !(name + 'Type' in definition.defaults ? false : name.endsWith('Type'))
      const filled = values.map((pair) => (isFree(pair) && !['name', 'which', 'what', 'action'].includes(pair[0]) ? [pair[0], 'a_long_word_'.repeat(9)] : pair))
      const choices = ['which', 'what', 'action'].filter((name) => name in definition.defaults)
      const options = (name) => [...new DOMParser().parseFromString(document.querySelector('[data-template-name="' + type + '"]').textContent, 'text/html').querySelectorAll('#node-input-' + name + ' option')].map(({ value }) => value)
      const variants = choices.length ? choices.flatMap((name) => options(name).map((value) => ({ [name]: value }))) : [{}]
      const labelled = variants.map((variant) =>
        definition.label.call({ ...Object.fromEntries(filled), ...variant, name: '', type, _: definition._ }))
      return [[type, labelled.sort((one, other) => other.length - one.length)[0]]]
    })
`

const words = (label: string) => label.split(/[ -]+/).filter(Boolean)

const rgb = (hex: string) =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`
