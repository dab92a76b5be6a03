import type { Environment, ServiceDefinition } from '../module'

/** The services of a global database under a detection module: older names for the same. */
export function twinsOf(
  { global }: Pick<Environment, 'global'>,
  database: string,
): Record<string, ServiceDefinition> {
  const services = Object.entries(global(database)?.services ?? {})
  return Object.fromEntries(
    services.map(([name, service]) => [
      name,
      { ...service, description: `${service.description} Deprecated: use the one of ${database}.` },
    ]),
  )
}
