/** Pick-lists of what the device offers: nodes, parameters, services, files. In: admin routes. Out: the text of a field. */
import { inBackground, shownControl, type Dialog, sharedText } from '../dialog'
import { dialogDevice, fixedText, DeviceProblem } from '../device-api'
import { holds } from '../../lib/contract/reading/values'
import { combobox, namesIn } from './combobox'
import {
  offers,
  suggestions,
  type PickKind,
  type OfferQuery,
  pickButton,
  pickName,
  pickTexts,
  presence,
} from './offers'

/**
 * For every `<input data-pick="node">` with a fixed text; shows names that the device lacks below it.
 * `data-pick-several="which=several"`: several names under this rule.
 */
export function picks(dialog: Dialog) {
  for (const field of dialog.fields) {
    const kind = dialog.input(field).attr('data-pick') as PickKind | undefined
    if (kind) pick(dialog, field, kind)
  }
}

function pick(dialog: Dialog, field: string, kind: PickKind) {
  const { form, input, value, label } = dialog
  const element = input(field)
  const shown = shownControl(element)
  const row = element.closest('.form-row')
  const button = pickButton(label(field)).insertAfter(
    element.hasClass('red-ui-typedInput') ? element.next() : element,
  )
  const mark = $('<div class="vision-hint vision-pick-mark" role="status">').appendTo(row)
  const rule = element.attr('data-pick-several')
  const isSeveral = () => rule !== undefined && holds(rule, value)
  const isActive = () => !element.hasClass('red-ui-typedInput') || element.typedInput('type') === 'str'

  const [visible] = shown.get() as HTMLInputElement[]
  const [opener] = button.get()
  if (!visible || !opener) return
  combobox({
    field: visible,
    button: opener,
    label: pickName(label(field)),
    texts: pickTexts(),
    load: async (fresh) => {
      const api = dialogDevice(dialog)
      if (!api) throw new DeviceProblem({ code: 'INVALID_INPUT', message: sharedText('pick.deviceFirst') })
      const place = placeOf(dialog)
      if (needsNode.has(kind) && !place.node)
        throw new DeviceProblem({ code: 'INVALID_INPUT', message: sharedText('pick.nodeFirst') })
      if (fresh) api.forget()
      const offered = await offers(api, kind, place)
      if (fresh) form.trigger('vision-refresh')
      return offered
    },
    isSeveral,
    isActive,
  })

  let turn = 0
  async function update() {
    const mine = ++turn
    // Other listeners of the same change may hide the field.
    await Promise.resolve()
    button.toggle(isActive())
    const text = await markText()
    if (mine !== turn) return
    mark.text(text)
    RED.tray.resize()
  }

  async function markText(): Promise<string> {
    const text = fixedText(dialog, field)
    const api = dialogDevice(dialog)
    const place = placeOf(dialog)
    if (suggestions.has(kind) || !text || !api || row.is('[hidden]') || !isKnown(dialog, kind)) return ''
    const names = isSeveral() ? namesIn(text) : [text]
    const found = await Promise.all(
      names.map(async (name) => ({ name, ...(await presence(api, kind, place, name)) })),
    )
    const missing = found.filter(({ is }) => is === 'missing').map(({ name }) => name)
    if (missing.length) return sharedText('pick.missing', { names: missing.join(', ') })
    const [first] = found
    return first?.is === 'renamed' ? sharedText('pick.renamed', { name: first.name }) : ''
  }

  form.on('change vision-refresh', () => inBackground(update()))
  inBackground(update())
}

const needsNode: ReadonlySet<PickKind> = new Set(['parameter', 'service', 'template'])
const inPipelines: ReadonlySet<PickKind> = new Set(['node', 'parameter', 'service', 'template'])

/** Pipeline 0 if unknown. */
function placeOf(dialog: Dialog): OfferQuery {
  const needs = needsOf(dialog)
  const pipeline = fixedText(dialog, 'pipeline') ?? '0'
  return {
    // Without a pipeline: a global node, which has no parameters.
    pipeline: pipeline || (needs === 'parameters' ? '0' : ''),
    node: fixedText(dialog, 'node') ?? '',
    needs,
    record: dialog.value('kind') as OfferQuery['record'],
  }
}

function needsOf({ form }: Dialog): OfferQuery['needs'] {
  const picked = (kind: PickKind) => form.find(`[data-pick="${kind}"]`).length > 0
  return picked('parameter') ? 'parameters' : picked('service') ? 'services' : undefined
}

/** Pipeline and node are fixed. */
function isKnown(dialog: Dialog, kind: PickKind): boolean {
  const isFixed = (field: string) => !dialog.input(field).length || fixedText(dialog, field) !== undefined
  if (inPipelines.has(kind) && !isFixed('pipeline')) return false
  // The message has the pipeline.
  if (fixedText(dialog, 'pipeline') === '' && needsOf(dialog) === 'parameters') return false
  return !needsNode.has(kind) || Boolean(fixedText(dialog, 'node'))
}
