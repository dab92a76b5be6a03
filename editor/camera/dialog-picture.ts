import type { Dialog } from '../dialog'
import { fixedText } from '../dialog-device'
import { sharedText } from '../shared-text'
import { cameraView } from './camera-view'
import { deployedCamera } from './deployed-camera'

/** Shows, on demand, the picture of the camera that a dialog has chosen. */
export function dialogPicture(dialog: Dialog): void {
  const { form, value, input } = dialog
  const view = cameraView({
    camera: () => {
      const device = value('device')
      if (!device) return sharedText('pick.deviceFirst')
      const pipeline = fixedText(dialog, 'pipeline')
      if (pipeline === undefined) return sharedText('try.fixed', { fields: dialog.label('pipeline') })
      return deployedCamera(device, pipeline || '0')
    },
    resized: () => RED.tray.resize(),
  })
  for (const field of ['device', 'pipeline']) input(field).on('change', () => view.clear())
  const row = $('<div class="form-row vision-view-row">').append(view.element)
  const first = form.children('details').first()
  if (first.length) row.insertBefore(first)
  else row.appendTo(form)
}
