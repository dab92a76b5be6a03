/** No connections to or from other machines. */
export function settingsFor({ port, home, secret, log }) {
  return {
    uiHost: '127.0.0.1',
    uiPort: port,
    userDir: home,
    flowFile: 'flows.json',
    flowFilePretty: true,
    credentialSecret: secret,
    httpAdminRoot: '/',
    httpNodeRoot: '/',
    telemetry: { enabled: false, updateNotification: false },
    externalModules: {
      palette: { allowInstall: false, allowUpdate: false, allowUpload: false },
      modules: { allowInstall: false },
    },
    editorTheme: {
      page: { title: 'CellSight: first acquisition' },
      header: { title: 'CellSight' },
      tours: false,
      // Otherwise Node-RED warns that projects are disabled.
      projects: {},
      palette: { categories: ['3D vision', 'common', 'function'], catalogues: [] },
    },
    logging: {
      console: { level: 'off', metrics: false, audit: false },
      demo: { level: 'info', metrics: false, audit: false, handler: () => log },
    },
  }
}
