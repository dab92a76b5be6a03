/**
 * The schema library, which the build puts into one file: from its own 250 it takes thirteen times as long to load, and every
 * client, node and device loads it.
 */
export { Kind, OptionalKind, Type } from '@sinclair/typebox'
export type { Static, TObject, TSchema } from '@sinclair/typebox'
export { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler'
export { Value } from '@sinclair/typebox/value'
