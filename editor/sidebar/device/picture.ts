import { cameraView } from '../../camera/camera-view'
import { deployedCamera } from '../../camera/deployed-camera'
import { sharedText } from '../../shared-text'
import type { TreeEntry } from '../tree/entry'

/** The line of a device that shows the picture of a camera. */
export const picture = (device: EditorNode, pipelines: readonly string[]): TreeEntry => ({
  key: 'picture',
  label: sharedText('picture.title'),
  icon: 'picture-o',
  panel: () => panel(device, pipelines),
})

function panel(device: EditorNode, pipelines: readonly string[]): JQuery {
  const choice = $('<select>').attr('aria-label', sharedText('picture.pipeline'))
  for (const name of pipelines)
    choice.append($('<option>').val(name).text(sharedText('sidebar.pipeline', { name })))
  choice.on('change', () => {
    view.clear()
    void view.show()
  })
  const view = cameraView({
    camera: () => deployedCamera(device.id, String(choice.val() ?? '0')),
    ...(pipelines.length > 1 && { before: choice }),
  })
  void view.show()
  return view.element
}
