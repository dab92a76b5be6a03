export const darkTheme = `
  --red-ui-primary-background: #1e1e1e; --red-ui-secondary-background: #2a2a2a;
  --red-ui-primary-text-color: #dcdcdc; --red-ui-secondary-text-color: #b0b0b0;
  --red-ui-form-text-color: #dcdcdc; --red-ui-form-input-background: #1e1e1e;
  --red-ui-form-input-border-color: #555; --red-ui-secondary-border-color: #444;
  --red-ui-primary-border-color: #444; --red-ui-form-button-background: #333;
  --red-ui-list-item-background-hover: #3a3a3a; --red-ui-list-item-color: #dcdcdc;
  --red-ui-workspace-button-background: #333; --red-ui-workspace-button-color: #dcdcdc;
  --red-ui-text-color-warning: #e0a060;`
