import type { SlashCommand } from './command.ts'

export const permissionsCommand: SlashCommand = {
  name: 'permissions',
  about: 'what may happen without asking',
  run(app) {
    const { grants } = app.view.session
    const { permission, rules = [] } = app.host?.roster.settings ?? { permission: 'ask' }
    const lines = [
      `mode: ${permission}`,
      ...rules.map(({ tool, resource = '*', action }) => `rule: ${action} ${tool} ${resource}`),
      ...grants.map(({ tool, resource }) => `granted in this chat: ${tool} ${JSON.stringify(resource)}`),
    ]
    app.dispatch({
      type: 'open_modal',
      modal: { kind: 'page', title: 'Permissions', lines: lines.map((text) => ({ text })), scroll: 0 },
    })
  },
}
