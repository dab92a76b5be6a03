import { Type } from '../../typebox'

/** A body that the specification does not describe. */
export const NotShown = Type.Unknown({ description: 'not specified' })
