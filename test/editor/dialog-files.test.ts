import 'should'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { errorCodes } from '../../lib/contract'
import { robotErrorCodes } from '../../lib/robot-motion'
import { configNames, dialogSource, nodeNames, source } from '../support/dialog-source'

const root = join(__dirname, '..', '..', '..')
/** Words in the help texts that are formatted like codes. */
const notCodes: ReadonlySet<string> = new Set([
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
  'TRIGGER_JOB_SYNC',
  'TRIGGER_JOB_ASYNC',
])

const codes: ReadonlySet<string> = new Set([...Object.keys(errorCodes), ...Object.keys(robotErrorCodes)])

describe('dialog files', () => {
  it('exist for every node that the package lists', () => {
    const listed = JSON.parse(source('package.json')) as { 'node-red': { nodes: Record<string, string> } }
    Object.keys(listed['node-red'].nodes)
      .sort()
      .should.deepEqual([...nodeNames].sort())
  })

  for (const node of nodeNames) {
    describe(node, () => {
      const { script, registered, help } = dialogSource(node)

      it('register their type once, by literals that tools can read', () => {
        const calls = registrations(script)
        calls.length.should.equal(1)
        const [type, definition] = calls[0]?.arguments ?? []
        literal(type).should.equal(`vision-${node}`)
        if (!definition || !ts.isObjectLiteralExpression(definition)) throw new Error('no object literal')
        const config = registered[0]?.definition.category === 'config'
        for (const name of ['category', 'color', 'icon', ...(config ? [] : ['inputs', 'outputs'])])
          literal(property(definition, name)).should.be.ok()
        const defaults = property(definition, 'defaults')
        if (!defaults || !ts.isObjectLiteralExpression(defaults)) throw new Error('defaults are not inline')
        for (const { kind } of [...definition.properties, ...defaults.properties])
          kind.should.not.equal(ts.SyntaxKind.SpreadAssignment)
      })

      it('have an icon, white on transparent, 2:3', () => {
        const svg = source('icons', registered[0]?.definition.icon ?? '')
        svg.should.match(/<svg [^>]*width="40" height="60" viewBox="0 0 40 60"/)
        svg.match(/(?:fill|stroke)="[^"]*"/g)?.forEach((colour) => colour.should.match(/"(#fff|none)"$/))
        svg.length.should.be.below(1000)
      })

      it('have help with all its parts', () => {
        const sections = [...help.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, title]) => title)
        const common = ['Settings', 'Details', 'Errors', 'References']
        sections.should.deepEqual(configNames.includes(node) ? common : ['Inputs', 'Outputs', ...common])
        help.should.match(new RegExp(`^<script type="text/html" data-help-name="vision-${node}">\\s*<p>`))
      })

      it("have Node-RED's headings of help in German", () => {
        const german = [
          ...source('dist', 'nodes', node, 'locales', 'de', `${node}.html`).matchAll(/<h3>(.*?)<\/h3>/g),
        ]
        const common = ['Einstellungen', 'Details', 'Fehler', 'Verweise']
        german
          .map(([, title]) => title)
          .should.deepEqual(
            configNames.includes(node) ? common : ['Eingangsdaten', 'Ausgangsdaten', ...common],
          )
      })

      it('explain only existing error codes', () => {
        // Settings are explained in their own section, not there.
        const written = source('nodes', node, 'locales', 'en-US', `${node}.html`)
        for (const [code] of written.matchAll(/\b[A-Z]{4,}(_[A-Z]+)*\b/g))
          if (!notCodes.has(code)) codes.has(code).should.equal(true, code)
      })
    })
  }

  it('explain every error code in the help of the device', () => {
    const { help } = dialogSource('device-config')
    for (const code of Object.keys(errorCodes)) help.should.containEql(`<dt>${code}</dt>`)
  })

  it('leave no icon unused', () => {
    const used = new Set(nodeNames.map((node) => dialogSource(node).registered[0]?.definition.icon))
    readdirSync(join(root, 'icons'))
      .sort()
      .should.deepEqual([...used].sort())
  })

  it('take every colour of the dialogs from Node-RED', () => {
    const styles = readdirSync(join(root, 'editor'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.css'),
    )
    for (const style of styles)
      source('editor', style).should.not.match(/#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/i)
  })
})

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
