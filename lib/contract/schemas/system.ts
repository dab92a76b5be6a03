import { type Static, Type } from '../../typebox'
import { PipelineConfiguration, PipelineName, ReturnCode } from './pipeline'

const Addresses = Type.Array(Type.String())

const dns = { dns_servers: Addresses, manual_dns_servers: Addresses }

export const Dns = Type.Object({ dns: Type.Object(dns) })

const ntp = {
  enabled: Type.Boolean(),
  manual_ntp_servers: Addresses,
  offset: Type.Number({ description: 'seconds' }),
  selected_ntp_servers: Addresses,
  synchronized: Type.Boolean(),
}

export const Ntp = Type.Object({ ntp: Type.Object(ntp) })

const Image = Type.Object({ image_version: Type.String() })

export type FirmwareInfo = Static<typeof FirmwareInfo>

export const FirmwareInfo = Type.Object({
  active_image: Image,
  inactive_image: Image,
  fallback_booted: Type.Boolean({ description: 'the newer image could not start and the older one runs' }),
  next_boot_image: Type.String({ description: 'active_image or inactive_image' }),
})

export const LicenseInfo = Type.Object({
  valid: Type.Boolean(),
  components: Type.Record(Type.String(), Type.Boolean()),
})

export const networkSettings = {
  dhcp_enabled: Type.Boolean(),
  persistent_ip_enabled: Type.Boolean(),
  persistent_ip_address: Type.String(),
  persistent_subnet_mask: Type.String(),
  persistent_default_gateway: Type.String({ description: 'may be empty' }),
}

export type NetworkSettings = Static<typeof NetworkSettings>

export const NetworkSettings = Type.Object(networkSettings)

export type NetworkInfo = Static<typeof NetworkInfo>

export const NetworkInfo = Type.Object({
  current_method: Type.String({ description: 'INIT, LinkLocal, DHCP, PersistentIP or TemporaryIP' }),
  default_gateway: Type.String(),
  ip_address: Type.String(),
  subnet_mask: Type.String(),
  settings: NetworkSettings,
})

export const UiLock = Type.Object({ enabled: Type.Boolean() })

export const UiLockAnswer = Type.Object({ enabled: Type.Boolean(), valid: Type.Boolean() })

export const Utc = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
  description: 'YYYY-MM-DD hh:mm:ss in UTC',
})

export const Time = Type.Object({ utc: Type.String() })

const PtpStatus = Type.Object({
  master_ip: Type.String(),
  offset: Type.Number({ description: 'seconds' }),
  offset_dev: Type.Number({ description: 'seconds' }),
  offset_mean: Type.Number({ description: 'seconds' }),
  state: Type.String(),
})

export type SysInfo = Static<typeof SysInfo>

export const SysInfo = Type.Object({
  dns: Type.Optional(Type.Object(dns)),
  firmware: FirmwareInfo,
  hostname: Type.String(),
  link_speed: Type.Integer({ description: 'Mbit/s' }),
  mac: Type.String(),
  ntp: Type.Optional(Type.Object(ntp)),
  ptp_status: Type.Optional(PtpStatus),
  ready: Type.Boolean({ description: 'all modules run' }),
  serial: Type.String(),
  time: Type.Number({ description: 'seconds since 1970' }),
  uptime: Type.Number({ description: 'seconds' }),
  network: Type.Optional(NetworkInfo),
  ui_lock: Type.Optional(UiLock),
  model_name: Type.Optional(Type.String()),
  dongle_id: Type.Optional(Type.String()),
  pipelines: Type.Optional(PipelineConfiguration),
  reboot_required: Type.Optional(Type.Boolean()),
  sensor_interfaces: Type.Optional(Type.Record(Type.String(), Type.Object({ link_speed: Type.Integer() }))),
  userspace: Type.Optional(Type.Object({ available: Type.Boolean(), enabled: Type.Boolean() })),
})

