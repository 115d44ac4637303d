import type { Failure } from '../schema/failure.ts'
import type { Reach } from '../schema/reach.ts'
import type { Shell } from './shell.ts'

/** Whose commands a container runs. */
export interface ContainerAgent {
  /** One agent has one key, also after a restart. */
  key: string
  /** The run it works in. */
  run?: string
  /** What is mounted, each path where it is on the host. */
  reach: Reach
  /** Variables of its commands; they outlive the container. */
  environment?: Record<string, string>
}

/**
 * Containers in which agents run their commands: one for each agent, started at its first command, and one more, where
 * nothing can be written, for commands that only look. No path is ever writable in the containers of two agents at once.
 */
export interface Containers {
  /**
   * The shell of an agent. A request with a `reach` of its own gets exactly that one mounted: where it differs from the
   * container's, the container is made anew.
   */
  shell(agent: ContainerAgent): Shell
  /** One shell for all: the root of a request's `reach`, or else its folder, is the key. */
  shared(): Shell
  /**
   * Removes the agent's containers, ends what runs in them, and starts one with these mounts. The environment stays.
   * Safe to repeat after a crash. Never throws.
   */
  recreate(
    key: string,
    reach: Reach,
  ): Promise<{ ready: true; container: string } | { ready: false; failure: Failure }>
  /** Removes the agent's containers; its next command starts another. */
  remove(key: string): Promise<void>
  /** Removes what processes that are no more have left behind; tells how many containers that were. */
  sweep(): Promise<number>
  /** Removes all containers of this process. */
  close(): Promise<void>
}
