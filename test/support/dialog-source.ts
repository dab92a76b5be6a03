import { readFileSync, readdirSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { descriptions } from '../../scripts/dialogs'
import { root } from './root'

/** The names of all nodes: the folders below `nodes` with a description. */
export const nodeNames: readonly string[] = readdirSync(join(root, 'nodes')).filter((name) =>
  existsSync(join(root, 'nodes', name, 'fields.ts')),
)

const described = descriptions(join(root, 'nodes'))
const nodeOf = (name: string) => {
  const node = described.find(({ type }) => type === name)
  if (!node) throw new Error(`no description of ${name}`)
  return node
}

/** The nodes of the palette, and those that other nodes point to. */
export const configNames: readonly string[] = nodeNames.filter((name) => nodeOf(name).group === 'config')
export const paletteNames: readonly string[] = nodeNames.filter((name) => !configNames.includes(name))

/** A file of the project as text. */
export const source = (...path: string[]) => readFileSync(join(root, ...path), 'utf8')

interface Definition {
  category: string
  color: string
  icon: string
  inputs?: number
  outputs?: number
  defaults: Record<
    string,
    { value: unknown; validate?: (value: unknown, options?: object) => boolean | string }
  >
  credentials?: Record<string, { type: string }>
}

interface DialogSource {
  html: string
  /** The content of the one inline script. */
  script: string
  /** What the script passes to `registerType`. */
  registered: { type: string; definition: Definition }[]
  /** The content of the form's template. */
  template: string
  help: string
  /** The texts of its catalog by their full keys. */
  texts: Record<string, string>
}

/** The dialog of a node as packed, with its script run without a browser. */
export function dialogSource(node: string): DialogSource {
  const html = source('dist', 'nodes', node, `${node}.html`)
  const script = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ''
  const template =
    /<script type="text\/html" data-template-name="[^"]+">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ''
  const locale = (suffix: string) => source('dist', 'nodes', node, 'locales', 'en-US', `${node}.${suffix}`)
  return {
    html,
    script,
    template,
    registered: register(script),
    help: locale('html'),
    texts: flat(JSON.parse(locale('json')) as object),
  }
}

function register(script: string) {
  const registered: DialogSource['registered'] = []
  runInNewContext(script, {
    RED: {
      _: (key: string) => key,
      nodes: {
        registerType: (type: string, definition: Definition) => registered.push({ type, definition }),
      },
    },
    visionDialogs: { check: () => () => true },
  })
  return registered
}

/** Nested texts by their full keys. */
export function flat(texts: object, prefix = ''): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(texts).map(([key, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null
        ? flat(value, `${prefix}${key}.`)
        : { [prefix + key]: String(value) },
    ),
  ) as Record<string, string>
}
