import { Type, type Static } from '../../lib/typebox'

const dimensions = (x: number, y: number, z: number) =>
  Type.Object(
    {
      x: Type.Number({ minimum: 0.05, maximum: 2 }),
      y: Type.Number({ minimum: 0.05, maximum: 2 }),
      z: Type.Number({ minimum: 0.02, maximum: 2 }),
    },
    { default: { x, y, z }, additionalProperties: false },
  )

const Tag = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 200 }),
    /** Edge length. */
    size: Type.Optional(Type.Number({ minimum: 0.01, maximum: 0.5 })),
    /** White on black. */
    inverted: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
type Tag = Static<typeof Tag>
/** Room around the load carrier limits their number. */
const tags = (most: number, byDefault: Tag[]) => Type.Array(Tag, { default: byDefault, maxItems: most })

/** What is in front of the camera for the detection modules. All lengths in metres. */
export const SceneSettings = Type.Object(
  {
    /** From the camera to the floor, along its axis. */
    distance: Type.Number({ default: 1.2, minimum: 0.5, maximum: 5 }),
    /** Tilt of the floor against the image plane, degrees. */
    tilt: Type.Number({ default: 3, minimum: 0, maximum: 30 }),
    /** Whether there is one; otherwise the items lie on the floor. */
    load_carrier: Type.Boolean({ default: true }),
    outer_dimensions: dimensions(0.6, 0.4, 0.2),
    inner_dimensions: dimensions(0.56, 0.36, 0.19),
    items: Type.Integer({ default: 18, minimum: 0, maximum: 100 }),
    april_tags: tags(8, [
      { id: '36h11_0' },
      { id: '36h11_1' },
      { id: '36h11_2' },
      { id: '36h11_3' },
      { id: '25h9_7' },
      { id: '36h11_4', inverted: true },
    ]),
    qr_codes: tags(4, [{ id: 'BIN-0017' }, { id: 'https://example.com/item?id=4711' }]),
    /** Standard deviation of a detected position. */
    noise: Type.Number({ default: 0.0003, minimum: 0, maximum: 0.05 }),
  },
  { additionalProperties: false },
)
export type SceneSettings = Static<typeof SceneSettings>
