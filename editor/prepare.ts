import { accessible } from './accessible'
import { advanced } from './advanced'
import { defaults } from './defaults'
import { openDialog } from './dialog'
import { operationForm } from './operation-form'
import { ownDialogs } from './own-dialogs'
import { onlyChoice } from './only-choice'
import { outputs } from './outputs'
import { parameterValue } from './parameter-value'
import { picks } from './picks'
import { presentValue } from './present-value'
import { quantityFields } from './quantity/fields'
import { reasons } from './reasons'
import { serviceForm } from './service-form'
import { putRight } from './put-right'
import { recordForms } from './record'
import { testConnection } from './test-connection'
import { typedFields } from './typed-fields'
import { visibility } from './visibility'

/** Activates the form of a node according to the attributes in its HTML. */
export function prepare(node: EditorNode) {
  const dialog = openDialog(node)
  defaults(dialog)
  onlyChoice(dialog)
  typedFields(dialog)
  picks(dialog)
  putRight(dialog)
  quantityFields(dialog)
  presentValue(dialog)
  parameterValue(dialog)
  serviceForm(dialog)
  operationForm(dialog)
  testConnection(dialog)
  outputs(dialog)
  visibility(dialog)
  recordForms(dialog)
  advanced(dialog)
  ownDialogs[node.type]?.prepare?.(dialog)
  accessible(dialog)
  reasons(dialog)
}
