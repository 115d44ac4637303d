import { isOver } from '../../core/turn/phases.ts'
import type { ModelHost } from '../../ports/model.ts'
import type { ToolCall } from '../../schema/turn-event.ts'
import { newId } from '../ids.ts'
import type { TurnActor, TurnOrder, Turns } from '../turns.ts'
import { rootOf } from './reach.ts'

/** How an agent that runs its own tools asks us and tells us: through the turn's log, like everything else. */
export function externalHost(turns: Turns, order: TurnOrder, actor: TurnActor): ModelHost {
  const toCall = ({ name, input, access }: Pick<ToolCall, 'name' | 'input' | 'access'>): ToolCall => ({
    id: newId('ext', turns.parts.clock.now()),
    name,
    input,
    access,
  })
  return {
    folder: rootOf(order),
    chat_mode: order.settings.mode,
    async approve({ read_only, ...asked }) {
      const call = toCall(asked)
      const refused = await actor.send({ type: 'external_asked', call, read_only })
      if (refused) return 'deny'
      const known = ({ decided }: TurnActor['state']) => decided.find(({ call_id }) => call_id === call.id)
      const state = await actor.when((now) => known(now) !== undefined || isOver(now.phase))
      return known(state)?.allowed ? 'allow' : 'deny'
    },
    async observed({ read_only, success, output, duration_ms, ...done }) {
      await actor.send({
        type: 'external_finished',
        call: toCall(done),
        read_only,
        success,
        output,
        duration_ms,
      })
    },
  }
}
