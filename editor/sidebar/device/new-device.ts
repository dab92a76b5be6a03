import { sharedText } from '../../shared-text'
import { isAnyConfigured } from '../configured'

/** Opens Node-RED's own dialog for a new device. */
export const addDevice = (): void => RED.editor.editConfig('', 'vision-device-config', '_ADD_')

/** The first step, shown instead of everything else while there is neither device, PLC nor robot connection. */
export function firstDevice(): JQuery {
  const element = $('<div class="vision-first">').append(
    $('<p>').text(sharedText('sidebar.noDevice')),
    $('<button type="button" class="red-ui-button">')
      .append(
        '<i class="fa fa-plus" aria-hidden="true"></i> ',
        $('<span>').text(sharedText('sidebar.addDevice')),
      )
      .on('click', addDevice),
  )
  const update = () => void element.prop('hidden', isAnyConfigured())
  for (const event of ['nodes:add', 'nodes:remove', 'flows:loaded']) RED.events.on(event, update)
  update()
  return element
}
