import { type Field, type NodeDescription, paletteGroups } from '../../nodes/shared/fields/description'
import { defaultsOf } from '../../nodes/shared/fields/checked-fields'
import { formRows } from './rows'

const script = 'resources/@cellsight/node-red-vision/editor.js'

/** With inline literals that Node-RED's tools read as text. */
export const dialogPage = (node: NodeDescription): string => `<script src="${script}"></script>

<script type="text/html" data-template-name="vision-${node.type}">
${formRows(node)}
</script>

<script type="text/javascript">
  RED.nodes.registerType('vision-${node.type}', {
    category: ${node.group === 'config' ? `'config'` : `'3D vision'`},
    color: '${paletteGroups[node.group === 'config' ? 'acquire' : node.group]}',
    icon: '${node.icon}',${ports(node)}
    defaults: {
${defaultLines(node).join('\n')}
    },${credentials(node)}
    paletteLabel: function () {
      return this._('${node.type}.paletteLabel')
    },
    label: function () {
      return visionDialogs.label(this, ${literal(node.label ?? [])})
    },
    labelStyle: function () {
      return this.name ? 'node_label_italic' : ''
    },${portLabels(node)}${added(node)}
    oneditprepare: function () {
      visionDialogs.prepare(this)
    },
    oneditsave: function () {
      visionDialogs.save(this)
    },
  })
</script>
`

/** For a script element. */
const literal = (value: unknown) => JSON.stringify(value).replace(/</g, '\\u003c')

function ports(node: NodeDescription): string {
  if (node.group === 'config') return ''
  const outputs = node.secondOutputWhen ? 1 : node.outputs.length
  return `\n    inputs: ${String(node.inputs)},\n    outputs: ${String(outputs)},`
}

function added({ takesOnly, fields }: NodeDescription): string {
  const field = takesOnly === undefined ? undefined : fields[takesOnly]
  if (field?.kind !== 'config') return ''
  return `
    onadd: function () {
      visionDialogs.takeOnly(this, '${takesOnly}', '${field.of}')
    },`
}

function portLabels(node: NodeDescription): string {
  if (node.group === 'config') return ''
  const input = `
    inputLabels: function () {
      return this._('${node.type}.port.input')
    },`
  return `${node.inputs ? input : ''}
    outputLabels: function (index) {
      return this._('${node.type}.port.' + ${literal(node.outputs)}[index])
    },`
}

function defaultLines(node: NodeDescription): string[] {
  return Object.entries(defaultsOf(node)).map(([name, value]) => {
    const field = node.fields[name]
    const parts = [`value: ${literal(value)}`]
    if (field?.kind === 'config') {
      const key = `@cellsight/node-red-vision/${node.type}:${node.type}.label.${name}`
      parts.push(
        `type: '${field.of}'`,
        `required: ${String(field.required ?? false)}`,
        `label: RED._('${key}')`,
      )
    }
    if (field && isChecked(field)) parts.push(`validate: ${check(name, field)}`)
    if (field?.kind === 'text' && field.isAddress) parts.push('required: true')
    return `      ${name}: { ${parts.join(', ')} },`
  })
}

function credentials(node: NodeDescription): string {
  const lines = Object.entries(node.fields).flatMap(([name, field]) => {
    if (field.kind !== 'credential') return []
    const validate = isChecked(field) ? `, validate: ${check(name, field)}` : ''
    return [`      ${name}: { type: '${field.secret ? 'password' : 'text'}'${validate} },`]
  })
  return lines.length ? `\n    credentials: {\n${lines.join('\n')}\n    },` : ''
}

function isChecked(field: Field): boolean {
  if (field.kind === 'text') return Boolean(field.neededWhen ?? field.pattern ?? field.isAddress)
  if (field.kind === 'switch' || field.kind === 'credential') return Boolean(field.neededWhen)
  return ['number', 'typed', 'property', 'json'].includes(field.kind)
}

/** Properties that checks need. */
const forChecks: ReadonlySet<string> = new Set([
  ...['kind', 'when', 'optional', 'neededWhen', 'least', 'most', 'zero', 'whole'],
  ...['pattern', 'isAddress', 'isList', 'form', 'patternWhen'],
])

function check(name: string, field: Field): string {
  const known = Object.fromEntries(Object.entries(field).filter(([key]) => forChecks.has(key)))
  return `visionDialogs.check('${name}', ${literal(known)})`
}
