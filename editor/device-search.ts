import type { OfferedDevice, SearchEvent } from '../nodes/device-config/admin/search'
import type { AdminRefusal } from '../nodes/shared/admin'
import type { Probe } from '../nodes/device-config/admin/probe'
import { problemOf } from './device-api'
import { type Dialog, sharedText } from './dialog'

/** A device in the list, with its element. */
interface Row {
  button: JQuery
  state: JQuery
}

/**
 * *Search* beside the address of a device: lists what answers in the network; a click enters its address. Nothing is sent
 * before the first press, and nothing is deployed.
 */
export function deviceSearch({ node, form, input }: Dialog) {
  const address = input('address')
  if (node.type !== 'vision-device-config' || !address.length) return
  const button = $('<button type="button" class="red-ui-button vision-find">').insertAfter(address)
  const place = $('<div class="vision-found" role="status">').insertAfter(address.closest('.form-row'))
  const rows = new Map<string, Row>()
  let running: JQuery.jqXHR | undefined
  let turn = 0

  button.on('click', () => (running ? stop() : begin('')))
  label()

  function label() {
    button
      .empty()
      .append(
        $('<i class="fa" aria-hidden="true">').addClass(running ? 'fa-stop' : 'fa-search'),
        ` ${sharedText(running ? 'search.stop' : 'search.button')}`,
      )
    RED.tray.resize()
  }

  function stop() {
    turn++
    running?.abort()
    running = undefined
    line.text(sharedText('search.stopped'))
    place.append(rangeForm())
    label()
  }

  const line = $('<div class="vision-found-line">')
  const list = $('<div class="vision-found-list">')

  function begin(range: string) {
    const mine = ++turn
    rows.clear()
    list.empty()
    place.empty().append(line.text(sharedText('search.searching')), list)
    let read = 0
    let isEnded = false
    const take = (text: string) => {
      const end = text.lastIndexOf('\n') + 1
      for (const each of text.slice(read, end).split('\n'))
        if (each !== '' && mine === turn) show(JSON.parse(each) as SearchEvent | AdminRefusal)
      read = end
    }
    const show = (event: SearchEvent | AdminRefusal) => {
      if ('message' in event) line.text(event.message)
      else if (event.kind === 'found') add(event.device)
      else if (event.kind === 'state') judge(event.key, event.probe)
      else if (event.kind === 'progress')
        line.text(sharedText('search.progress', { asked: event.asked, total: event.total }))
      else {
        isEnded = true
        line.text(sharedText(event.found ? 'search.found' : 'search.none'))
      }
      RED.tray.resize()
    }
    running = $.ajax({
      method: 'POST',
      url: 'vision-devices/search',
      dataType: 'text',
      contentType: 'application/json',
      data: JSON.stringify({ range }),
      headers: { 'accept-language': RED.i18n.lang() },
      xhr: () => {
        const request = new XMLHttpRequest()
        request.addEventListener('progress', () => take(request.responseText))
        return request
      },
    })
    running
      .then(
        (text: string) => take(text),
        (failed: unknown) => {
          if (mine === turn) line.text(problemOf(answered(failed as JQuery.jqXHR)).message)
        },
      )
      .always(() => {
        if (mine !== turn) return
        running = undefined
        if (!isEnded && line.text() === sharedText('search.searching'))
          line.text(sharedText('search.stopped'))
        place.append(rangeForm())
        label()
      })
    label()
  }

  function add(device: OfferedDevice) {
    const { key, model, manufacturer, serial, name, isHere, isOtherSubnet } = device
    const state = $('<span class="vision-found-state">').text(
      sharedText(isOtherSubnet ? 'search.otherSubnet' : 'search.asking'),
    )
    const title = [model || manufacturer || name, serial].filter(Boolean).join(' · ')
    const button = $('<button type="button" class="red-ui-button vision-found-device">')
      .append(
        $('<b>').text(title || device.address),
        $('<span>').text(
          [device.address, isHere ? sharedText('search.here') : ''].filter(Boolean).join(' · '),
        ),
        state,
      )
      .toggleClass('vision-found-other', isOtherSubnet)
      .on('click', () => void address.val(device.address).trigger('change').trigger('focus'))
    rows.set(key, { button, state })
    // Devices of this computer come first.
    if (isHere) list.prepend(button)
    else list.append(button)
  }

  function judge(key: string, probe: Probe) {
    const row = rows.get(key)
    if (!row) return
    const isDevice = probe.reached || probe.problem === 'starting'
    row.button.toggleClass('vision-found-other', !isDevice)
    row.state.text(
      probe.reached
        ? [sharedText(probe.ready ? 'search.ready' : 'search.starting'), probe.firmware]
            .filter(Boolean)
            .join(' · ')
        : sharedText(isDevice ? 'search.starting' : 'search.noDevice'),
    )
    if (!isDevice) list.append(row.button)
  }

  function rangeForm(): JQuery {
    const range = $('<input type="text" class="vision-found-range">').attr({
      'aria-label': sharedText('search.rangeLabel'),
      placeholder: sharedText('search.rangeExample'),
    })
    const go = $('<button type="button" class="red-ui-button red-ui-button-small">')
      .text(sharedText('search.button'))
      .on('click', () => begin(String(range.val())))
    range.on('keydown', (event) => {
      if (event.key !== 'Enter') return
      // Node-RED's own keys expect the field to be there still.
      event.stopPropagation()
      begin(String(range.val()))
    })
    return $('<div class="vision-found-more">').append($('<div>').text(sharedText('search.range')), range, go)
  }

  // Node-RED removes the form of a closed dialog.
  form.on('remove', () => running?.abort())
}

/** The error of a request for text, with the JSON that the server sent. */
function answered({ status, responseText }: JQuery.jqXHR): Pick<JQuery.jqXHR, 'status' | 'responseJSON'> {
  try {
    return { status, responseJSON: JSON.parse(responseText) as unknown }
  } catch {
    return { status, responseJSON: undefined }
  }
}
