import type { NodeInfo, Parameter, Service } from '../../lib/contract'
import { parameterUnit } from '../../lib/contract/reading/values'
import { deviceApi } from '../device-api'
import { fixedKinds, isNumeric, kindName, parameterShape } from '../forms/context'
import { jsonIn, leafReason } from '../forms/leaf'
import { nodeParameters, type NodeParameters } from '../parameter-value'
import { ineffectiveText, limitsText, valueText } from '../texts'
import { numberIn } from '../quantity'
import { inBackground, sharedText } from '../dialog'
import type { NewNode } from './flow'
import type { LineEditor, LineRemark, LineTone, TreeBranch, TreeEntry } from './row'

type CheckedValue = { value: unknown } | { reason: string }

/** Against type, limits and choices, before anything is sent. */
function checkedValue(record: Parameter, typed: string): CheckedValue {
  const leaf = parameterShape(record)
  const { type, unit = '' } = leaf
  const text = isNumeric(type) ? typed.trim() : typed
  const [kind = 'str'] = fixedKinds(leaf, '')
  const reason = leafReason(leaf, kindName(kind), text)
  if (reason !== undefined) return { reason }
  if (type === 'bool') return { value: text === 'true' }
  if (type === 'string') return { value: text }
  return isNumeric(type) ? numberIn(text, unit) : { value: jsonIn(text) ?? text }
}

/** Shows the value that the device accepted. @param ineffective why it has no effect; empty if it has */
const editParameter =
  ({ device, pipeline, node }: DeviceNode, record: Parameter, ineffective: string): LineEditor =>
  (place, done) => {
    const { name: param } = record
    const unit = parameterUnit(record)
    const control = controlOf(record).attr('aria-label', `${param}${unit && `, ${unit}`}`)
    const save = button('check', sharedText('sidebar.save'))
    const cancel = button('times', sharedText('sidebar.cancel'))
    const about = $('<div class="vision-edit-about">').text(aboutOf(record))
    const reason = $('<div class="vision-edit-reason" role="alert">')
    const form = $('<form class="vision-edit">').append(control, unit && $('<span>').text(unit), save, cancel)
    const hint = $('<div class="vision-edit-about" role="status">')
    const remark = $('<div class="vision-edit-about vision-edit-remark">').text(ineffective)
    place.append(form, hint, about, remark, reason)
    control.on('input', () => {
      const found = isNumeric(record.type) && numberIn(String(control.val()), unit)
      hint.text((found && 'value' in found && found.understood) || '')
      reason.text('')
      control.attr('aria-invalid', null)
    })
    control.trigger('focus').trigger('select')
    seen()

    cancel.on('click', () => done())
    place.find('form').on('keydown', (event) => {
      if (event.key === 'Escape') done()
      else return
      event.stopPropagation()
    })
    form.on('submit', (event) => {
      event.preventDefault()
      inBackground(send())
    })

    async function send() {
      const checked = checkedValue(record, String(control.val()))
      if ('reason' in checked) {
        refuse(checked.reason)
        return
      }
      form.find(':input').prop('disabled', true)
      try {
        const { value } = checked
        const accepted = await deviceApi(device).call('setParameter', { pipeline, node, param, value })
        done(remarkOf(accepted, value))
      } catch (problem) {
        form.find(':input').prop('disabled', false)
        refuse(problem instanceof Error ? problem.message : String(problem))
      }
    }

    function refuse(text: string) {
      reason.text(text)
      control.attr('aria-invalid', 'true').trigger('focus')
      seen()
    }

    function seen() {
      place[0]?.scrollIntoView({ block: 'nearest' })
    }
  }

function controlOf(record: Parameter): JQuery {
  const choices = record.type === 'bool' ? ['true', 'false'] : parameterShape(record).choices
  const now = typeof record.value === 'string' ? record.value : JSON.stringify(record.value)
  if (!choices) return $('<input type="text" autocomplete="off" spellcheck="false">').val(now)
  const options = choices.includes(now) ? choices : [now, ...choices]
  return $('<select>')
    .append(options.map((choice) => $('<option>').val(choice).text(choice)))
    .val(now)
}

const button = (icon: string, name: string) =>
  $(`<button type="${icon === 'check' ? 'submit' : 'button'}" class="red-ui-button red-ui-button-small">`)
    .attr({ 'aria-label': name, title: name })
    .append($('<i aria-hidden="true">').addClass(`fa fa-${icon}`))

/** `1 to 25 Hz; default 25 Hz` */
const aboutOf = (record: Parameter) =>
  [
    limitsText(record),
    sharedText('present.byDefault', { value: valueText(record.default, parameterUnit(record)) }),
  ]
    .filter(Boolean)
    .join('; ')

function remarkOf(record: Parameter, requested: unknown): LineRemark {
  const value = valueText(record.value, parameterUnit(record))
  return isSame(record.value, requested)
    ? { text: sharedText('sidebar.kept', { value }), tone: 'good' }
    : { text: sharedText('sidebar.keptOther', { value }), tone: 'soon' }
}

/** Devices store fewer digits. */
const isSame = (accepted: unknown, requested: unknown) =>
  typeof accepted === 'number' && typeof requested === 'number'
    ? Math.abs(accepted - requested) <= 1e-6 * Math.abs(requested)
    : JSON.stringify(accepted) === JSON.stringify(requested)

