import { calibrationPanel } from '../../editor/calibration-panel'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: () => '',
  prepare: (dialog) =>
    calibrationPanel(dialog, (key, values) => dialog.node._(`hand-eye-calibration.panel.${key}`, values)),
} satisfies OwnDialog
