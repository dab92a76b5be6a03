/** Validators that the dialogs name in their `defaults`. */
export { address } from './address'
export { type Check } from './check'
export { confirmed, needed, number, pattern, typed } from './fields'
export { jsonObject, messageProperty, searchText } from './texts'
export { parameterValue, recordId, serviceArguments } from './values'
