import answer from './answer.css'
import cameraView from './camera/camera-view.css'
import dialog from './dialog.css'
import entries from './forms/entries.css'
import forms from './forms/forms.css'
import drive from './hand-eye/drive.css'
import jsonView from './forms/json-view.css'
import switches from './forms/switch.css'
import picks from './picks/picks.css'
import plcMap from './plc/map.css'
import plcPanel from './plc/panel.css'
import record from './record/record.css'
import sidebar from './sidebar/sidebar.css'

const id = 'vision-dialog-style'

/**
 * Adds the style of dialogs and sidebar to the editor once. The shared styles come first, so that others can refine
 * them.
 */
export function style(): void {
  if (document.getElementById(id)) return
  const sheets = [
    dialog,
    answer,
    picks,
    forms,
    entries,
    jsonView,
    switches,
    record,
    sidebar,
    cameraView,
    plcMap,
    plcPanel,
    drive,
  ]
  $('<style>').attr('id', id).text(sheets.join('')).appendTo('head')
}
