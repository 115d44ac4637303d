const workspaces = 'each agent has a workspace of its own, and each answer is kept by itself'
const search = "no provider's own search is used; web_fetch lets agents read the hosts you allow"
const code = "code runs with Conclave's own shell, under its permission rules"
const media = 'Conclave makes no images, sound, video or documents with models'
const ownLoop = 'set it in the settings of that agent itself'

/** Why keys of a MassGen backend have no counterpart. */
export const backendReasons = new Map<string, string>([
  ['cwd', workspaces],
  ['enable_mcp_command_line', 'commands can be run anyway, under the permission rules'],
  ['enable_web_search', search],
  ['enable_code_execution', code],
  ['enable_code_interpreter', code],
  ['enable_image_generation', media],
  ['enable_audio_generation', media],
  ['enable_video_generation', media],
  ['enable_file_generation', media],
  ['enable_multimodal_tools', media],
  ['permission_mode', 'what may happen without asking is said with --permission-mode and permissions'],
  ['concurrent_tool_execution', 'reads run side by side anyway'],
  ['exclude_file_operation_mcps', "file tools are Conclave's own"],
  ['custom_tools', 'tools of your own come from MCP servers'],
  ['custom_tools_path', 'tools of your own come from MCP servers'],
  ['auto_discover_custom_tools', 'tools of your own come from MCP servers'],
  ['max_thinking_tokens', ownLoop],
  ['use_default_prompt', ownLoop],
  ['allowed_tools', ownLoop],
  ['api_version', "Azure's v1 address needs none"],
  ['organization', 'set it in the environment'],
  ['verbose', 'start with --verbose'],
])

export const orchestratorReasons = new Map<string, string>([
  ['snapshot_storage', workspaces],
  ['agent_temporary_workspace', workspaces],
  ['session_storage', 'chats are kept in the data folder (--data-dir)'],
  ['debug_final_answer', 'it is for debugging MassGen'],
  [
    'coordination_mode',
    'agents work on the same task; decomposition is what sub-tasks and launch_run are for',
  ],
  ['presenter_agent', 'the winner of the vote presents; --override or Ctrl+O chooses somebody else'],
  [
    'max_midstream_injections_per_round',
    'every answer is told to the others once; disable_injection turns that off',
  ],
  ['defer_peer_updates_until_restart', 'answers are told between two steps of an agent'],
  ['dspy', 'Conclave has nothing like it'],
])

const plan = 'a planning run is started with conclave plan, --plan, or planning_mode of launch_run'

export const coordinationReasons = new Map<string, string>([
  ['enable_planning_mode', plan],
  ['planning_mode_instruction', plan],
  ['max_orchestration_restarts', 'a run is not started again by itself'],
  ['enable_agent_task_planning', 'agents have a todo tool anyway'],
  ['use_skills', 'skills of a trusted folder are found anyway'],
  ['skills_directory', 'skills of a trusted folder are found anyway'],
  ['massgen_skills', "MassGen's own skills are not part of Conclave"],
  ['enable_subagents', 'agents can delegate sub-tasks anyway'],
])

export const topReasons = new Map<string, string>([
  ['memory', 'chats are kept and searchable anyway; there is no vector memory'],
  ['filesystem_memory', 'see orchestrator.interactive_mode.context_compaction'],
  ['hooks', 'Conclave has no hooks'],
])
