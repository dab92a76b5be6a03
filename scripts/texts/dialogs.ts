import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { errorCodes } from '../../lib/contract'
import { robotErrorCodes } from '../../lib/robot-motion'
import { configNames, dialogSource, flat, nodeNames, source } from '../../test/support/dialog-source'
import { root } from '../../test/support/root'
import { descriptions } from '../dialogs'

/** Formatted like codes. */
const notCodes: ReadonlySet<string> = new Set([
  ...[
    'JSON',
    'MQTT',
    'NCMD',
    'DCMD',
    'STATE',
    'NAME',
    'UBJSON',
    'HTTP',
    'SLAM',
    'IDLE',
    'RUNNING',
    'FATAL',
    'RTDE',
    'SLMP',
  ],
  ...['TRIGGER_JOB_SYNC', 'TRIGGER_JOB_ASYNC'],
])
const codes: ReadonlySet<string> = new Set([...Object.keys(errorCodes), ...Object.keys(robotErrorCodes)])

const namespace = '@cellsight/node-red-vision/'
const dialogs = Object.fromEntries(nodeNames.map((node) => [node, dialogSource(node)]))
const nodeRed = createRequire(__filename)('@node-red/nodes/locales/en-US/messages.json') as object
const described = descriptions(join(root, 'nodes'))
const fieldsOf = (node: string) => described.find(({ type }) => type === node)?.fields ?? {}

/** Composed keys of the runtime, which its own tests compare. */
const composed =
  /^(device-config\.(status|sidebar\.kind|picture\.found)\.|device-config\.picture\.(left|depth|confidence|noCalibration|noRobotPose)$|device-config\.form\.only-|device-config\.reason\.address-|device-config\.search\.|device-request\.(operation|field)\.)/

const headings = {
  'en-US': ['Inputs', 'Outputs', 'Settings', 'Details', 'Errors', 'References'],
  de: ['Eingangsdaten', 'Ausgangsdaten', 'Einstellungen', 'Details', 'Fehler', 'Verweise'],
}

