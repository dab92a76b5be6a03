/** Codes of gRPC that this device sends. */
export const grpcStatus = {
  OK: 0,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
} as const
export type GrpcStatus = keyof typeof grpcStatus

/** Why a call ends. */
export interface GrpcEnd {
  status: GrpcStatus
  message?: string
}

/** Milliseconds of a `grpc-timeout` such as `300m` or `8S`; undefined for none, or one that is not valid. */
export function grpcTimeout(given: unknown): number | undefined {
  const [, digits = '', unit = ''] = (typeof given === 'string' && /^(\d{1,8})([HMSmun])$/.exec(given)) || []
  return digits === '' ? undefined : Number(digits) * (milliseconds[unit] ?? 0)
}

const milliseconds: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
}
