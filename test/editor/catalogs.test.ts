import 'should'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { descriptions } from '../../scripts/dialogs'
import { dialogSource, flat, nodeNames, source } from '../support/dialog-source'

const root = join(__dirname, '..', '..', '..')
const namespace = '@cellsight/node-red-vision/'

const catalogs = Object.fromEntries(nodeNames.map((node) => [node, dialogSource(node).texts]))
const nodeRed = createRequire(__filename)('@node-red/nodes/locales/en-US/messages.json') as object

/** Texts whose keys a program composes: those of the runtime, which its own tests compare. */
const composed =
  /^(device-config\.(status|sidebar\.kind|picture\.found)\.|device-config\.picture\.(left|depth|confidence|noCalibration|noRobotPose)$|device-config\.form\.only-|device-request\.(operation|field)\.)/

describe('texts of the dialogs', () => {
  for (const node of nodeNames)
    it(`of ${node} are all in a catalog`, () => {
      for (const key of keysOf(node)) hasText(node, key).should.equal(true, `${node}: no text for ${key}`)
    })

  it('are all used', () => {
    const used = new Set(nodeNames.flatMap((node) => keysOf(node).map((key) => fullKey(node, key))))
    const unused = nodeNames
      .flatMap((node) => Object.keys(catalogs[node] ?? {}).map((key) => `${node}:${key}`))
      .filter((key) => !used.has(key) && !composed.test(key.split(':')[1] ?? ''))
    unused.should.deepEqual([])
  })

  it('are below the name of their node', () => {
    for (const node of nodeNames)
      for (const key of Object.keys(catalogs[node] ?? {})) key.should.startWith(`${node}.`)
  })
})

describe('texts in other languages', () => {
  for (const node of nodeNames)
    for (const language of readdirSync(join(root, 'nodes', node, 'locales')).filter(
      (name) => name !== 'en-US',
    ))
      it(`${language}, of ${node}, are as complete as the English ones`, () => {
        const english = dialogSource(node)
        const texts = textsOf(node, language)
        Object.keys(texts).sort().should.deepEqual(Object.keys(english.texts).sort())
        for (const [key, text] of Object.entries(english.texts)) {
          text.should.not.be.empty()
          placeholders(texts[key] ?? '').should.deepEqual(placeholders(text), `${key}: placeholders`)
          tags(texts[key] ?? '').should.deepEqual(tags(text), `${key}: tags`)
        }
        const help = source('dist', 'nodes', node, 'locales', language, `${node}.html`)
        outline(help).should.deepEqual(outline(english.help))
      })
})

describe('texts in German', () => {
  it('call a node of the flow "der Node", as Node-RED does, and one of the device "der Knoten"', () => {
    const folders = ['lib', join('dist', 'nodes')].flatMap((layer) =>
      readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' })
        .filter((path) => basename(path) === 'locales' && path !== join('contract', 'locales'))
        .map((path) => join(layer, path)),
    )
    for (const folder of folders)
      for (const file of readdirSync(join(root, folder, 'de')))
        for (const feminine of [
          /\b(die|eine|keine|jede|diese|andere|nächste|eigene|ihre)\s+(\w+\s+)?([A-Z]\w+-)?Node\b(?!-)/gi,
          /\b(in|mit|von|bei|aus|zu)\s+(der|einer|keiner|jeder|dieser|ihrer)\s+(\w+\s+)?([A-Z]\w+-)?Node\b(?!-)/gi,
        ])
          source(folder, 'de', file).should.not.match(feminine, `${folder}: ${file}`)
  })
})

const textsOf = (node: string, language: string) =>
  flat(JSON.parse(source('dist', 'nodes', node, 'locales', language, `${node}.json`)) as object)

/** Placeholders: `__field__`, and variables such as `${NAME}`. */
const placeholders = (text: string) => (text.match(/__\w+__|\$\{\w+\}/g) ?? []).sort()
const tags = (text: string) => (text.match(/<\/?\w+>/g) ?? []).sort()

/** The parts of a help text in order, with the names of properties and the codes of errors. */
function outline(help: string) {
  const script = /^<script [^>]*>/.exec(help)?.[0]
  const names = [...help.matchAll(/<dt[^>]*>([^<]*)/g)].map(([, name = '']) => name.trim())
  const parts = (help.match(/<(h3|dl|ol|ul|dt|dd|li)\b/g) ?? []).join(' ')
  return { script, parts, codes: names.filter((name) => /^[A-Z_]+$/.test(name)) }
}

/**
 * Every key that the dialog of a node uses: in its form, in its script, in its own code, and in what all nodes share.
 */
function keysOf(node: string) {
  const { html, texts } = dialogSource(node)
  const own = join('nodes', node, 'dialog.ts')
  const script = html + (existsSync(join(root, own)) ? source(own) : '')
  const written = [...script.matchAll(/(?<=["'\]])((?:@[\w/-]+:|node-red:)?[\w-]+(?:\.[\w-]+)+)(?=["'])/g)]
    .map(([, key = '']) => key)
    .filter((key) => [...nodeNames, 'common'].some((name) => key.split(':').at(-1)?.startsWith(`${name}.`)))
    .filter((key) => !isDefault(node, key))
  // For a composed key, all keys with the same beginning count as used.
  const parts = [...script.matchAll(new RegExp(`(?<=['\`])${node}\\.\\w+\\.(?=['$])`, 'g'))].map(
    ([part]) => part,
  )
  const composed = Object.keys(texts).filter((key) => parts.some((part) => key.startsWith(part)))
  const fields = Object.keys(texts).filter(
    (key) => /\.(label|reason)\.\w+$/.test(key) && isOfField(node, key),
  )
  return [...written, ...composed, ...fields, ...sharedKeys]
}

/** Labels and reasons are looked up by the name of their field. */
function isOfField(node: string, key: string) {
  const field = key.split('.').at(-1) ?? ''
  return field in (descriptions(join(root, 'nodes')).find(({ type }) => type === node)?.fields ?? {})
}

/** A property of the message, such as `robot.pose`, may begin as the name of a node does. */
function isDefault(node: string, key: string) {
  const { fields = {} } = descriptions(join(root, 'nodes')).find(({ type }) => type === node) ?? {}
  return Object.values(fields).some((field) => 'default' in field && field.default === key)
}

const sharedKeys = readdirSync(join(root, 'editor'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => [
    ...source('editor', file).matchAll(
      /'((reason|spoken|problem|test|pick|picture|present|form|try|record|unit|sidebar)\.\w+)'/g,
    ),
  ])
  .map(([, key = '']) => `${namespace}device-config:device-config.${key}`)

const fullKey = (node: string, key: string) =>
  key.startsWith(namespace) ? key.slice(namespace.length) : `${node}:${key}`

function hasText(node: string, key: string) {
  if (key.startsWith('node-red:'))
    return (
      typeof key
        .slice('node-red:'.length)
        .split('.')
        .reduce<unknown>((texts, part) => (texts as Record<string, unknown>)[part], nodeRed) === 'string'
    )
  const [catalog = '', text = ''] = fullKey(node, key).split(':')
  return Boolean(catalogs[catalog]?.[text])
}