/** Dialogs as packed, help and texts. */
export const rulesOfDialogs = {
  'a dialog registers its type once, by literals that tools can read': () => {
    const listed = JSON.parse(source('package.json')) as { 'node-red': { nodes: Record<string, string> } }
    assert.deepEqual(Object.keys(listed['node-red'].nodes).sort(), [...nodeNames].sort())
    for (const [node, { script }] of Object.entries(dialogs)) {
      const calls = registrations(script)
      assert.equal(calls.length, 1, node)
      const [type, definition] = calls[0]?.arguments ?? []
      assert.equal(literal(type), `vision-${node}`)
      assert.ok(definition && ts.isObjectLiteralExpression(definition), `${node}: no object literal`)
      const ports = configNames.includes(node) ? [] : ['inputs', 'outputs']
      for (const name of ['category', 'color', 'icon', ...ports])
        assert.ok(literal(property(definition, name)), `${node}: ${name}`)
      const defaults = property(definition, 'defaults')
      assert.ok(defaults && ts.isObjectLiteralExpression(defaults), `${node}: defaults are not inline`)
      for (const { kind } of [...definition.properties, ...defaults.properties])
        assert.notEqual(kind, ts.SyntaxKind.SpreadAssignment, node)
    }
  },

  'a node has an icon, white on transparent, 2:3, and no icon is unused': () => {
    const icons = new Set(
      Object.values(dialogs).map(({ registered }) => registered[0]?.definition.icon ?? ''),
    )
    assert.deepEqual(readdirSync(join(root, 'icons')).sort(), [...icons].sort())
    for (const icon of icons) {
      const svg = source('icons', icon)
      assert.match(svg, /<svg [^>]*width="40" height="60" viewBox="0 0 40 60"/, icon)
      for (const [colour] of svg.matchAll(/(?:fill|stroke)="[^"]*"/g))
        assert.match(colour, /"(#fff|none)"$/, icon)
      assert.ok(svg.length < 1000, icon)
    }
  },

  'help has all its parts, with the headings of Node-RED': () => {
    for (const node of nodeNames) {
      for (const [language, titles] of Object.entries(headings)) {
        const help = source('dist', 'nodes', node, 'locales', language, `${node}.html`)
        assert.deepEqual(
          [...help.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, title]) => title),
          configNames.includes(node) ? titles.slice(2) : titles,
          `${node}, ${language}`,
        )
      }
      const { help = '' } = dialogs[node] ?? {}
      assert.match(help, new RegExp(`^<script type="text/html" data-help-name="vision-${node}">\\s*<p>`))
    }
  },

  'help explains the existing error codes, and no others': () => {
    // Settings have their own section.
    for (const node of nodeNames)
      for (const [code] of source('nodes', node, 'locales', 'en-US', `${node}.html`).matchAll(
        /\b[A-Z]{4,}(_[A-Z]+)*\b/g,
      ))
        assert.ok(notCodes.has(code) || codes.has(code), `${node}: ${code}`)
    const { help = '' } = dialogs['device-config'] ?? {}
    for (const code of Object.keys(errorCodes)) assert.ok(help.includes(`<dt>${code}</dt>`), code)
  },

  'dialogs take every colour from Node-RED': () => {
    for (const file of readdirSync(join(root, 'editor'), { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.css'))
        assert.doesNotMatch(source('editor', file), /#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/i, file)
  },

  'texts of the dialogs are all in a catalog, below the name of their node': () => {
    for (const [node, { texts }] of Object.entries(dialogs)) {
      for (const key of keysOf(node)) assert.ok(hasText(node, key), `${node}: no text for ${key}`)
      for (const key of Object.keys(texts)) assert.ok(key.startsWith(`${node}.`), `${node}: ${key}`)
    }
  },

  'texts of the dialogs are all used': () => {
    const used = new Set(nodeNames.flatMap((node) => keysOf(node).map((key) => fullKey(node, key))))
    const unused = Object.entries(dialogs)
      .flatMap(([node, { texts }]) => Object.keys(texts).map((key) => `${node}:${key}`))
      .filter((key) => !used.has(key) && !composed.test(key.split(':')[1] ?? ''))
    assert.deepEqual(unused, [])
  },

  'texts in other languages are as complete as the English ones': () => {
    for (const [node, english] of Object.entries(dialogs))
      for (const language of readdirSync(join(root, 'nodes', node, 'locales'))) {
        const file = (suffix: string) =>
          source('dist', 'nodes', node, 'locales', language, `${node}.${suffix}`)
        const texts = flat(JSON.parse(file('json')) as object)
        assert.deepEqual(Object.keys(texts).sort(), Object.keys(english.texts).sort(), `${node}, ${language}`)
        for (const [key, text] of Object.entries(english.texts)) {
          assert.ok(text, key)
          for (const parts of [placeholders, tags])
            assert.deepEqual(parts(texts[key] ?? ''), parts(text), `${language}, ${key}`)
        }
        assert.deepEqual(outline(file('html')), outline(english.help), `${node}, ${language}`)
      }
  },

  'German calls a node of the flow "der Node", as Node-RED does, and one of the device "der Knoten"': () => {
    const folders = ['lib', join('dist', 'nodes')].flatMap((layer) =>
      readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' })
        .filter((path) => basename(path) === 'locales' && path !== join('contract', 'locales'))
        .map((path) => join(layer, path)),
    )
    for (const folder of folders)
      for (const file of readdirSync(join(root, folder, 'de')))
        for (const feminine of [
          /\b(die|eine|keine|jede|diese|andere|nächste|eigene|ihre)\s+(\w+\s+)?([A-Z]\w+-)?Node\b(?!-)/i,
          /\b(in|mit|von|bei|aus|zu)\s+(der|einer|keiner|jeder|dieser|ihrer)\s+(\w+\s+)?([A-Z]\w+-)?Node\b(?!-)/i,
        ]) {
          const [found] = feminine.exec(source(folder, 'de', file)) ?? []
          assert.equal(found, undefined, `${folder}, ${file}: ${String(found)}`)
        }
  },
}

function registrations(script: string) {
  const found: ts.CallExpression[] = []
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && /\.registerType$/.test(node.expression.getText())) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('dialog.js', script, ts.ScriptTarget.ESNext, true))
  return found
}

const property = (object: ts.ObjectLiteralExpression, name: string) =>
  object.properties
    .filter(ts.isPropertyAssignment)
    .find((assignment) => ts.isIdentifier(assignment.name) && assignment.name.text === name)?.initializer

function literal(node: ts.Node | undefined) {
  if (node && (ts.isStringLiteral(node) || ts.isNumericLiteral(node))) return node.text
  throw new Error(`no literal: ${node?.getText() ?? 'nothing'}`)
}

/** `__field__`, `${NAME}` */
const placeholders = (text: string) => (text.match(/__\w+__|\$\{\w+\}/g) ?? []).sort()
const tags = (text: string) => (text.match(/<\/?\w+>/g) ?? []).sort()

/** Parts in order, with names of properties and codes. */
function outline(help: string) {
  const script = /^<script [^>]*>/.exec(help)?.[0]
  const names = [...help.matchAll(/<dt[^>]*>([^<]*)/g)].map(([, name = '']) => name.trim())
  const parts = (help.match(/<(h3|dl|ol|ul|dt|dd|li)\b/g) ?? []).join(' ')
  return { script, parts, codes: names.filter((name) => /^[A-Z_]+$/.test(name)) }
}

/** All keys used by a node's dialog: form, script, own code, common parts. */
function keysOf(node: string) {
  const { html = '', texts = {} } = dialogs[node] ?? {}
  const own = join('nodes', node, 'dialog.ts')
  const script = html + (existsSync(join(root, own)) ? source(own) : '')
  const written = [...script.matchAll(/(?<=["'\]])((?:@[\w/-]+:|node-red:)?[\w-]+(?:\.[\w-]+)+)(?=["'])/g)]
    .map(([, key = '']) => key)
    .filter((key) => [...nodeNames, 'common'].some((name) => key.split(':').at(-1)?.startsWith(`${name}.`)))
    // `robot.pose` may be a property of the message.
    .filter(
      (key) => !Object.values(fieldsOf(node)).some((field) => 'default' in field && field.default === key),
    )
  // A composed key uses all keys with its beginning.
  const parts = [...script.matchAll(new RegExp(`(?<=['\`])${node}\\.\\w+\\.(?=['$])`, 'g'))].map(
    ([part]) => part,
  )
  const begun = Object.keys(texts).filter((key) => parts.some((part) => key.startsWith(part)))
  // Looked up by the name of the field.
  const ofFields = Object.keys(texts).filter(
    (key) => /\.(label|reason)\.\w+$/.test(key) && (key.split('.').at(-1) ?? '') in fieldsOf(node),
  )
  return [...written, ...begun, ...ofFields, ...sharedKeys]
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
  if (key.startsWith('node-red:')) {
    const path = key.slice('node-red:'.length).split('.')
    return (
      typeof path.reduce<unknown>((texts, part) => (texts as Record<string, unknown>)[part], nodeRed) ===
      'string'
    )
  }
  const [catalog = '', text = ''] = fullKey(node, key).split(':')
  return Boolean(dialogs[catalog]?.texts[text])
}
