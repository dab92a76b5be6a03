import type { Device } from '../device/device'
import type { SideService } from './side-service'

/** What this device offers beside its API. A new service is one line here and its name in `SideServiceName`. */
export const sideServices = (_device: Device): SideService[] => []
