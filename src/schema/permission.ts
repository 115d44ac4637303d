/** A rule of the config. The last rule that fits decides. */
export interface PermissionRule {
  /** A tool's name; `*` fits any run of characters. */
  tool: string
  /** A path, command, host or MCP tool, with `*`; every resource of the call when absent. */
  resource?: string
  action: 'allow' | 'ask' | 'deny'
}

/** What a person allowed for the rest of a chat: exactly these bytes, never a pattern. */
export interface Grant {
  tool: string
  resource: string
}
