export { type Check } from './check'
export { checkOf } from './of-field'
