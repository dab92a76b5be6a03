import { Type } from '../../typebox'

/** Manually configured addresses or names of servers. */
export const servers = (most?: number) => Type.Array(Type.String({ minLength: 1 }), { maxItems: most })
