import { noLicense, Refusal } from './refusal'
import type { Scenario } from './scenario'

export function assertLicensed(component: string | undefined, { license }: Readonly<Scenario>): void {
  if (component !== undefined && license[component] === false) throw noLicense(component)
}

/** @param what stands at the start of the sentence */
export function assertNoGenicamClient(what: string, { genicam_connected }: Readonly<Scenario>): void {
  if (genicam_connected) throw new Refusal(403, `${what}: locked by a running GigE Vision application`)
}
