import { text } from '../../editor/dialog'
import { typedAddress } from '../../lib/contract/reading/address'
import type { OwnDialog } from '../../editor/own-dialogs'

export default {
  label: (node) => typedAddress(text(node['address'])).shown,
} satisfies OwnDialog
