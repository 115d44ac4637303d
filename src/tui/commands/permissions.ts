import type { PermissionMode } from '../../schema/chat-config.ts'
import type { SlashCommand } from './command.ts'

const meanings: Record<PermissionMode, string> = {
  ask: 'files in the folder are read and edited; commands that do more than look, deletions and large changes ask.',
  'auto-edit': 'as ask, however many files are edited.',
  auto: 'nothing asks.',
  deny: 'what would ask is refused.',
}

export const permissionsCommand: SlashCommand = {
  name: 'permissions',
  about: 'what may happen without asking',
  run(app) {
    const { grants } = app.view.session
    const { permission, rules = [] } = app.host?.roster.settings ?? { permission: 'ask' }
    const lines = [
      `${permission}: ${meanings[permission]}`,
      'Plan mode: only reading; commands in a sandbox that can write nothing.',
      ...rules.map(({ tool, resource = '*', action }) => `rule: ${action} ${tool} ${resource}`),
      ...grants.map(({ tool, resource }) => `granted in this chat: ${tool} ${JSON.stringify(resource)}`),
    ]
    app.dispatch({
      type: 'open_modal',
      modal: { kind: 'page', title: 'Permissions', lines: lines.map((text) => ({ text })), scroll: 0 },
    })
  },
}