interface DeviceNode {
  device: string
  /** Empty for a global node. */
  pipeline: string
  node: string
}

/** Global nodes can be addressed from any pipeline. */
const flowFields = ({ device, pipeline, node }: DeviceNode) => ({
  device,
  pipeline: pipeline || '0',
  pipelineType: 'str',
  node,
  nodeType: 'str',
})

const parameterSeconds = 1

/** @param names @default all */
export const parameters = (place: DeviceNode, names?: readonly string[]): TreeBranch => ({
  every: parameterSeconds,
  load: async () => {
    const around = await nodeParameters(deviceApi(place.device), place, { fresh: true })
    return around.records
      .filter(({ name }) => !names || names.includes(name))
      .map((record) => entry(place, record, around))
  },
})

function entry(place: DeviceNode, record: Parameter, around: NodeParameters): TreeEntry {
  const { name, description, value } = record
  const unit = parameterUnit(record)
  const remark = ineffectiveText(around, record)
  return {
    key: name,
    label: name,
    ...(remark && { about: sharedText('sidebar.noEffect') }),
    value: valueText(value, unit),
    icon: 'pencil',
    description: [
      description,
      remark,
      limitsText(record),
      sharedText('present.byDefault', { value: valueText(record.default, unit) }),
    ]
      .filter(Boolean)
      .join('\n'),
    nodes: flowNodes(place, record),
    edit: editParameter(place, record, remark),
  }
}

/** A node for writing starts with the present value. */
function flowNodes(place: DeviceNode, { name, value }: Parameter): NewNode[] {
  const fields = { ...flowFields(place), which: 'one', parameter: name, parameterType: 'str' }
  const [kind, text] =
    typeof value === 'string' ? ['str', value] : [kinds[typeof value] ?? 'json', JSON.stringify(value)]
  return [
    { type: 'vision-get-parameter', fields },
    { type: 'vision-set-parameter', fields: { ...fields, value: text, valueType: kind } },
  ]
}

const kinds: Partial<Record<string, string>> = { number: 'num', boolean: 'bool' }

const services = (place: DeviceNode): TreeBranch => ({
  load: async () =>
    (await listed(place)).map(({ name, args, description = '' }) => ({
      key: name,
      label: name,
      about: Object.keys(args ?? {}).join(', '),
      description,
      icon: 'cog',
      nodes: [
        {
          type: 'vision-call-service',
          fields: { ...flowFields(place), service: name, serviceType: 'str' },
        },
      ],
    })),
})

function listed({ device, pipeline, node }: DeviceNode): Promise<Service[]> {
  const api = deviceApi(device)
  return pipeline
    ? api.read('listServices', { pipeline, node }, { fresh: true })
    : api.read('listGlobalServices', { node }, { fresh: true })
}

const statusSeconds = 1

const statusValues = (place: DeviceNode): TreeBranch => ({
  every: statusSeconds,
  load: async () => {
    const { device, pipeline, node } = place
    const api = deviceApi(device)
    const { values } = pipeline
      ? await api.read('getNodeStatus', { pipeline, node }, { fresh: true })
      : await api.read('getGlobalNodeStatus', { node }, { fresh: true })
    return Object.entries(values).map(([name, value]) => ({
      key: name,
      label: name,
      value,
      icon: 'tachometer',
      nodes: [
        {
          type: 'vision-get-status',
          fields: { ...flowFields(place), what: 'node', which: 'one', value: name, valueType: 'str' },
        },
      ],
    }))
  },
})

const nodeSeconds = 3

export const pipelineNodes = (device: string, pipeline: string): TreeBranch => ({
  every: nodeSeconds,
  load: async () =>
    (await deviceApi(device).read('listNodes', { pipeline }, { fresh: true })).map((info) =>
      nodeEntry({ device, pipeline, node: info.name }, info),
    ),
})

export const globalNodes = (device: string): TreeBranch => ({
  every: nodeSeconds,
  load: async () =>
    (await deviceApi(device).read('listGlobalNodes', {}, { fresh: true })).map((info) =>
      nodeEntry({ device, pipeline: '', node: info.name }, info),
    ),
})

export function nodeEntry(place: DeviceNode, info: NodeInfo): TreeEntry {
  return {
    key: info.name,
    label: info.name,
    value: info.status,
    icon: 'cube',
    tone: tones[info.status] ?? 'bad',
    branch: { load: () => Promise.resolve(parts(place, info)) },
  }
}

const tones: Partial<Record<string, LineTone>> = {
  running: 'good',
  idle: 'quiet',
  unknown: 'soon',
  stale: 'soon',
}

function parts(place: DeviceNode, info: NodeInfo): TreeEntry[] {
  const found: TreeEntry[] = []
  const part = (key: string, label: string, count: number | undefined, icon: string, branch: TreeBranch) =>
    found.push({ key, label, icon, branch, ...(count !== undefined && { about: String(count) }) })
  if (info.parameters.length)
    part('parameters', sharedText('sidebar.parameters'), info.parameters.length, 'sliders', parameters(place))
  part('values', sharedText('sidebar.values'), undefined, 'tachometer', statusValues(place))
  if (info.services.length)
    part('services', sharedText('sidebar.services'), info.services.length, 'cog', services(place))
  return found
}
