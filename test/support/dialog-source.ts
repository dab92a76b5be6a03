import { readFileSync, readdirSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { descriptions } from '../../scripts/dialogs'
import { root } from './root'

/** Folders below `nodes` with a description. */
export const nodeNames: readonly string[] = readdirSync(join(root, 'nodes')).filter((name) =>
  existsSync(join(root, 'nodes', name, 'fields.ts')),
)

const described = descriptions(join(root, 'nodes'))
const nodeOf = (name: string) => {
  const node = described.find(({ type }) => type === name)
  if (!node) throw new Error(`no description of ${name}`)
  return node
}

/** Config nodes and nodes of the palette. */
export const configNames: readonly string[] = nodeNames.filter((name) => nodeOf(name).group === 'config')
export const paletteNames: readonly string[] = nodeNames.filter((name) => !configNames.includes(name))

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
  /** Inline. */
  script: string
  /** Passed to `registerType`. */
  registered: { type: string; definition: Definition }[]
  /** Of the form. */
  template: string
  help: string
  /** By full key. */
  texts: Record<string, string>
}

/** As packed, with its script run without a browser. */
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

/** By full key. */
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
