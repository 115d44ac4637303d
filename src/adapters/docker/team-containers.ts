import type { Containers } from '../../ports/container.ts'
import type { TeamParts } from '../../ports/team.ts'
import type { RunId } from '../../schema/ids.ts'

/**
 * The containers of a run's agents. In its copy an agent gets one at its first command; before it may write where the
 * person's files are, the one it had is removed and another is there and ready, or the run ends.
 */
export function teamContainers(containers: Containers): Required<Pick<TeamParts, 'beforeTurn' | 'close'>> {
  /** By run and agent: the folders whose containers are theirs, and what they were made for. */
  const runs = new Map<RunId, Map<string, Map<string, string>>>()

  const placesOf = (run_id: RunId, agent_id: string): Map<string, string> => {
    const agents = runs.get(run_id) ?? new Map<string, Map<string, string>>()
    const places = agents.get(agent_id) ?? new Map<string, string>()
    runs.set(run_id, agents.set(agent_id, places))
    return places
  }

  return {
    async beforeTurn({ run_id, agent_id, reach, in_copy }) {
      const places = placesOf(run_id, agent_id)
      const wanted = JSON.stringify(reach)
      const is = places.get(reach.root)
      places.set(reach.root, wanted)
      // A run that only plans writes nothing.
      if (in_copy || reach.root_access === 'read' || is === wanted) return undefined
      for (const root of places.keys()) {
        if (root === reach.root) continue
        await containers.remove(root)
        places.delete(root)
      }
      const made = await containers.recreate(reach.root, reach)
      if (made.ready) return undefined
      places.delete(reach.root)
      return made.failure
    },
    async close(run_id) {
      const places = [...(runs.get(run_id)?.values() ?? [])].flatMap((each) => [...each.keys()])
      runs.delete(run_id)
      await Promise.all(places.map((root) => containers.remove(root)))
    },
  }
}
