import { Type } from '@sinclair/typebox'

/** A body that the specification does not describe. */
export const NotShown = Type.Unknown({ description: 'not specified' })
