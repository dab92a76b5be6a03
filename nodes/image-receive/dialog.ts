import { dialogPicture } from '../../editor/camera/dialog-picture'
import type { OwnDialog } from '../../editor/own-dialogs'

export default { label: () => '', prepare: dialogPicture } satisfies OwnDialog
