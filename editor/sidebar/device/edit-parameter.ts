import type { Parameter } from '../../../lib/contract'
import { parameterUnit } from '../../../lib/contract/reading/parameter-unit'
import { deviceApi } from '../../device-api'
import { isNumeric } from '../../forms/kinds'
import { parameterShape } from '../../forms/parameter-shape'
import { numberIn } from '../../quantity/number-in'
import { limitsText, valueText } from '../../parameter-text'
import { sharedText } from '../../shared-text'
import type { LineEditor, LineRemark } from '../tree/entry'
import type { DeviceNode } from './device-node'
import { checkedValue } from './value-check'

/**
 * An editor for one parameter that shows which value the device has accepted.
 * @param ineffective why it has no effect at present; empty if it has
 */
export const editParameter =
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
    const meant = $('<div class="vision-edit-about" role="status">')
    const remark = $('<div class="vision-edit-about vision-edit-remark">').text(ineffective)
    place.append(form, meant, about, remark, reason)
    control.on('input', () => {
      const found = isNumeric(record.type) && numberIn(String(control.val()), unit)
      meant.text((found && 'value' in found && found.understood) || '')
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
      void send()
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
        const kept = await deviceApi(device).call('setParameter', { pipeline, node, param, value })
        done(saidOf(kept, value))
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

/** `1 to 25 Hz; default 25 Hz`. */
const aboutOf = (record: Parameter) =>
  [
    limitsText(record),
    sharedText('present.byDefault', { value: valueText(record.default, parameterUnit(record)) }),
  ]
    .filter(Boolean)
    .join('; ')

function saidOf(record: Parameter, wanted: unknown): LineRemark {
  const value = valueText(record.value, parameterUnit(record))
  return isSame(record.value, wanted)
    ? { text: sharedText('sidebar.kept', { value }), tone: 'good' }
    : { text: sharedText('sidebar.keptOther', { value }), tone: 'soon' }
}

/** Devices store numbers with fewer digits. */
const isSame = (kept: unknown, wanted: unknown) =>
  typeof kept === 'number' && typeof wanted === 'number'
    ? Math.abs(kept - wanted) <= 1e-6 * Math.abs(wanted)
    : JSON.stringify(kept) === JSON.stringify(wanted)
