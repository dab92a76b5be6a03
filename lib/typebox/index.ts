/**
 * The schema library, which the build puts into one file: from its own 250 it would take most of the time in which a client
 * loads. Everybody else imports it from here.
 */
export { Kind, OptionalKind, Type } from '@sinclair/typebox'
export type { Static, TObject, TSchema } from '@sinclair/typebox'
export { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler'
export { Value } from '@sinclair/typebox/value'