export type Backup = Static<typeof Backup>

export const Backup = Type.Record(Type.String(), Type.Unknown(), {
  description: 'settings as the device saved them',
})

export type RestoreResult = Static<typeof RestoreResult>

export const RestoreResult = Type.Object({ return_code: ReturnCode, warnings: Type.Array(Type.Unknown()) })

/** Manually configured addresses or names. */
export const servers = (most?: number) => Type.Array(Type.String({ minLength: 1 }), { maxItems: most })

export type StoredFile = Static<typeof StoredFile>

export const StoredFile = Type.Object({ id: Type.String() })

export const FileId = Type.String({ minLength: 1, description: 'name under which the file is kept' })

/** The needed part of a Node.js `FileHandle`. */
interface OpenFile {
  stat: () => Promise<{ isFile: () => boolean; size: number; mtimeMs: number }>
  read: (buffer: Uint8Array, offset: number, length: number) => Promise<{ bytesRead: number }>
  close: () => Promise<void>
}

/** A file that the caller opens itself, anew for each attempt, because the path may change its target. */
export interface FileToSend {
  /** For messages, and for the file name that the device receives. */
  path: string
  open: () => Promise<OpenFile>
}

/** Path of a file, or its content. Streamed, never held in memory twice. */
export const UploadFile = Type.Unsafe<string | Uint8Array | FileToSend>(
  Type.Unknown({ description: 'path of a file, or its content' }),
)

export const NotShown = Type.Unknown({ description: 'not specified' })

const HostPort = Type.Object({ port: Type.Integer(), protocol: Type.String() })

const Container = Type.Object({
  name: Type.String(),
  status: Type.String(),
  host_ports: Type.Array(HostPort),
})

const App = Type.Object({
  name: Type.String(),
  type: Type.String({ description: 'container or compose' }),
  containers: Type.Array(Container),
})

/** Addresses, `http://proxy:3128`; empty if there is none. */
export const UserSpaceProxy = Type.Object({ http_proxy: Type.String(), https_proxy: Type.String() })

export const UserSpace = Type.Object({
  apps: Type.Array(App),
  available: Type.Boolean(),
  enabled: Type.Boolean(),
  proxy: Type.Optional(UserSpaceProxy),
})

const AnyFields = Type.Record(Type.String(), Type.Unknown())

export const JobId = Type.String({ minLength: 1, description: 'number of the job, 0 to 65535' })

export type RobotJob = Static<typeof RobotJob>

export const RobotJob = Type.Object({
  name: Type.String(),
  job_type: Type.String({
    description: 'CALL_PIPELINE_SERVICE, CALL_GLOBAL_SERVICE or SET_PIPELINE_PARAMETERS',
  }),
  node: Type.String(),
  pipeline: Type.Optional(PipelineName),
  service: Type.Optional(Type.String()),
  args: Type.Optional(AnyFields),
  parameters: Type.Optional(AnyFields),
  selected_return: Type.Optional(
    Type.String({ description: 'field of the answer whose poses the robot gets' }),
  ),
  additional_return: Type.Optional(Type.Unknown({ description: 'further fields of the answer' })),
})

export const handEyeConfiguration = {
  grid_height: Type.Number({ minimum: 0, description: 'metres' }),
  grid_width: Type.Number({ minimum: 0, description: 'metres' }),
  robot_mounted: Type.Boolean(),
  tcp_offset: Type.Number({ description: 'metres; 0 for robots that turn about all axes' }),
  tcp_rotation_axis: Type.Integer({
    minimum: -1,
    maximum: 2,
    description: '-1, or the axis that the robot turns about: 0, 1 or 2',
  }),
}

export const HandEyeConfiguration = Type.Object(handEyeConfiguration)

export const Stored = Type.Object({ return_code: ReturnCode })

export const StoredJob = Type.Object({ job_id: Type.String(), return_code: ReturnCode })
