import { dialogPicture } from '../../editor/camera/camera-view'
import type { OwnDialog } from '../../editor/own-dialogs'

export default { label: () => '', prepare: dialogPicture } satisfies OwnDialog
