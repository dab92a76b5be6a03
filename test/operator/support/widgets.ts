/** Dashboard's nodes that every panel needs: base, theme, one page and one group on it. */
export const dashboardOf = (page: string) => [
  { id: 'ui', type: 'ui-base', name: 'Panel', path: '/dashboard', includeClientData: true },
  {
    ...{ id: 'theme', type: 'ui-theme', name: 'Theme' },
    colors: { surface: '#fff', primary: '#06c', bgPage: '#eee', groupBg: '#fff', groupOutline: '#ccc' },
    sizes: { pagePadding: '12px', groupGap: '12px', groupBorderRadius: '4px', widgetGap: '12px' },
  },
  {
    ...{ id: 'page', type: 'ui-page', name: page, ui: 'ui', path: `/${page}`, icon: 'home', layout: 'grid' },
    ...{ theme: 'theme', order: 1, visible: 'true', disabled: 'false' },
  },
  {
    ...{ id: 'group', type: 'ui-group', name: 'Group', page: 'page', width: 6, height: 1, order: 1 },
    ...{ showTitle: false, visible: 'true', disabled: 'false', groupType: 'default' },
  },
]

/** A widget of the group. */
export const widget = (id: string, type: string, fields: object = {}) => ({
  ...{
    id,
    z: 'tab',
    x: 0,
    y: 0,
    type: `ui-${type}`,
    group: 'group',
    name: '',
    order: 1,
    width: 0,
    height: 0,
  },
  ...{ label: '', className: '', wires: [[]] },
  ...fields,
})
