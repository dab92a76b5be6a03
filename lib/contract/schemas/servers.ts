import { Type } from '@sinclair/typebox'

/** Addresses or names of servers, as they are set by hand. */
export const servers = (most?: number) => Type.Array(Type.String({ minLength: 1 }), { maxItems: most })
