import type { Parameter } from '../lib/contract'
import { type Leaf, referenceKinds } from '../lib/contract/reading/form/form-shape'
import { decidingNodes, type ParametersByNode } from '../lib/contract/reading/ineffective'
import { type DeviceApi, dialogDevice, fixedText } from './device-api'
import { inBackground, type Dialog, isOpen, sharedText } from './dialog'
import {
  anyValue,
  fixedKinds,
  type InputKind,
  kindName,
  kindOf,
  numberKind,
  parameterAbout,
  parameterShape,
  textOf,
} from './forms/context'
import { follower, learn } from './forms/fitting'
import { emptyGroup, formField, formKind } from './forms/form'
import { ineffectiveText } from './texts'
import { namesIn } from './picks/combobox'
import { offers } from './picks/offers'
import { understood, understoodLine } from './quantity'

/**
 * Adapts `<div data-form="value" data-parameters>` to the parameter: switch, choice or number; for several parameters a
 * table, for several nodes a reference or JSON.
 */
export function parameterValue(dialog: Dialog) {
  const { node, form, input, value, label } = dialog
  const place = form.find('[data-parameters]')
  const field = place.attr('data-form')
  if (!field) return
  const element = input(field)
  const table = formField(dialog, field, firstOf)
  const free = follower(element, !fixedText(dialog, 'parameter'))
  let unit = ''
  const isSeveral = () => value('which') === 'several'
  const isOne = () => value('which') === 'one'
  let records: readonly Parameter[] = []
  let around: NodeParameters | undefined
  /** Field values of the last answer. */
  let readAt = ''
  let shownFor = ''
  let turn = 0

  async function update() {
    const mine = ++turn
    const place = JSON.stringify(['device', 'pipeline', 'node'].map((name) => value(name)))
    const found = await parametersOf(dialog).catch(() => 'unread' as const)
    if (mine !== turn || !isOpen(dialog)) return
    // Kept until it is read again.
    around = found !== 'unread' ? found : place === readAt ? around : undefined
    if (found !== 'unread') readAt = place
    records = around?.records ?? []
    const parameter = fixedText(dialog, 'parameter')
    const record = records.find(({ name }) => name === parameter)
    const what = JSON.stringify([value('which'), isSeveral() ? around : record])
    if (what === shownFor) return
    shownFor = what
    if (isSeveral()) several()
    else if (isOne()) one(record)
    else byNode()
    RED.tray.resize()
  }

  understood(element.next('.red-ui-typedInput-container').find('.red-ui-typedInput-input'), {
    line: understoodLine().appendTo(element.closest('.form-row')),
    unit: () => (kindOf(element) === 'num' ? unit : undefined),
    put: (text) => element.typedInput('value', text),
  })

  /** Several nodes do not fit into a table. */
  function byNode() {
    learn(node, field ?? '', undefined)
    // JSON is shown as a form until there turns out to be none.
    const [isForm, text] = [kindOf(element) === 'form', textOf(element)]
    setKinds(['msg', ...referenceKinds.slice(1), 'json'])
    if (isForm) {
      element.typedInput('type', 'json')
      element.typedInput('value', text)
    }
    form.trigger('change')
  }

  function several() {
    setKinds([formKind(), ...referenceKinds, 'json'])
    table.draw({
      shape: emptyGroup,
      names: {
        shapeOf: (name) => {
          const record = recordOf(name)
          if (record) return withRemark(parameterShape(record), record)
          const isMissing = records.length > 0 && name !== ''
          return isMissing ? { ...anyValue, about: sharedText('pick.missing', { names: name }) } : undefined
        },
        presentOf: (name) => recordOf(name)?.value,
        load: (fresh) => parameterOffers(dialog, fresh),
      },
      json: false,
      empty: '',
      texts: { add: sharedText('form.addParameter') },
    })
  }

  function withRemark(shape: Leaf, record: Parameter): Leaf {
    const remark = around && ineffectiveText(around, record)
    return remark ? { ...shape, about: `${shape.about ?? ''}. ${remark}` } : shape
  }

  function firstOf(kind: string): string | undefined {
    const record = !isOne() ? undefined : recordOf(fixedText(dialog, 'parameter') ?? '')
    const [fixed = ''] = record ? fixedKinds(parameterShape(record), '') : []
    return record && kindName(fixed) === kind ? textOfValue(record.value) : undefined
  }

  const recordOf = (parameter: string) => records.find(({ name }) => name === parameter)

  function one(record: Parameter | undefined) {
    const leaf = record && parameterShape(record)
    unit = leaf?.unit ?? ''
    learn(node, field ?? '', leaf && { leaf })
    const fixed = leaf ? fixedKinds(leaf, label(field ?? '')) : [numberKind(), 'bool', 'str', 'json']
    const isFree = free.isUntouched()
    if (isFree) free.reset()
    setKinds(['msg', ...fixed, ...referenceKinds.slice(1)])
    if (isFree) free.follow(record)
    form.trigger('change')
  }

  /** The current kind stays available, even if it does not fit. */
  function setKinds(kinds: InputKind[]) {
    const now = kindOf(element)
    const isLost = !kinds.map(kindName).includes(now) && now !== 'form' && isOne()
    element.typedInput('types', (isLost ? [...kinds, now] : kinds) as never)
  }

  const others = ['device', 'pipeline', 'node', 'parameter'].map((name) => input(name)[0]).filter(Boolean)
  $(others as HTMLElement[]).on('change', () => inBackground(update()))
  input('which').on('change', () => {
    if (free.isUntouched()) free.reset()
    const isUntouched = kindOf(element) === 'msg' && textOf(element) === 'payload'
    inBackground(
      update().then(() => {
        if (isOpen(dialog) && isSeveral() && isUntouched) element.typedInput('type', 'form')
      }),
    )
  })
  form.on('vision-refresh', () => inBackground(update()))
  inBackground(update())
}

const textOfValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

async function parametersOf(dialog: Dialog): Promise<NodeParameters | undefined> {
  const api = dialogDevice(dialog)
  const [pipeline, node] = ['pipeline', 'node'].map((name) => fixedText(dialog, name))
  return api && pipeline && node ? nodeParameters(api, { pipeline, node }) : undefined
}

async function parameterOffers(dialog: Dialog, fresh: boolean) {
  const api = dialogDevice(dialog)
  if (!api) throw new Error(sharedText('pick.deviceFirst'))
  const [pipeline = '0', node] = ['pipeline', 'node'].map((name) => fixedText(dialog, name))
  if (!node) throw new Error(sharedText('pick.nodeFirst'))
  if (fresh) api.forget()
  return offers(api, 'parameter', { pipeline, node })
}

/** With those of the nodes that decide on their effect. */
export interface NodeParameters {
  node: string
  records: readonly Parameter[]
  byNode: ParametersByNode
}

/** Rejects if the node itself cannot be read. */
export async function nodeParameters(
  api: DeviceApi,
  { pipeline, node }: { pipeline: string; node: string },
  options?: { fresh?: boolean },
): Promise<NodeParameters> {
  const read = (of: string) => api.read('getParameters', { pipeline, node: of }, options)
  const [records, ...others] = await Promise.all([
    read(node),
    ...decidingNodes(node).map(async (other) => [other, await read(other).catch(() => [])] as const),
  ])
  return { node, records, byNode: { ...Object.fromEntries(others), [node]: records } }
}

/** In `<div data-present="parameter">`. */
export function presentValue(dialog: Dialog) {
  const { form } = dialog
  const shown = form.find('[data-present]')
  const field = shown.attr('data-present')
  if (!field) return
  let turn = 0

  const update = async (fresh: boolean) => {
    const mine = ++turn
    // Another listener of the same change may hide the field.
    await Promise.resolve()
    const lines = await present(dialog, field, fresh).catch(() => [])
    if (mine !== turn) return
    shown
      .empty()
      .append(lines.map(({ text, isRemark }) => $('<div>').toggleClass('vision-remark', isRemark).text(text)))
    RED.tray.resize()
  }

  form.on('change vision-refresh', () => inBackground(update(false)))
  inBackground(update(true))
}

interface ValueLine {
  text: string
  isRemark: boolean
}

async function present(dialog: Dialog, field: string, fresh: boolean): Promise<ValueLine[]> {
  const api = dialogDevice(dialog)
  const [pipeline, node, names] = ['pipeline', 'node', field].map((name) => fixedText(dialog, name))
  if (!api || !pipeline || !node || !names || dialog.input(field).closest('[hidden]').length) return []
  const parameters = await nodeParameters(api, { pipeline, node }, { fresh })
  const named = namesIn(names)
  const writes = dialog.form.find('[data-parameters]').length > 0
  return parameters.records
    .filter(({ name }) => named.includes(name))
    .flatMap((record) => {
      const about = parameterAbout(record)
      const remark = writes ? ineffectiveText(parameters, record) : ''
      return [
        { text: named.length > 1 ? `${record.name}: ${about}` : about, isRemark: false },
        ...(remark ? [{ text: remark, isRemark: true }] : []),
      ]
    })
}
