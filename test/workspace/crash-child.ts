// Does one thing with workspaces, to be killed while it does. Arguments: what, folder, data.
import { join } from 'node:path'
import { openBlobStore } from '../../src/adapters/undo/blob-store.ts'
import { openWorkspaces } from '../../src/adapters/workspace/workspaces.ts'

const [what, folder = '', data = ''] = process.argv.slice(2)
const workspaces = openWorkspaces({
  root: join(data, 'workspaces'),
  blobs: openBlobStore(join(data, 'undo')),
})
const workspace = await workspaces.open({ run_id: 'run_test', agent_id: 'a', folder, agents: 2 })
if ('refused' in workspace) throw new Error(workspace.refused)
if (what === 'snapshot') await workspaces.snapshot(workspace, 'a.1')
if (what === 'apply') {
  const snapshot = await workspaces.find('run_test', 'a.1')
  if (!snapshot) throw new Error('no snapshot')
  await workspaces.apply(snapshot, { folder, conflicts: join(data, 'conflicts') })
}
