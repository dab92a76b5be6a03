import fc from 'fast-check'

/** Meaningful to some node, so that odd messages pass the first check. */
const words = [
  ...[
    'start',
    'stop',
    'scenario',
    'pose',
    'arrived',
    'run',
    'undo',
    'status',
    'calibrate',
    'save',
    'check',
    'cancel',
  ],
  ...[
    'info',
    'setNtp',
    'setDns',
    'setTime',
    'uploadLicense',
    'checkUiLock',
    'list',
    'add',
    'remove',
    'clear',
  ],
  ...[
    'getSystem',
    'getParameter',
    'callService',
    'setParameters',
    'addDestination',
    'getLog',
    'approve',
    'abort',
    'resume',
  ],
  ...[
    'dev_camera',
    'dev_roi_db',
    'dev_hand_eye_calibration',
    'fps',
    'fps,exp_auto',
    'imu',
    '0',
    '1',
    '127.0.0.1:30012',
  ],
  ...['{X 600, Y 0, Z 500, A 0, B 0, C 180}', '2026-01-02 03:04:05', '{}', '[]', 'null', '{"a":1}'],
]
const oddTexts = [
  ...[
    '',
    ' ',
    '.',
    '..',
    '../..',
    'a/b',
    '\0',
    '\ud800',
    '\r\nx: y',
    '%00',
    '${HOME}',
    '💥',
    '__proto__',
    'constructor',
    'toString',
  ],
  'x'.repeat(200_000),
]

const ring = () => {
  const one: Record<string, unknown> = { name: 'ring' }
  one['self'] = one
  return one
}
const nested = (depth: number) => {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { value }
  return value
}
const boom = (): never => {
  throw new Error('It broke.')
}
/** Created anew: the receiver may change them. */
const oddThings: (() => unknown)[] = [
  () => undefined,
  () => null,
  () => NaN,
  () => -0,
  () => -Infinity,
  () => 1e308,
  () => 2n ** 70n,
  () => Symbol('odd'),
  () => new Date(NaN),
  () => new Date(0),
  () => Buffer.from('bytes'),
  () => new Uint8Array(3),
  () => boom,
  () => ring(),
  () => [ring()],
  () => nested(20_000),
  () => ({
    get name() {
      return boom()
    },
  }),
  () => ({ toString: boom, toJSON: boom }),
  () => ({ [Symbol.toPrimitive]: boom }),
  () => ({ toJSON: () => 2n }),
  () => new Proxy({}, { get: boom, ownKeys: boom, has: boom }),
  () => Object.create(null) as object,
  () => new Map([['fps', 1]]),
  () => new Set(['fps']),
  () => Object.assign([], { length: 100_000 }),
  () => new Error('an error'),
  () => /odd/,
  () => Object(1n) as object,
  () => JSON.parse('{"__proto__":{"polluted":true},"fps":1}') as object,
  () => ({ fps: undefined, exp_auto: null }),
  () => ({ pipelines: { 0: null }, id: {}, name: 'fps', value: 1 }),
  () => ({ seen: [1, 2, 3n], touched: [Symbol('x')], robot: {} }),
]

/** In a message. */
export const oddValue: fc.Arbitrary<() => unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words).map((text) => () => text) },
  { weight: 1, arbitrary: fc.constantFrom(...oddTexts).map((text) => () => text) },
  { weight: 4, arbitrary: fc.constantFrom(...oddThings) },
  {
    weight: 2,
    arbitrary: fc
      .anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withNullPrototype: true,
        withTypedArray: true,
        withSparseArray: true,
      })
      .map((value) => () => value),
  },
)
